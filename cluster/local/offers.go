package local

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"sync"
	"time"

	"lockstep/cluster/worker"
	"lockstep/engine/trace"
)

const (
	offersKept = 10 * time.Second
	// offersTime, and answerDelay once more, is how long a page waits at the
	// longest for a launcher that does not answer.
	offersTime = 2500 * time.Millisecond
)

// offers remembers for a while what was found.
type offers struct {
	mu    sync.Mutex // held while looking: whoever asks meanwhile gets the same
	found []trace.Offer
	at    time.Time
}

// Offers lists the back ends, in the order of trace.Backends, and says of each
// whether runs on this machine can have it now. What was found holds for 10
// seconds; looking takes 3 at the most, whatever the machine's mpirun does.
func (f *Fleet) Offers(ctx context.Context) []trace.Offer {
	f.offers.mu.Lock()
	defer f.offers.mu.Unlock()
	if f.offers.found == nil || time.Since(f.offers.at) >= offersKept {
		// Whoever goes away while it looks leaves the answer to the others.
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), offersTime)
		defer cancel()
		f.offers.found = []trace.Offer{{Backend: trace.Host}, f.offerMPI(ctx)}
		f.offers.at = time.Now()
	}
	return slices.Clone(f.offers.found)
}

// noSystem is why there is no MPI on other systems.
const noSystem = "ranks of an MPI library run on Linux"

// offerMPI goes the way of a run with MPI, up to where its ranks would start.
func (f *Fleet) offerMPI(ctx context.Context) trace.Offer {
	offer := trace.Offer{Backend: trace.MPI}
	if runtime.GOOS != "linux" {
		offer.Missing, offer.Reason = trace.NoSystem, noSystem
		return offer
	}
	env := launcherEnvironment(f.cfg.Env, os.Environ())
	l, err := findLauncher(ctx, env)
	if err == nil {
		err = l.refuses(env)
	}
	if none := new(missing); errors.As(err, &none) {
		offer.Missing, offer.Said, offer.Reason = none.why, none.said, none.Error()
		return offer
	}
	if offer.Library, err = f.askLibrary(ctx, l, env); err != nil {
		offer.Missing, offer.Said, offer.Reason = trace.NoLibrary, err.Error(), err.Error()
	}
	return offer
}

// askLibrary asks a worker which library its rank would bind.
func (f *Fleet) askLibrary(ctx context.Context, l launcher, env []string) (*trace.Library, error) {
	cmd := exec.CommandContext(ctx, f.cfg.Executable, f.cfg.Args...)
	cmd.Env = append(env[:len(env):len(env)], worker.LauncherEnv+"="+l.program, worker.AskEnv+"="+l.family)
	cmd.WaitDelay = answerDelay
	var said tail
	cmd.Stderr = &said
	text, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("a worker that was asked for it: %w %s", err, said.opening())
	}
	var a worker.Answer
	if err := json.NewDecoder(bytes.NewReader(text)).Decode(&a); err != nil {
		return nil, fmt.Errorf("a worker that was asked for it: %w", err)
	}
	if a.Library == nil {
		return nil, errors.New(a.Error)
	}
	return a.Library, nil
}
