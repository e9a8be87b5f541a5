package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"encoding/pem"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"lockstep/engine"
	"lockstep/engine/schedule"
	"lockstep/engine/trace"
	"lockstep/store"
	"lockstep/web"
	"lockstep/web/account"
)

// distant is a console on a gated engine, behind TLS, with flags that reach it.
func distant(t *testing.T, e *engine.Engine, db *store.Store) remoteFlags {
	t.Helper()
	text, token, err := account.NewToken(account.TokenRequest{Kind: account.APIToken, Role: account.Presenter, By: "test"}, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	if err := db.Tokens().Add(t.Context(), token); err != nil {
		t.Fatal(err)
	}
	var handler http.Handler
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { handler.ServeHTTP(w, r) }))
	server.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelError)
	server.StartTLS()
	t.Cleanup(server.Close)
	handler, err = web.New(web.Config{
		Hosts: []string{server.Listener.Addr().String()}, Keys: db.Keys(), Sessions: db.Sessions(time.Now), Access: web.Access{Tokens: db.Tokens()},
		Live: e, Saved: db.Runs(), Archive: db.Runs(), Runs: db.Runs(), Runner: e, Reports: db.Reports(), Ready: db.Ready,
		Now: time.Now, Log: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	f := remoteFlags{Console: server.URL, Token: filepath.Join(dir, "token"), CAFile: filepath.Join(dir, "ca.pem")}
	for file, content := range map[string][]byte{
		f.Token:  []byte(text + "\n"),
		f.CAFile: pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw}),
	} {
		if err := os.WriteFile(file, content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return f
}

// ringRequest asks for the run of submitRing.
func ringRequest(t *testing.T) web.RunRequest {
	t.Helper()
	q, err := web.NewRunRequest(trace.Spec{Collective: schedule.AllReduce, Algorithm: "ring", Ranks: 4, Size: 1 << 20, Iterations: 2, Pace: trace.Pace{Rate: 1e9}})
	if err != nil {
		t.Fatal(err)
	}
	return q
}

func TestARunOnAConsoleIsFollowed(t *testing.T) {
	withGateOn(t, func(ctx context.Context, e *engine.Engine, db *store.Store, gate chan<- struct{}) {
		console, err := distant(t, e, db).open()
		if err != nil {
			t.Fatal(err)
		}
		defer console.close()
		var run trace.Run
		if err := console.ask(ctx, http.MethodPost, "/runs", ringRequest(t), &run); err != nil {
			t.Fatal(err)
		}
		go func() {
			for range 2 {
				select {
				case gate <- struct{}{}:
				case <-ctx.Done():
				}
			}
		}()
		var shown bytes.Buffer
		run, err = console.follow(ctx, run, newProgressLine(&shown))
		if err != nil || run.Outcome != trace.Done || !run.Verified || len(run.Iterated) != 2 {
			t.Errorf("%v: %+v", err, run)
		}
	})
}

func TestAnInterruptedCommandCancelsTheRunOnTheConsole(t *testing.T) {
	withGateOn(t, func(ctx context.Context, e *engine.Engine, db *store.Store, _ chan<- struct{}) {
		console, err := distant(t, e, db).open()
		if err != nil {
			t.Fatal(err)
		}
		defer console.close()
		var run trace.Run
		if err := console.ask(ctx, http.MethodPost, "/runs", ringRequest(t), &run); err != nil {
			t.Fatal(err)
		}
		interrupted, interrupt := context.WithCancel(ctx)
		interrupt()
		run, err = console.follow(interrupted, run, newProgressLine(new(bytes.Buffer)))
		if err != nil || run.Outcome != trace.Cancelled {
			t.Errorf("%v: %s", err, run.Outcome)
		}
	})
}

func TestWhomAConsoleIsBelievedToBe(t *testing.T) {
	withGateOn(t, func(ctx context.Context, e *engine.Engine, db *store.Store, _ chan<- struct{}) {
		good := distant(t, e, db)
		content, err := os.ReadFile(good.CAFile)
		if err != nil {
			t.Fatal(err)
		}
		block, _ := pem.Decode(content)
		sum := sha256.Sum256(block.Bytes)
		pin := hex.EncodeToString(sum[:])
		var colons []string
		for i := 0; i < len(pin); i += 2 {
			colons = append(colons, strings.ToUpper(pin[i:i+2]))
		}
		other := strings.Repeat("0", len(pin))
		for name, test := range map[string]struct {
			pin, ca  string
			believed bool
		}{
			"its own authority":       {"", good.CAFile, true},
			"its fingerprint":         {pin, "", true},
			"as openssl prints it":    {"SHA256:" + strings.Join(colons, ":"), "", true},
			"another fingerprint":     {other, "", false},
			"nothing":                 {"", "", false},
			"authority and other pin": {other, good.CAFile, false},
		} {
			f := good
			f.Pin, f.CAFile = test.pin, test.ca
			console, err := f.open()
			if err != nil {
				t.Fatal(err)
			}
			var list web.RunList
			err = console.ask(ctx, http.MethodGet, "/runs", nil, &list)
			console.close()
			var refused doubted
			if believed := err == nil; believed != test.believed || !believed && !errors.As(err, &refused) {
				t.Errorf("%s: %v", name, err)
			}
		}
	})
}

func TestRanksAreSpreadOverReadyNodes(t *testing.T) {
	for _, test := range []struct{ ranks, perNode, ready, want int }{
		{4, 0, 0, 0}, {4, 0, 1, 1}, {4, 0, 2, 2}, {4, 0, 9, 4}, {5, 0, 4, 3}, {1, 0, 3, 1}, {7, 0, 3, 3},
		{8, 4, 3, 2}, {8, 2, 3, 3}, {3, 8, 2, 1},
	} {
		got := spread(test.ranks, test.perNode, test.ready)
		if got != test.want {
			t.Errorf("%d ranks, %d to a node, on %d ready nodes: %d; want %d", test.ranks, test.perNode, test.ready, got, test.want)
		}
		if test.perNode > 0 || got < 2 {
			continue
		}
		names := []string{"a", "b", "c", "d", "e", "f", "g", "h", "i"}[:got]
		if _, err := (trace.Spec{Collective: schedule.AllReduce, Ranks: test.ranks, Size: 1024, Nodes: names}).Resolve(); err != nil {
			t.Errorf("%d ranks on %d nodes: %v", test.ranks, got, err)
		}
	}
}

// A message with rows of ranks that are ahead is counted when all have come so
// far.
func TestProgressOfARunElsewhere(t *testing.T) {
	spec, err := trace.Spec{Collective: schedule.AllReduce, Algorithm: "ring", Ranks: 2, Size: 1 << 10, Iterations: 2, Slices: 2, Pace: trace.Pace{Rate: 1e9}}.Resolve()
	if err != nil {
		t.Fatal(err)
	}
	run := trace.NewRun("0001", spec, time.Now())
	run.Slices = 2
	p := newRemoteProgress(run)
	run.Outcome = trace.Running
	if p.take(web.Message{Seq: 1, Type: web.Snapshot, Run: run, Iteration: -1}); p.where() != "starting" || p.share() != 0 {
		t.Errorf("before anything: %s, %v", p.where(), p.share())
	}
	rows := func(iteration, slice int64) (rows []web.Row) {
		for step := range p.at {
			for side, rank := range map[int64]int64{1: int64(step % 2), 2: int64((step + 1) % 2)} {
				rows = append(rows, web.Row{rank, int64(step), slice, side, 5, iteration})
			}
		}
		return rows
	}
	p.take(web.Message{Seq: 2, Type: web.Delta, Run: run, Iteration: 0, Events: rows(0, 0)})
	half := p.share()
	if half <= 0 || half >= 0.5 {
		t.Errorf("half of the first of two: %v", half)
	}
	p.take(web.Message{Seq: 3, Type: web.Delta, Run: run, Iteration: 0, Events: rows(1, 1)})
	p.take(web.Message{Seq: 4, Type: web.StateOnly, Run: run, Iteration: 1})
	if p.share() != 1 || p.seq != 4 {
		t.Errorf("at the end: %v, seq %d", p.share(), p.seq)
	}
}

func TestARunRequestSaysWhatTheFlagsSaid(t *testing.T) {
	text, err := json.Marshal(ringRequest(t))
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"collective":"all-reduce","algorithm":"ring","ranks":4,"size_bytes":1048576,"pace":{"rate_bytes_per_s":1000000000},"iterations":2}`
	if string(text) != want {
		t.Errorf("request %s; want %s", text, want)
	}
}
