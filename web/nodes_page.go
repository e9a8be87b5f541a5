package web

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/go-chi/chi/v5"

	"lockstep/cluster/inventory"
	"lockstep/engine/trace"
	"lockstep/views"
	"lockstep/web/account"
	"lockstep/web/present"
)

// nodeRoutes are the addresses of the page of the nodes.
func (s *server) nodeRoutes(r chi.Router) {
	r.Route("/{lang:zh|en}/nodes", func(r chi.Router) {
		r.Use(s.requireActor(account.Viewer))
		r.Get("/", s.handle(s.listNodes))
		r.Get("/changes", s.handle(s.followNodes))
		r.Group(func(r chi.Router) {
			r.Use(s.requireActor(account.Admin))
			r.Post("/invite", s.handle(s.inviteNode))
			r.Post("/probe", s.handle(s.probeNodes))
			r.Get("/{name}/{change:revoke|forget}", s.handle(s.askNode))
			r.Post("/{name}/{change:drain|resume|revoke|forget}", s.handle(s.changeNode))
		})
	})
}

// nodesFrame is the frame of a page about nodes.
func (s *server) nodesFrame(w http.ResponseWriter, r *http.Request) present.Frame {
	f := s.frame(w, r)
	f.Section = "nodes"
	return f
}

// cluster returns the machines as they stand.
func (s *server) cluster(ctx context.Context) (present.Cluster, error) {
	c := present.Cluster{Machine: s.Machine, LocalRanks: s.LocalRanks, Now: s.Now()}
	var err error
	if s.Nodes != nil {
		c.Listening, c.Members, c.Links = true, s.Nodes.List(), s.Nodes.Links()
		if probing, under := s.Nodes.Probing(); under {
			c.Probing = &probing
		}
	}
	if s.Archive != nil {
		// One run at a time is carried out, and the newest wait behind it.
		var runs []trace.Run
		runs, err = s.Archive.Before(ctx, "", runsOnPage)
		if err != nil {
			return c, fmt.Errorf("look for runs under way: %w", err)
		}
		c.Running = slices.DeleteFunc(runs, func(r trace.Run) bool { return r.Outcome != trace.Running })
	}
	c.Seq, err = nodesSeq(c)
	return c, err
}

// nodesSeq names what a page shows of the machines. When connected nodes were
// last heard is none of that.
func nodesSeq(c present.Cluster) (string, error) {
	members := slices.Clone(c.Members)
	for i, m := range members {
		if m.Standing == inventory.Ready || m.Standing == inventory.Draining {
			members[i].Seen = time.Time{}
		}
	}
	running := map[string][]string{}
	for _, r := range c.Running {
		running[r.ID] = r.NodeNames
	}
	text, err := json.Marshal([]any{members, c.Links, c.Probing, running})
	if err != nil {
		return "", fmt.Errorf("name the state of the nodes: %w", err)
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:8]), nil
}

// showNodes shows the page, after a change that could not be made with what
// was wrong.
func (s *server) showNodes(w http.ResponseWriter, r *http.Request, status int, wrong error) error {
	c, err := s.cluster(r.Context())
	if err != nil {
		return err
	}
	c.Wrong = wrong
	w.Header().Set("Cache-Control", "no-store") // going back shows how they stand now
	s.render(w, r, status, views.NodesPage(present.Nodes(s.nodesFrame(w, r), c)))
	return nil
}

func (s *server) listNodes(w http.ResponseWriter, r *http.Request) error {
	return s.showNodes(w, r, http.StatusOK, nil)
}

// How long followNodes waits for a change, and how often it looks for those
// that nobody tells of, which are runs that begin and end.
const (
	nodesPatience = 20 * time.Second
	nodesLook     = time.Second
)

// followNodes answers when the page that a script has no longer shows how the
// nodes stand: 200, or 204 when that was not so for a while.
func (s *server) followNodes(w http.ResponseWriter, r *http.Request) error {
	if s.Nodes == nil {
		return errNotFound
	}
	w.Header().Set("Cache-Control", "no-store")
	ctx, release := whileServing(r.Context())
	defer release()
	ctx, leave := s.gate.While(ctx) // the next request is then told to log in
	defer leave()
	patience := time.NewTimer(nodesPatience)
	defer patience.Stop()
	look := time.NewTicker(nodesLook)
	defer look.Stop()
	for {
		changed := s.Nodes.Changed() // before looking, so that nothing falls in between
		c, err := s.cluster(r.Context())
		if err != nil {
			return err
		}
		if c.Seq != r.URL.Query().Get("since") {
			return plain(w, http.StatusOK, c.Seq)
		}
		select {
		case <-changed:
		case <-look.C:
		case <-patience.C:
			w.WriteHeader(http.StatusNoContent)
			return nil
		case <-ctx.Done():
			w.WriteHeader(http.StatusNoContent)
			return nil
		}
	}
}
