package web

import (
	"context"
	"errors"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"lockstep/cluster/inventory"
	"lockstep/web/account"
)

// LinkList is the document of GET links.
type LinkList struct {
	Version int              `json:"version"`
	Links   []inventory.Link `json:"links"`
	Probing bool             `json:"probing"`
}

func (a *api) linkOperations() {
	add(a, account.Viewer, huma.Operation{
		OperationID: "list-links", Method: http.MethodGet, Path: "/links", Tags: []string{"nodes"}, Summary: "The ways between nodes",
		Description: "What the newest probe of each ordered pair of nodes found: latency is half a round trip, the rate that of one long transfer. " +
			"slow says that a pair is much slower than its peers; a fault stands in the place of figures.",
	}, a.listedLinks)
	add(a, account.Admin, huma.Operation{
		OperationID: "probe-links", Method: http.MethodPost, Path: "/links/probe", Tags: []string{"nodes"}, Summary: "Measure the ways between all nodes",
		Description:   "Begins to measure between all pairs of nodes that are ready and idle, and answers at once; GET links says when it is over.",
		DefaultStatus: http.StatusAccepted, Errors: []int{http.StatusConflict},
	}, a.probedLinks)
}

type linkListOutput struct{ Body LinkList }

func (a *api) listedLinks(context.Context, *struct{}) (*linkListOutput, error) {
	return &linkListOutput{a.ways()}, nil
}

// ways returns what is known of the links, nothing where there is no cluster.
func (s *server) ways() LinkList {
	list := LinkList{Version: 1, Links: []inventory.Link{}}
	if s.Nodes == nil {
		return list
	}
	if known := s.Nodes.Links(); known != nil {
		list.Links = known
	}
	_, list.Probing = s.Nodes.Probing()
	return list
}

func (a *api) probedLinks(ctx context.Context, _ *struct{}) (*linkListOutput, error) {
	err := inventory.ErrNoPair
	if a.Keeper != nil {
		err = a.Keeper.Probe(context.WithoutCancel(ctx))
	}
	if errors.Is(err, inventory.ErrNoPair) {
		return nil, &Problem{Status: http.StatusConflict, title: "error.not-now", Detail: "there are no two nodes to measure between: fewer than two are ready and idle"}
	}
	if err != nil {
		return nil, err
	}
	return &linkListOutput{a.ways()}, nil
}
