package sizing

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"lockstep/engine/schedule"
	"lockstep/engine/trace"
	"lockstep/engine/unit"
	"lockstep/sizing/calibrate"
)

// EarlierRuns are runs that have been measured here before.
type EarlierRuns interface {
	// Finished returns at most limit runs that are done, newest first.
	Finished(ctx context.Context, limit int) ([]trace.Run, error)
}

const (
	// earlierRuns is how many runs are looked at, and earlierKinds how many
	// different ones of them are used, the newest: a machine changes.
	earlierRuns  = 200
	earlierKinds = 16
)

// fitted is a network that earlier runs have shown.
type fitted struct {
	calibrate.Network
	runs  int
	ranks int // of all of them; 0 where they differ
	// The smallest and the largest size among them.
	least, most unit.Bytes
}

// kind is what makes two runs the same measurement.
type kind struct {
	request schedule.Request
	slices  int
	size    unit.Bytes
	width   int
}

// fit finds the network that a run on spec's link meets, from runs with as many
// ranks if they suffice, since ranks of one machine share its processors, else
// from all. The error says why there is none.
func (p *Planner) fit(ctx context.Context, spec trace.Spec) (fitted, error) {
	if p.earlier == nil {
		return fitted{}, errNotKept
	}
	runs, err := p.earlier.Finished(ctx, earlierRuns)
	if err != nil {
		return fitted{}, fmt.Errorf("read earlier runs: %w", err)
	}
	runs = slices.DeleteFunc(slices.Clone(runs), func(r trace.Run) bool { return !measured(r, spec) })
	alike := slices.DeleteFunc(slices.Clone(runs), func(r trace.Run) bool { return r.Ranks != spec.Ranks })
	if f, err := fitTo(alike); err == nil {
		f.ranks = spec.Ranks
		return f, nil
	}
	return fitTo(runs)
}

// measured reports whether a run says something of the network that spec's run
// will meet.
func measured(r trace.Run, spec trace.Spec) bool {
	slow := slices.ContainsFunc(r.Warnings, func(w trace.Warning) bool { return w.Code == "slow-rank" })
	return r.Outcome == trace.Done && r.Verified && len(r.NodeNames) == 0 && !r.Paced && !slow && !r.Imported && r.Algorithm != schedule.LibraryCall && r.Backend == spec.Backend && r.Link == spec.Link &&
		r.Ranks > 1 && r.Times != nil && r.Times.Median > 0
}

func fitTo(runs []trace.Run) (fitted, error) {
	times := map[kind][]float64{}
	var order []kind // newest first
	for _, r := range runs {
		k := kind{
			schedule.Request{Collective: r.Collective, Algorithm: r.Algorithm, Ranks: r.Ranks, RanksPerNode: r.PerNode, Chunks: r.Chunks},
			r.Slices, r.Size, r.DType.Width(),
		}
		if r.Root != nil {
			k.request.Root = *r.Root
		}
		if times[k] == nil {
			if len(order) == earlierKinds {
				continue
			}
			order = append(order, k)
		}
		times[k] = append(times[k], r.Times.Median)
	}
	f := fitted{}
	var samples []calibrate.Sample
	for _, k := range order {
		all := times[k]
		slices.SortFunc(all, cmp.Compare)
		if f.runs == 0 {
			f.least = k.size
		}
		f.runs += len(all)
		f.least, f.most = min(f.least, k.size), max(f.most, k.size)
		samples = append(samples, calibrate.Sample{
			Request: k.request,
			Size:    k.size, Width: k.width, Slices: k.slices, Time: unit.Seconds(all[len(all)/2]),
		})
	}
	var err error
	f.Network, err = calibrate.Fit(samples)
	return f, err
}

// warning says what a prediction for a size by the fit rests on.
func (f fitted) warning(size unit.Bytes) trace.Warning {
	v := trace.Values{
		"latency": unit.FromDuration(f.Latency).String(), "bandwidth": f.Bandwidth.String(),
		"runs": strconv.Itoa(f.runs), "percent": fmt.Sprintf("%.0f", max(1, 100*f.Typical)),
	}
	ranks := "any number of"
	if f.ranks > 0 {
		ranks = strconv.Itoa(f.ranks)
		v["ranks"] = ranks
	}
	text := fmt.Sprintf("predicted with %s and %s, fitted to %s earlier runs of %s ranks here at full speed; half of them are within %s %% of the fit",
		v["latency"], v["bandwidth"], v["runs"], ranks, v["percent"])
	if size < f.least || size > f.most {
		v["least"], v["most"] = f.least.String(), f.most.String()
		text += fmt.Sprintf(", and this size is outside theirs, %s to %s", v["least"], v["most"])
	}
	return trace.Warning{Code: "fitted", Message: text, Values: v}
}

// unpredicted says that no time is predicted, and why: in the values of the
// warning "why" is one of the words below or a calibrate.Reason, whose figures
// stand beside it.
func unpredicted(message string, values trace.Values) trace.Warning {
	return trace.Warning{Code: "no-prediction", Message: "no time is predicted: " + message, Values: values}
}

// Why no time is predicted, besides the reasons of calibrate.
const (
	heldByStep = "step"   // the run is held after each round
	singleRank = "single" // nothing is sent
	// A vendor library's own call.
	libraryCall = "library"
	notKept     = "kept"   // there are no earlier runs to learn from
	notRead     = "unread" // they could not be read

	notProbed     = "unprobed"     // the nodes' links have not been measured
	notCalibrated = "uncalibrated" // a single node, whose own model is not known here
)

// errNotKept is why a planner without earlier runs predicts nothing.
var errNotKept = errors.New("earlier runs are not kept here")

// noGround says why earlier runs give no ground for a prediction.
func noGround(err error) trace.Warning {
	values := trace.Values{"why": notRead, "reason": err.Error()}
	var unfit *calibrate.Unfit
	switch {
	case errors.As(err, &unfit):
		values = unfit.Values
	case errors.Is(err, errNotKept):
		values = trace.Values{"why": notKept}
	}
	return unpredicted("earlier runs at full speed give no ground for one: "+err.Error(), values)
}
