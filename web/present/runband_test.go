package present

import (
	"strings"
	"testing"
	"time"

	"lockstep/engine/trace"
	"lockstep/engine/unit"
)

// often is a run at full speed of so many iterations of which some have ended.
func often(t *testing.T, iterations, ended int, outcome trace.Outcome) Watched {
	t.Helper()
	w := watchedRun(t, build(t, "ring", 4), outcome)
	w.Run.Iterations, w.Run.Pace, w.Run.Paced = iterations, nil, false
	for i := range ended {
		w.Took = append(w.Took, unit.Seconds(0.005+float64(i%7)*1e-4))
	}
	return w
}

func TestEachIterationIsDrawn(t *testing.T) {
	en := frames(t)["en"]
	w := often(t, 20, 12, trace.Running)
	w.Run.Predicted = 0.005
	page := RunPage(en, w)
	if page.Band == nil || page.Port != nil || strings.Count(page.Band.SVG, "<circle") != 12 {
		t.Fatalf("%+v", page.Band)
	}
	if page.Figures[0].Label != "Bus bandwidth, last iteration" || page.Figures[0].Unit != "GB/s" {
		t.Errorf("figures %+v", page.Figures)
	}
	if !strings.Contains(page.Band.Sub, "12 of 20") || !strings.Contains(page.Band.Note, "3 warm-ups came before and are not counted.") {
		t.Errorf("%s; %s", page.Band.Sub, page.Band.Note)
	}
	var keys []string
	for _, k := range page.Band.Legend {
		keys = append(keys, k.Word)
	}
	text := strings.Join(keys, "; ")
	for _, want := range []string{"measured", "predicted by the model 20.1 GB/s", "median ", "slowest of 12: "} {
		if !strings.Contains(text, want) {
			t.Errorf("the legend lacks %q: %s", want, text)
		}
	}
	// The same after a reload, from what was saved.
	done := often(t, 20, 0, trace.Done)
	done.Run.Iterate(durations(w.Took))
	if again := RunPage(en, done).Band; strings.Count(again.SVG, "<circle") != 12 {
		t.Errorf("after a reload: %s", again.Sub)
	}
	if zh := RunPage(frames(t)["zh"], often(t, 30, 30, trace.Running)).Band; !strings.Contains(zh.Legend[len(zh.Legend)-1].Word, "30 遍里 95%") {
		t.Errorf("%+v", zh.Legend)
	}
}

func TestIterationsBeforeTheFirstHasEnded(t *testing.T) {
	en := frames(t)["en"]
	if band := RunPage(en, often(t, 20, 0, trace.Running)).Band; band == nil || band.SVG != "" || band.Sub == "" {
		t.Errorf("%+v", band)
	}
	for name, w := range map[string]Watched{
		"queued": often(t, 20, 0, trace.Queued), "of one iteration": often(t, 1, 0, trace.Running),
	} {
		if band := RunPage(en, w).Band; band != nil {
			t.Errorf("%s: %+v", name, band)
		}
	}
	elsewhere := often(t, 20, 0, trace.Running)
	elsewhere.Here = false
	if RunPage(en, elsewhere).Band != nil {
		t.Error("iterations are drawn of a run that is carried out elsewhere")
	}
	empty := often(t, 20, 5, trace.Running)
	empty.Run.Size, empty.Run.Predicted = 0, 0
	if band := RunPage(en, empty).Band; band == nil || band.Title != "Time per iteration" || !strings.Contains(band.Sub, "ms") {
		t.Errorf("without bytes: %+v", band)
	}
}

func TestVeryManyIterationsKeepTheirExtremes(t *testing.T) {
	values := make([]float64, trace.MaxIterations)
	for i := range values {
		values[i] = 100
	}
	values[1234], values[8765] = 3, 999
	points := bandPoints(values, 1)
	least, most := points[0].Y, points[0].Y
	last := 0.0
	for _, p := range points {
		least, most = min(least, p.Y), max(most, p.Y)
		if p.X < last {
			t.Fatalf("the line goes back at %v", p.X)
		}
		last = p.X
	}
	if len(points) > maxBand || least != 3 || most != 999 {
		t.Errorf("%d points from %v to %v", len(points), least, most)
	}
	for _, n := range []int{2, 5, 8, 9, 10, 20, 100, 333, 10_000} {
		ticks := iterationTicks(n)
		if ticks[0] != 1 || ticks[len(ticks)-1] != n || len(ticks) > 9 {
			t.Errorf("%d iterations are marked at %v", n, ticks)
		}
	}
}

// The 95th percentile of few iterations is the slowest of them, and is called so.
func TestFewIterationsHaveNoPercentile(t *testing.T) {
	for iterations, want := range map[int]string{5: "longest 4 s (max of 5)", 19: "(max of 19)", 20: "95% within"} {
		w := often(t, iterations, 0, trace.Done)
		times := make([]time.Duration, iterations)
		for i := range times {
			times[i] = time.Duration(i) * time.Second
		}
		w.Run.Verified = true
		w.Run.Measured(times)
		said := ""
		for _, fact := range RunPage(frames(t)["en"], w).Facts {
			if strings.HasPrefix(fact.Name, "Time of one iteration, measured") {
				said = fact.Values[0]
			}
		}
		if !strings.Contains(said, want) {
			t.Errorf("%d iterations: %q, want %q", iterations, said, want)
		}
	}
}
