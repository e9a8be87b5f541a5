package web

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/go-chi/chi/v5"

	"lockstep/engine"
	"lockstep/engine/sweep"
	"lockstep/views"
	"lockstep/views/raster"
	"lockstep/web/account"
	"lockstep/web/present"
)

// Sweeper carries comparisons out, one at a time.
type Sweeper interface {
	Start(ctx context.Context, r sweep.Request) (sweep.Comparison, error)
	// Watch returns the comparison under way and what is closed when it
	// changes; false for one that is not.
	Watch(id string) (c sweep.Comparison, changed <-chan struct{}, under bool)
	Current() string // the ID of the one under way; empty for none
	Stop(ctx context.Context, id string)
}

// SweepArchive reads saved comparisons.
type SweepArchive interface {
	// Find returns a comparison, or an error that is sweep.ErrNone.
	Find(ctx context.Context, id string) (sweep.Comparison, error)
	// Recent returns at most limit comparisons without their points, newest
	// first.
	Recent(ctx context.Context, limit int) ([]sweep.Comparison, error)
}

// sweepsOnPage is how many comparisons the list shows.
const sweepsOnPage = 50

// sweepRoutes are the pages of comparisons, among those of runs.
func (s *server) sweepRoutes(r chi.Router) {
	if s.Sweeper == nil {
		return
	}
	r.Get("/compare", s.handle(s.listSweeps))
	r.Get("/compare/{id}", s.handle(s.showSweep))
	r.Get("/compare/{id}/changes", s.handle(s.followSweep))
	r.Get("/compare/{id}/points.csv", s.handle(s.sweepCSV))
	r.Get("/compare/{id}/points.json", s.handle(s.sweepJSON))
	r.Get("/compare/{id}/{chart:time|bandwidth}.png", s.handle(s.sweepPixels))
	r.Group(func(r chi.Router) {
		r.Use(s.requireActor(account.Presenter))
		r.Post("/compare", s.handle(s.startSweep))
		r.Post("/compare/{id}/stop", s.handle(s.stopSweep))
	})
}

// listSweeps shows the form, filled with what came along, and what is saved.
func (s *server) listSweeps(w http.ResponseWriter, r *http.Request) error {
	request := present.ReadSweepRequest(r.URL.Query()).Prefilled(s.LocalRanks)
	return s.askSweep(w, r, http.StatusOK, present.SweepDraft{Request: request})
}

func (s *server) askSweep(w http.ResponseWriter, r *http.Request, status int, draft present.SweepDraft) error {
	draft.LocalRanks, draft.Offers, draft.Current = s.LocalRanks, s.offers(r.Context()), s.Sweeper.Current()
	var err error
	if draft.Saved, err = s.Sweeps.Recent(r.Context(), sweepsOnPage); err != nil {
		return err
	}
	s.render(w, r, status, views.SweepsPage(present.Sweeps(s.runFrame(w, r), draft)))
	return nil
}

// startSweep takes the form and goes on to the page of the comparison.
func (s *server) startSweep(w http.ResponseWriter, r *http.Request) error {
	if err := parseForm(r); err != nil {
		return err
	}
	draft := present.SweepDraft{Request: present.ReadSweepRequest(r.PostForm)}
	request, wrong := draft.Request.Request(s.LocalRanks)
	if len(wrong) > 0 {
		draft.Wrong, draft.Whole = wrong, "run.check"
		return s.askSweep(w, r, http.StatusUnprocessableEntity, draft)
	}
	c, err := s.Sweeper.Start(r.Context(), request)
	if field, refused, ok := present.Refused(err); ok {
		draft.Wrong, draft.Whole = map[string]present.WrongField{field: refused}, "run.check"
		return s.askSweep(w, r, http.StatusUnprocessableEntity, draft)
	}
	switch {
	case errors.Is(err, sweep.ErrBusy):
		draft.Whole = "sweep.busy"
		return s.askSweep(w, r, http.StatusConflict, draft)
	case errors.Is(err, engine.ErrStopped):
		draft.Whole = "run.closing"
		return s.askSweep(w, r, http.StatusServiceUnavailable, draft)
	case err != nil:
		return err
	}
	http.Redirect(w, r, s.runFrame(w, r).SweepURL(c.ID), http.StatusSeeOther)
	return nil
}

