package measured

import (
	"testing"

	"lockstep/engine/schedule"
	"lockstep/engine/unit"
	"lockstep/sizing/hardware"
)

func library(t *testing.T) *Library {
	t.Helper()
	l, err := NewLibrary()
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// A log bears on what is built like the machine and on nothing else.
func TestGrounds(t *testing.T) {
	l := library(t)
	lab := slowed(l)
	like := hardware.Words{GPU: "H100 SXM", InterLink: "8 x 400G RoCE", Ranks: 16, Nodes: 2, PerNode: 8}
	read := func(change func(*hardware.Words)) hardware.System {
		w := like
		change(&w)
		return hardware.Read(w)
	}
	for name, test := range map[string]struct {
		c    Case
		want Ground
	}{
		"the very case":  {Case{System: read(func(*hardware.Words) {})}, Seen},
		"more nodes":     {Case{System: read(func(w *hardware.Words) { w.Ranks, w.Nodes = 64, 8 })}, Beyond},
		"another size":   {Case{System: hardware.Read(like), Size: 64 << 30}, Beyond},
		"another kind":   {Case{System: hardware.Read(like), Collective: schedule.AllGather}, Beyond},
		"one node":       {Case{System: read(func(w *hardware.Words) { w.Ranks, w.Nodes = 8, 1 })}, OtherReach},
		"other cards":    {Case{System: read(func(w *hardware.Words) { w.GPU = "A100 SXM" })}, OtherSystem},
		"slower network": {Case{System: read(func(w *hardware.Words) { w.InterLink = "8 x 200G RoCE" })}, OtherNetwork},
		"other network":  {Case{System: read(func(w *hardware.Words) { w.InterLink = "8 x 400G InfiniBand" })}, OtherNetwork},
		"oversubscribed": {Case{System: hardware.Read(like), Shape: Shape{Oversubscription: 2}}, Narrowed},
	} {
		if test.c.Collective == "" {
			test.c.Collective = schedule.AllReduce
		}
		if test.c.Size == 0 {
			test.c.Size = 64 << 20
		}
		table, got := lab.Bears(test.c)
		if got != test.want || got.Rests() != (len(table.Rows) > 0) {
			t.Errorf("%s: %s with %d rows; want %s", name, got, len(table.Rows), test.want)
		}
		plain, on := l.Price(test.c), Resting{}
		on, err := l.PriceOn(lab, test.c)
		if err != nil {
			t.Fatal(err)
		}
		if on.Ground.Rests() == (on.Time == plain.Time) || on.Before != plain.Time || !on.Ground.Rests() && (on.Low != plain.Low || on.Grade != plain.Grade) {
			t.Errorf("%s: %+v; without the log %+v", name, on, plain)
		}
		if a, err := l.AnswerOn(lab, test.c); err != nil || (a.Machine == "lab") != on.Ground.Rests() || float64(a.Time)*1e6 < on.Time*0.999999 || float64(a.Time)*1e6 > on.Time*1.000001 {
			t.Errorf("%s: answer %v of %q, price %v, %v", name, a.Time, a.Machine, on.Time, err)
		}
	}
}

// Of several tables the one of the best ground counts, wherever it stands.
func TestTheTableThatWasMeasuredCounts(t *testing.T) {
	l := library(t)
	lab := slowed(l)
	c := lab.Tables[0].Case()
	c.Size = 64 << 20
	gather, single := lab.Tables[0], lab.Tables[0]
	gather.Collective = schedule.AllGather
	single.Ranks, single.Nodes = 8, 1
	for _, tables := range [][]KeptTable{{gather, single, lab.Tables[0]}, {lab.Tables[0], single, gather}} {
		if table, ground := (Kept{Tables: tables}).Bears(c); ground != Seen || table.Collective != schedule.AllReduce || table.Ranks != 16 {
			t.Errorf("%s by %s among %d", ground, table.Collective, table.Ranks)
		}
	}
}

// The interval is as wide as the log's rows are unsure of each other, and never
// the residual of rows that the fit has seen.
func TestIntervalsOfALogAreThoseOfUnseenRows(t *testing.T) {
	l := library(t)
	smooth := slowed(l)
	c := smooth.Tables[0].Case()
	c.Size = 64 << 20
	sure, err := l.PriceOn(smooth, c)
	if err != nil {
		t.Fatal(err)
	}
	public := l.Price(c)
	if sure.Grade != Own || !(sure.Low < sure.Time && sure.Time < sure.High) || sure.High/sure.Low >= public.High/public.Low {
		t.Errorf("%v between %v and %v, grade %s; by public measurements %v between %v and %v", sure.Time, sure.Low, sure.High, sure.Grade, public.Time, public.Low, public.High)
	}
	rough := slowed(l)
	for i := range rough.Tables[0].Rows {
		if r := &rough.Tables[0].Rows[i]; r.Size == 16<<20 {
			r.Time *= 1.9 // a row that its neighbours know nothing of
		}
	}
	unsure, err := l.PriceOn(rough, c)
	if err != nil {
		t.Fatal(err)
	}
	if unsure.High/unsure.Time < 1.5 {
		t.Errorf("a log with a row at twice its time: %v between %v and %v", unsure.Time, unsure.Low, unsure.High)
	}
	var small unit.Bytes = 4 << 10 // the other side of 1 MiB, where nothing is rough
	c.Size = small
	calm, err := l.PriceOn(rough, c)
	if err != nil || calm.Grade != Own {
		t.Errorf("%+v, %v", calm, err)
	}
}
