package sizing

import (
	"testing"

	"lockstep/cluster/inventory"
	"lockstep/engine/schedule"
	"lockstep/engine/trace"
	"lockstep/engine/unit"
	"lockstep/sizing/calibrate"
)

// A calibration comes nearer to runs that it has not seen than what is assumed.
func TestCompareHere(t *testing.T) {
	c := calibrate.Calibration{Machine: calibrate.Fingerprint{CPUs: 4}, Found: []calibrate.Found{{
		Link: trace.Shm, Ranks: 2, Costs: calibrate.Costs{Hop: 1e-6, Piece: 0.5e-6, Bytes: []calibrate.ByteCost{{Span: 16 << 10, Move: 1e-10, Reduce: 1e-10}}},
	}}}
	for size := unit.Bytes(4 << 10); size <= 4<<20; size *= 4 {
		c.Measured = append(c.Measured, calibrate.Measured{
			Link: trace.Shm, Collective: schedule.AllReduce, Algorithm: "ring", Ranks: 2, Size: size, DType: schedule.Float32, Op: schedule.Sum, Slices: 1,
			Time: 3e-6 + unit.Seconds(float64(size)*2.2e-10),
		})
	}
	rows := CompareHere(c)
	if len(rows) != len(c.Measured) {
		t.Fatalf("%d of %d runs", len(rows), len(c.Measured))
	}
	for i, r := range rows {
		before, after := r.Before/r.Measured-1, r.After/r.Measured-1
		if r.Size != c.Measured[i].Size || max(after, -after) >= max(before, -before) || r.After == r.Measured {
			t.Errorf("%s: %s measured, %s before, %s after", r.Size, r.Measured, r.Before, r.After)
		}
	}
}

func TestCompareProbes(t *testing.T) {
	got := CompareProbes([]inventory.Link{{From: "a", To: "b", Latency: 20e-6, Rate: 16 * 1 << 20}, {From: "b", To: "a", Fault: "unreachable"}})
	if len(got) != 1 || got[0].To != "b" || got[0].After != 1.00002 || got[0].Before <= 0.0167 || got[0].Before >= 0.0169 {
		t.Errorf("%+v", got)
	}
}
