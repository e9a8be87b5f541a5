package measured

import (
	"errors"
	"math"
	"testing"

	"lockstep/engine/schedule"
	"lockstep/engine/unit"
	"lockstep/sizing/hardware"
)

// slowed is a log of a system that takes twice as long for its bytes and three
// times for its latencies, as the model has it.
func slowed(l *Library) Kept {
	t := KeptTable{Collective: schedule.AllReduce, GPU: "H100 SXM", InterLink: "8 x 400G RoCE", Ranks: 16, Nodes: 2, PerNode: 8}
	for size := unit.Bytes(1 << 10); size <= 1<<30; size *= 4 {
		c := t.Case()
		c.Size = size
		b := l.constants.Time(c)
		t.Rows = append(t.Rows, KeptRow{size, 3*(b.Floor+b.Inside+b.Across) + 2*b.Pipeline + 2*b.Bytes})
	}
	return Kept{Version: 1, Name: "lab", Tables: []KeptTable{t}}
}

func TestALogOfAMachineIsPredictedBetterThanWithoutIt(t *testing.T) {
	l, err := NewLibrary()
	if err != nil {
		t.Fatal(err)
	}
	rows, err := l.Compare(slowed(l))
	if err != nil || len(rows) != 11 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	for _, r := range rows {
		before, after := math.Abs(math.Log(r.Before/r.Measured)), math.Abs(math.Log(r.After/r.Measured))
		if after > 0.1 || after >= before {
			t.Errorf("%s: %.4g us measured, %.4g before, %.4g after", r.Size, r.Measured, r.Before, r.After)
		}
	}
}

func TestAnswersRestOnTheLog(t *testing.T) {
	l, err := NewLibrary()
	if err != nil {
		t.Fatal(err)
	}
	lab := slowed(l)
	c := lab.Tables[0].Case()
	for _, test := range []struct {
		collective schedule.Collective
		size       unit.Bytes
		grade      Grade
		why        string
	}{{schedule.AllReduce, 64 << 20, Own, "measured"}, {schedule.AllReduce, 8 << 30, l.Answer(Case{Collective: schedule.AllReduce, System: c.System, Size: 8 << 30}).Grade, "beyond"}, {schedule.AllGather, 64 << 20, l.Answer(Case{Collective: schedule.AllGather, System: c.System, Size: 64 << 20}).Grade, "beyond"}} {
		c.Collective, c.Size = test.collective, test.size
		plain := l.Answer(c)
		a, err := l.AnswerOn(lab, c)
		if err != nil {
			t.Fatal(err)
		}
		sum := unit.Seconds(0)
		for _, term := range a.Terms {
			sum += term.Time
		}
		last := a.Warnings[len(a.Warnings)-1]
		if a.Machine != "lab" || a.Grade != test.grade || last.Code != "own-log" || last.Values["why"] != test.why || math.Abs(float64(sum/a.Time)-1) > 1e-9 || a.Time < plain.Time*3/2 || a.Time > plain.Time*4 {
			t.Errorf("%s of %s: %s, before %s, grade %s, terms of %s, %+v", test.collective, test.size, a.Time, plain.Time, a.Grade, sum, last)
		}
	}
	if _, err := l.AnswerOn(Kept{Name: "none"}, c); !errors.Is(err, ErrTooFew) {
		t.Errorf("without a table: %v", err)
	}
}

func TestMachineNames(t *testing.T) {
	for _, good := range []string{"a", "客户 A 2×8 H100"[:len("客户 A 2")], "lab-1.2_b"} {
		if err := CheckMachineName(good); err != nil {
			t.Error(err)
		}
	}
	for _, bad := range []string{"", " a", "a-", "a/b", "a\nb", string(make([]byte, 61))} {
		if err := CheckMachineName(bad); !errors.Is(err, ErrMachineName) {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

// What is kept is read as the words that it was.
func TestAKeptTableIsItsSystem(t *testing.T) {
	w := hardware.Words{GPU: "A100", InterLink: "HDR", InterGbpsPerNode: 1600, Ranks: 16, Nodes: 2, PerNode: 8}
	got := KeptTable{GPU: w.GPU, InterLink: w.InterLink, InterGbps: w.InterGbpsPerNode, Ranks: 16, Nodes: 2, PerNode: 8}.Case().System
	if want := hardware.Read(w); got.NIC != want.NIC || got.Family != want.Family || got.Domains != want.Domains {
		t.Errorf("%+v; want %+v", got, want)
	}
}
