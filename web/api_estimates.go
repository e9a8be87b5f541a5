package web

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"lockstep/sizing/plan"
	"lockstep/sizing/trained"
	"lockstep/web/account"
)

// estimateOperations are about training steps.
func (a *api) estimateOperations() {
	add(a, account.Viewer, huma.Operation{
		OperationID: "estimate", Method: http.MethodPost, Path: "/estimates", Tags: []string{"models"}, Summary: "Price a training step",
		Description: "What a step of a model takes on a cluster, and what of it is communication: the document of console size --json. Own entries of the catalogue count. Nothing is kept.",
	}, a.estimated)
}

type estimatedInput struct{ Body plan.Request }

type estimatedOutput struct{ Body plan.Estimate }

func (a *api) estimated(ctx context.Context, in *estimatedInput) (*estimatedOutput, error) {
	known, err := a.catalog(ctx)
	if err != nil {
		return nil, err
	}
	ask, err := in.Body.Ask(known, nil)
	if err != nil {
		return nil, err
	}
	model, err := trained.Embedded()
	if err != nil {
		return nil, err
	}
	estimate, err := ask.Estimate(model)
	if err != nil {
		return nil, err
	}
	return &estimatedOutput{estimate}, nil
}
