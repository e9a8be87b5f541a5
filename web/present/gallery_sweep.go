package present

import (
	"time"

	"lockstep/engine/schedule"
	"lockstep/engine/sweep"
	"lockstep/engine/trace"
	"lockstep/engine/unit"
	"lockstep/views"
)

// gallerySweep fills in a comparison in which one way has failed, and the form
// with something wrong in it.
func gallerySweep(f Frame, g *views.Gallery) {
	c := sweep.Comparison{
		ID: "0003", State: sweep.Done, Created: galleryMoment(), Ended: galleryMoment().Add(40 * time.Second),
		Request: sweep.Request{
			Base:  trace.Spec{Collective: schedule.AllReduce, Ranks: 4, DType: schedule.Float32, Op: schedule.Sum},
			Range: sweep.Range{First: unit.KiB, Last: 64 * unit.KiB, Factor: 4},
			Ways:  []sweep.Way{{Backend: trace.Host, Algorithm: string(trace.Auto)}, {Backend: trace.MPI, Algorithm: schedule.LibraryCall}, {Backend: trace.MPI, Algorithm: "ring"}},
		},
	}
	library := &trace.Library{Name: "Open MPI", Version: "4.1.4"}
	for i, size := range c.Request.Sizes() {
		for way, took := range []float64{4e-6, 7e-6, 12e-6} {
			seconds := took * (1 + float64(size)/8192)
			run := trace.Run{ID: "00" + string(rune('1'+i)) + string(rune('0'+way)), Outcome: trace.Done, Collective: schedule.AllReduce, Ranks: 4, Size: size, Times: &trace.Times{Min: seconds, Median: seconds, P95: seconds}}
			run.BusBW = float64(size) / seconds / 1e9 * run.Collective.BusFactor(4)
			p := sweep.Point{Run: run}
			switch {
			case way == 0:
				p.Run.Predicted = seconds * 1.1
			case way == 2 && i == 2:
				p.Run.Outcome, p.Run.Times, p.Run.BusBW, p.Run.Library = trace.Failed, nil, 0, library
			case way == 2 && i > 2:
				p = sweep.Point{Left: sweep.FailedBefore}
			default:
				p.Run.Library = library
			}
			c.Points = append(c.Points, p)
		}
	}
	request := again(c)
	request.To = "64M"
	_, wrong := request.Request(4)
	g.Sweeps = Sweeps(f, SweepDraft{
		Request: request, Wrong: wrong, Whole: "run.check", LocalRanks: 4, Saved: []sweep.Comparison{c},
		Offers: []trace.Offer{{Backend: trace.Host}, {Backend: trace.MPI, Missing: trace.NoLauncher}},
	})
	g.Sweep = SweepPage(f, c, false)
}
