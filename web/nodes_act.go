package web

import (
	"context"
	"errors"
	"net/http"
	"net/url"

	"github.com/go-chi/chi/v5"

	"lockstep/cluster/inventory"
	"lockstep/views"
	"lockstep/web/present"
)

// backToNodes leads to the page after a change.
func (s *server) backToNodes(w http.ResponseWriter, r *http.Request) {
	http.Redirect(w, r, "/"+s.language(w, r).Lang()+"/nodes", http.StatusSeeOther)
}

// inviteNode makes a join token and shows it this once.
func (s *server) inviteNode(w http.ResponseWriter, r *http.Request) error {
	if s.Inviter == nil {
		return errNotFound
	}
	invitation, err := s.Inviter.Invite(r.Context())
	if err != nil {
		return err
	}
	w.Header().Set("Cache-Control", "no-store")
	s.render(w, r, http.StatusOK, views.NodeInvitePage(present.Invite(s.nodesFrame(w, r), invitation)))
	return nil
}

// probeNodes begins to measure between all pairs of nodes.
func (s *server) probeNodes(w http.ResponseWriter, r *http.Request) error {
	if s.Keeper == nil {
		return errNotFound
	}
	// It goes on when the visitor leaves.
	if err := s.Keeper.Probe(context.WithoutCancel(r.Context())); err != nil {
		return s.showNodes(w, r, http.StatusConflict, err)
	}
	s.backToNodes(w, r)
	return nil
}

// nodeName is the name of a node in the address, which chi leaves escaped
// where it was.
func nodeName(r *http.Request) string {
	name := chi.URLParam(r, "name")
	if plain, err := url.PathUnescape(name); err == nil && r.URL.RawPath != "" {
		return plain
	}
	return name
}

// askNode asks before a node is revoked or forgotten.
func (s *server) askNode(w http.ResponseWriter, r *http.Request) error {
	if s.Nodes == nil {
		return errNotFound
	}
	c, err := s.cluster(r.Context())
	if err != nil {
		return err
	}
	question, known := present.NodeQuestion(s.nodesFrame(w, r), c, nodeName(r), inventory.Change(chi.URLParam(r, "change")))
	if !known {
		return s.showNodes(w, r, http.StatusNotFound, inventory.ErrNoNode)
	}
	w.Header().Set("Cache-Control", "no-store")
	s.render(w, r, http.StatusOK, views.NodeQuestionPage(question))
	return nil
}

// changeNode does what an admin asks about a node and goes back to the page,
// which says how it stands.
func (s *server) changeNode(w http.ResponseWriter, r *http.Request) error {
	if s.Keeper == nil {
		return errNotFound
	}
	ctx, name := context.WithoutCancel(r.Context()), nodeName(r)
	var err error
	switch inventory.Change(chi.URLParam(r, "change")) {
	case inventory.Drain:
		err = s.Keeper.Drain(ctx, name, true)
	case inventory.Resume:
		err = s.Keeper.Drain(ctx, name, false)
	case inventory.Revoke:
		err = s.Keeper.Revoke(ctx, name)
	case inventory.Forget:
		err = s.Keeper.Forget(ctx, name)
	default:
		err = errNotFound
	}
	switch {
	case errors.Is(err, inventory.ErrNoNode):
		return s.showNodes(w, r, http.StatusNotFound, err)
	case errors.Is(err, inventory.ErrNodeInUse):
		return s.showNodes(w, r, http.StatusConflict, err)
	case err != nil:
		return err
	}
	s.backToNodes(w, r)
	return nil
}
