package web

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"lockstep/engine/schedule"
	"lockstep/sizing/diagnose"
	"lockstep/web/account"
	"lockstep/web/present"
)

// ImportRequest is the body of POST imports: logs, and the long flags of
// `console import`.
type ImportRequest struct {
	Files       []ImportFile        `json:"files" minItems:"1" maxItems:"8"`
	System      string              `json:"system,omitempty" maxLength:"200"`
	Accelerator string              `json:"accelerator,omitempty" maxLength:"200"`
	Network     string              `json:"network,omitempty" maxLength:"200"`
	Collective  schedule.Collective `json:"collective,omitempty"`
	Ranks       int                 `json:"ranks,omitempty"`
	Nodes       int                 `json:"nodes,omitempty"`
}

// ImportFile is a log.
type ImportFile struct {
	Name string `json:"name" maxLength:"200"`
	Text string `json:"text"`
}

// importOperations are about logs of benchmarks.
func (a *api) importOperations() {
	add(a, account.Viewer, huma.Operation{
		OperationID: "import-logs", Method: http.MethodPost, Path: "/imports", Tags: []string{"models"}, Summary: "Diagnose logs of benchmarks",
		Description: "Reads the output of nccl-tests, rccl-tests, OSU and hccl_test and says what it shows: the document of console import --json. Nothing is kept. A log holds at most 1 MiB.",
	}, a.imported)
}

type importedInput struct{ Body ImportRequest }

type importedOutput struct{ Body diagnose.Report }

func (a *api) imported(ctx context.Context, in *importedInput) (*importedOutput, error) {
	doctor, err := a.doctor(ctx)
	if err != nil {
		return nil, err
	}
	q := in.Body
	says := diagnose.Statement{System: q.System, Accelerator: q.Accelerator, Network: q.Network, Collective: q.Collective, Ranks: q.Ranks, Nodes: q.Nodes}
	report := diagnose.Report{Version: 1, Files: []diagnose.File{}}
	var unusable []WrongInput
	for i, file := range q.Files {
		if len(file.Text) > present.MaxLog {
			unusable = append(unusable, WrongInput{Pointer: fmt.Sprintf("/files/%d/text", i), Message: fmt.Sprintf("%d bytes; accepted: at most %d", len(file.Text), present.MaxLog)})
			continue
		}
		tables, err := doctor.Read(logName(file.Name), []byte(file.Text), says)
		stated, none := new(diagnose.WrongError), new(diagnose.NoTableError)
		switch {
		case errors.As(err, &stated):
			return nil, wrong(WrongInput{Pointer: "/" + stated.Field, Message: stated.Message})
		case errors.As(err, &none):
			unusable = append(unusable, WrongInput{Pointer: fmt.Sprintf("/files/%d/text", i), Message: none.Error()})
		case err != nil:
			return nil, err
		}
		report.Files = append(report.Files, tables...)
	}
	if len(unusable) > 0 {
		return nil, wrong(unusable...)
	}
	return &importedOutput{report}, nil
}
