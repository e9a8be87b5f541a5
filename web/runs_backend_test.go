package web

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"lockstep/engine/trace"
)

// offering is a machine with these back ends.
type offering []trace.Offer

func (o offering) Offers(context.Context) []trace.Offer { return o }

func withMPI() offering {
	return offering{{Backend: trace.Host}, {Backend: trace.MPI, Library: &trace.Library{Name: "MPICH", Version: "4.0.2"}}}
}

func withoutMPI() offering {
	return offering{{Backend: trace.Host}, {Backend: trace.MPI, Missing: trace.NoLauncher, Reason: "there is no mpirun on the path"}}
}

func byMPI(change ...string) url.Values {
	return asked(append([]string{"backend", "mpi", "pair", "all-reduce/library", "pace", "none", "slices", ""}, change...)...)
}

func TestMPIRunFromForm(t *testing.T) {
	c, _, fleet, kept := withRuns(t, func(config *Config) { config.Backends = withMPI() })
	session := c.enter(t)
	text := body(t, c.get("/en/runs/new?backend=mpi", session))
	for _, want := range []string{`id="backend-mpi" value="mpi" checked`, "MPI (MPICH 4.0.2)", `value="all-reduce/library" selected`, "No time is predicted: this is the library&#39;s own call"} {
		if !strings.Contains(text, want) {
			t.Errorf("the form lacks %s", want)
		}
	}
	for field, w := range map[string]struct{ value, says string }{
		"dtype":  {"bfloat16", "no bfloat16"},
		"op":     {"avg", "has no avg"},
		"pace":   {"step", "cannot be slowed down"},
		"chunks": {"3", "cuts its own call as it likes"},
	} {
		answer := c.post("/en/runs", byMPI(field, w.value, "size", "128kB"), session)
		wantStatus(t, field, answer, http.StatusUnprocessableEntity)
		text := body(t, answer)
		for _, want := range []string{w.says, `value="128kB"`, `id="backend-mpi" value="mpi" checked`, `value="all-reduce/library" selected`} {
			if !strings.Contains(text, want) {
				t.Errorf("%s: the form lacks %s", field, want)
			}
		}
	}
	answer := c.post("/en/runs", byMPI("backend", "host"), session)
	wantStatus(t, "library by host", answer, http.StatusUnprocessableEntity)
	if text := body(t, answer); !strings.Contains(text, "needs MPI to move the bytes") || !strings.Contains(text, ">Use MPI</a>") {
		t.Error("the form does not offer MPI to MPI's own call")
	}
	if len(kept.runs) != 0 {
		t.Errorf("%d runs were started", len(kept.runs))
	}
	wantRedirect(t, "start", c.post("/en/runs", byMPI(), session), http.StatusSeeOther, "/en/runs/0001")
	<-fleet.entered
	if run := kept.runs[0]; run.Backend != trace.MPI || run.Algorithm != "library" || run.Link != trace.Own {
		t.Errorf("%+v", run)
	}
	close(fleet.let)
}

// Where there is no MPI the form says why, keeps what was typed, and starts
// nothing; so does the API.
func TestMPIThatIsMissing(t *testing.T) {
	c, _, _, kept := withRuns(t, func(config *Config) { config.Backends = withoutMPI() })
	session := c.enter(t)
	text := body(t, c.get("/en/runs/new", session))
	for _, want := range []string{`id="backend-mpi" value="mpi" disabled`, "there is no mpirun on the path"} {
		if !strings.Contains(text, want) {
			t.Errorf("the form lacks %s", want)
		}
	}
	if strings.Contains(text, `value="all-reduce/library"`) {
		t.Error("MPI's own call is offered")
	}
	if text := body(t, c.get("/zh/runs/new?backend=mpi&algorithm=library", session)); !strings.Contains(text, "改成由 Lockstep 自己搬。") || !strings.Contains(text, `value="all-reduce/ring" selected`) {
		t.Error("a link to MPI does not lead to what there is")
	}
	answer := c.post("/en/runs", byMPI("size", "128kB"), session)
	wantStatus(t, "start", answer, http.StatusUnprocessableEntity)
	text = body(t, answer)
	for _, want := range []string{`id="backend-wrong"`, `value="128kB"`, `id="backend-mpi" value="mpi" checked`, `value="all-reduce/library" selected`} {
		if !strings.Contains(text, want) {
			t.Errorf("the form lacks %s", want)
		}
	}
	answer = c.do(http.MethodPost, "/api/v1/runs", session, header("Content-Type", "application/json"), func(r *http.Request) {
		r.Body = io.NopCloser(strings.NewReader(`{"collective":"all-reduce","backend":"mpi","ranks":2,"size_bytes":1024}`))
	})
	wantStatus(t, "API", answer, http.StatusUnprocessableEntity)
	var problem Problem
	if err := json.Unmarshal([]byte(body(t, answer)), &problem); err != nil {
		t.Fatal(err)
	}
	if len(problem.Errors) != 1 || problem.Errors[0].Pointer != "/backend" || !strings.Contains(problem.Errors[0].Message, "no mpirun on the path; accepted: host") {
		t.Errorf("%+v", problem)
	}
	if len(kept.runs) != 0 {
		t.Errorf("%d runs were started", len(kept.runs))
	}
}