// compared looks a comparison up: the one under way, else among the saved.
func (s *server) compared(r *http.Request) (c sweep.Comparison, under bool, err error) {
	id := chi.URLParam(r, "id")
	if c, _, under = s.Sweeper.Watch(id); under {
		return c, true, nil
	}
	c, err = s.Sweeps.Find(r.Context(), id)
	if err == nil && c.State == sweep.Running {
		// It may have begun between the two looks, or another process has it.
		if now, _, begun := s.Sweeper.Watch(c.ID); begun {
			return now, true, nil
		}
	}
	return c, false, err
}

func (s *server) showSweep(w http.ResponseWriter, r *http.Request) error {
	c, under, err := s.compared(r)
	if err != nil {
		return err
	}
	w.Header().Set("Cache-Control", "no-store") // going back shows how it stands now
	s.render(w, r, http.StatusOK, views.SweepPage(present.SweepPage(s.runFrame(w, r), c, under)))
	return nil
}

// stopSweep ends a comparison early and goes back to its page.
func (s *server) stopSweep(w http.ResponseWriter, r *http.Request) error {
	id := chi.URLParam(r, "id")
	_, changed, under := s.Sweeper.Watch(id)
	if under { // the page then shows what it came to
		s.Sweeper.Stop(r.Context(), id)
		select {
		case <-changed:
		case <-time.After(time.Second):
		case <-r.Context().Done():
		}
	}
	http.Redirect(w, r, s.runFrame(w, r).SweepURL(id), http.StatusSeeOther)
	return nil
}

// followSweep answers when what a page shows has changed, or when patience is
// at its end.
func (s *server) followSweep(w http.ResponseWriter, r *http.Request) error {
	w.Header().Set("Cache-Control", "no-store")
	ctx, release := whileServing(r.Context())
	defer release()
	ctx, leave := s.gate.While(ctx) // the next request is then told to log in
	defer leave()
	patience := time.NewTimer(nodesPatience)
	defer patience.Stop()
	for {
		_, changed, under := s.Sweeper.Watch(chi.URLParam(r, "id"))
		c, _, err := s.compared(r)
		if err != nil {
			return err
		}
		if seq := present.SweepSeq(c); seq != r.URL.Query().Get("since") || !under {
			return plain(w, http.StatusOK, seq)
		}
		select {
		case <-changed:
		case <-patience.C:
			w.WriteHeader(http.StatusNoContent)
			return nil
		case <-ctx.Done():
			w.WriteHeader(http.StatusNoContent)
			return nil
		}
	}
}

func (s *server) sweepCSV(w http.ResponseWriter, r *http.Request) error {
	c, _, err := s.compared(r)
	if err != nil {
		return err
	}
	var text strings.Builder
	if err := c.Document().WriteCSV(&text); err != nil {
		return fmt.Errorf("write comparison: %w", err)
	}
	return s.sendSweep(w, c, "csv", "text/csv; charset=utf-8", text.String())
}

func (s *server) sweepJSON(w http.ResponseWriter, r *http.Request) error {
	c, _, err := s.compared(r)
	if err != nil {
		return err
	}
	text, err := json.MarshalIndent(c.Document(), "", "  ")
	if err != nil {
		return fmt.Errorf("write comparison: %w", err)
	}
	return s.sendSweep(w, c, "json", "application/json", string(text)+"\n")
}

func (s *server) sendSweep(w http.ResponseWriter, c sweep.Comparison, format, kind, text string) error {
	header := w.Header()
	header.Set("Content-Type", kind)
	header.Set("Content-Disposition", `attachment; filename="compare-`+c.ID+`.`+format+`"`)
	header.Set("Cache-Control", "private, no-cache")
	_, _ = w.Write([]byte(text)) // an error means that the visitor has left
	return nil
}

// sweepPixels is a chart of a comparison as a PNG.
func (s *server) sweepPixels(w http.ResponseWriter, r *http.Request) error {
	c, _, err := s.compared(r)
	if err != nil {
		return err
	}
	style := s.pictures.of(r).charts
	drawing, there := present.SweepPicture(s.runFrame(w, r), c, chi.URLParam(r, "chart"), ownOrigin(r), style)
	if !there {
		return errNotFound
	}
	scale := present.PictureScale(r.URL.Query())
	file, err := s.press.print(printKey(fmt.Sprintf("png %d", scale), drawing.SVG), func(p *raster.Painter, to *bytes.Buffer) error {
		return paint(p, to, drawing, scale)
	})
	if err != nil {
		return err
	}
	sendFile(w, "image/png", nothingElse, drawing.Name+".png", file)
	return nil
}
