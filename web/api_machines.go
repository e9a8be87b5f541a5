package web

import (
	"context"
	"errors"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	evidence "lockstep/sizing/measured"
	"lockstep/web/account"
)

// MachineList is the document of GET machines.
type MachineList struct {
	Version  int             `json:"version"`
	Machines []evidence.Kept `json:"machines"`
}

// MachineDocument is a machine with what its logs change: the document of
// console calibrate --name N FILE… --json.
type MachineDocument struct {
	Version  int                 `json:"version"`
	Machine  evidence.Kept       `json:"machine"`
	Compared []evidence.Compared `json:"compared"`
}

// machineOperations are about machines of which logs are kept.
func (a *api) machineOperations() {
	add(a, account.Viewer, huma.Operation{
		OperationID: "list-machines", Method: http.MethodGet, Path: "/machines", Tags: []string{"models"}, Summary: "Machines of which logs are kept",
		Description: "Every machine of which logs are kept, by name, with its rows: the kept logs of console calibrate list --json.",
	}, a.listedMachines)
	add(a, account.Viewer, huma.Operation{
		OperationID: "show-machine", Method: http.MethodGet, Path: "/machines/{name}", Tags: []string{"models"}, Summary: "A machine of which logs are kept",
		Description: "A machine's kept logs, and each row beside its prediction without the logs and from the other rows alone.",
		Errors:      []int{http.StatusNotFound},
	}, a.shownMachine)
	add(a, account.Presenter, huma.Operation{
		OperationID: "remove-machine", Method: http.MethodDelete, Path: "/machines/{name}", Tags: []string{"models"}, Summary: "Forget the logs of a machine",
		Description: "Forgets a machine's logs for good and answers with the machines that remain. Reports that rest on them keep their figures.",
		Errors:      []int{http.StatusNotFound},
	}, a.removedMachine)
}

type machineListOutput struct{ Body MachineList }

func (a *api) listedMachines(ctx context.Context, _ *struct{}) (*machineListOutput, error) {
	all, err := a.keptMachines(ctx)
	return &machineListOutput{MachineList{1, all}}, err
}

// keptMachines returns the machines by name, none where no logs are kept.
func (s *server) keptMachines(ctx context.Context) ([]evidence.Kept, error) {
	if s.Machines == nil {
		return []evidence.Kept{}, nil
	}
	all, err := s.Machines.List(ctx)
	return append([]evidence.Kept{}, all...), err
}

type machineInput struct {
	Name string `path:"name" maxLength:"60" doc:"The name that the logs are kept under."`
}

type machineOutput struct{ Body MachineDocument }

func (a *api) shownMachine(ctx context.Context, in *machineInput) (*machineOutput, error) {
	all, err := a.keptMachines(ctx)
	if err != nil {
		return nil, err
	}
	for _, k := range all {
		if k.Name != in.Name {
			continue
		}
		compared, err := a.sizes.Library.Compare(k)
		if err != nil && !errors.Is(err, evidence.ErrTooFew) {
			return nil, err
		}
		return &machineOutput{MachineDocument{1, k, append([]evidence.Compared{}, compared...)}}, nil
	}
	return nil, evidence.ErrNoMachine
}

func (a *api) removedMachine(ctx context.Context, in *machineInput) (*machineListOutput, error) {
	if err := a.forgetMachine(ctx, in.Name); err != nil {
		return nil, err
	}
	return a.listedMachines(ctx, nil)
}
