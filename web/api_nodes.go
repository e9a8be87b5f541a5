package web

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"lockstep/cluster/inventory"
	"lockstep/web/account"
)

// NodeList is the document of GET nodes.
type NodeList struct {
	Version int                `json:"version"`
	Nodes   []inventory.Member `json:"nodes"`
}

func (a *api) nodeOperations() {
	add(a, account.Viewer, huma.Operation{
		OperationID: "list-nodes", Method: http.MethodGet, Path: "/nodes", Tags: []string{"nodes"}, Summary: "The nodes of the cluster",
		Description: "Every node that has joined this console, by name, and how it stands. The console's own machine is not one of them.",
	}, a.listedNodes)
}

type nodeListOutput struct{ Body NodeList }

func (a *api) listedNodes(context.Context, *struct{}) (*nodeListOutput, error) {
	return &nodeListOutput{NodeList{Version: 1, Nodes: a.joined()}}, nil
}

// joined returns the members, none where there is no cluster.
func (s *server) joined() []inventory.Member {
	if s.Nodes == nil {
		return []inventory.Member{}
	}
	if list := s.Nodes.List(); list != nil {
		return list
	}
	return []inventory.Member{}
}
