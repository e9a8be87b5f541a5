package web

import (
	"context"
	"math"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"lockstep/engine/schedule"
	"lockstep/engine/unit"
	"lockstep/sizing/cost"
)

// PredictionRequest is the body of POST predictions: the long flags of
// `console predict`.
type PredictionRequest struct {
	Collective schedule.Collective `json:"collective"`
	Algorithm  string              `json:"algorithm,omitempty"`
	Ranks      int                 `json:"ranks"`
	Size       unit.Bytes          `json:"size_bytes"`
	PerNode    int                 `json:"ranks_per_node,omitempty"`
	Chunks     int                 `json:"chunks,omitempty"`
	Bandwidth  float64             `json:"bandwidth_bytes_per_s"`
	Latency    float64             `json:"latency_s"`
}

// scheduleOperations are what is open to everyone who reaches the console.
func (a *api) scheduleOperations() {
	add(a, everyone, huma.Operation{
		OperationID: "list-schedules", Method: http.MethodGet, Path: "/schedules", Tags: []string{"models"}, Summary: "The catalogue of algorithms",
		Description: "Every collective and algorithm with its limits and closed forms: the document of console schedule list --json.",
	}, a.catalogue)
	add(a, everyone, huma.Operation{
		OperationID: "predict", Method: http.MethodPost, Path: "/predictions", Tags: []string{"models"}, Summary: "Price a collective",
		Description: "What a collective costs on a flat network of one latency and one bandwidth: the document of console predict --json.",
	}, a.predicted)
}

type catalogueOutput struct{ Body schedule.Listing }

func (a *api) catalogue(context.Context, *struct{}) (*catalogueOutput, error) {
	return &catalogueOutput{schedule.List()}, nil
}

type predictedInput struct{ Body PredictionRequest }

type predictedOutput struct{ Body cost.Prediction }

func (a *api) predicted(_ context.Context, in *predictedInput) (*predictedOutput, error) {
	q := in.Body
	if q.Algorithm == "" {
		q.Algorithm = cost.Auto
	}
	prediction, err := cost.Question{
		Collective: q.Collective, Ranks: q.Ranks, Size: q.Size, RanksPerNode: q.PerNode, Chunks: q.Chunks,
		Network: cost.Network{Latency: time.Duration(math.Round(q.Latency * 1e9)), Bandwidth: unit.Rate(q.Bandwidth)},
	}.Predict(q.Algorithm)
	if err != nil {
		return nil, err
	}
	return &predictedOutput{prediction}, nil
}
