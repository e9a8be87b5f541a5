package site

import (
	"encoding/json"
	"errors"
	"math"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"lockstep/engine/schedule"
	"lockstep/engine/unit"
	"lockstep/sizing/measured"
)

// slowedLab is a log of two nodes of a system that takes twice as long as the
// model has it.
func slowedLab(t *testing.T) measured.Kept {
	t.Helper()
	d := desk(t)
	site, err := Describe(d.Known, Ask{System: "dgx-h100", Nodes: 2})
	if err != nil {
		t.Fatal(err)
	}
	table := measured.KeptTable{File: "a.txt", Collective: schedule.AllReduce, GPU: "H100 SXM", InterLink: site.Network, InterGbps: 3200, Ranks: 16, Nodes: 2, PerNode: 8}
	for size := unit.Bytes(1 << 10); size <= 8<<30; size *= 4 {
		table.Rows = append(table.Rows, measured.KeptRow{Size: size, Time: 2 * d.Library.Price(site.Case(schedule.AllReduce, size)).Time})
	}
	return measured.Kept{Version: 1, Name: "lab", Made: time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC), By: "ada", Tables: []measured.KeptTable{table}}
}

func labDesk(t *testing.T) Desk {
	t.Helper()
	d := desk(t)
	d.Machines = []measured.Kept{slowedLab(t)}
	return d
}

func TestAStudyRestsOnTheMachinesLogs(t *testing.T) {
	d := labDesk(t)
	load := Load{Gradients: unit.GiB, Compute: 1}
	plain, err := d.Study(Ask{System: "dgx-h100", Nodes: 2}, schedule.AllReduce, 64*unit.MiB, load)
	if err != nil {
		t.Fatal(err)
	}
	on, err := d.Study(Ask{System: "dgx-h100", Nodes: 2, Machine: "lab"}, schedule.AllReduce, 64*unit.MiB, load)
	if err != nil {
		t.Fatal(err)
	}
	for name, span := range map[string][2]Span{"price": {plain.Price, on.Price}, "step": {plain.Step, on.Step}} {
		if ratio := float64(span[1].Time / span[0].Time); math.Abs(ratio-2) > 0.1 || span[1].Grade != measured.Own {
			t.Errorf("%s: %+v, then %+v", name, span[0], span[1])
		}
	}
	if on.Answer.Machine != "lab" || math.Abs(float64(on.Answer.Time/on.Price.Time)-1) > 1e-9 || !on.Rests() {
		t.Errorf("answer of %q takes %s, the price is %s", on.Answer.Machine, on.Answer.Time, on.Price.Time)
	}
	if price, step := on.Public(); price != plain.Price || step != plain.Step {
		t.Errorf("without the log %+v and %+v", price, step)
	}
	// What another network changes rests on nothing that was measured here.
	if diff := cmp.Diff(plain.Changes, on.Changes); diff != "" {
		t.Errorf("changes (-without +with the log):\n%s", diff)
	}
	text, err := json.Marshal(on)
	if err != nil {
		t.Fatal(err)
	}
	var again Study
	if err := json.Unmarshal(text, &again); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(on.Logs, again.Logs); diff != "" || again.Price != on.Price {
		t.Errorf("frozen and read again (-was +is):\n%s", diff)
	}
}

// A site that differs from what was measured is priced as without the logs.
func TestAnotherNetworkDoesNotRestOnTheLogs(t *testing.T) {
	d := labDesk(t)
	for name, test := range map[string]struct {
		ask  Ask
		want measured.Ground
	}{
		"half the NICs":  {Ask{System: "dgx-h100", Nodes: 2, NICs: 4}, measured.OtherNetwork},
		"oversubscribed": {Ask{System: "dgx-h100", Nodes: 2, Oversubscription: 3}, measured.Narrowed},
		"another system": {Ask{System: "dgx-a100-80", Nodes: 2}, measured.OtherSystem},
		"one node":       {Ask{System: "dgx-h100", Nodes: 1}, measured.OtherReach},
	} {
		plain, err := d.Study(test.ask, schedule.AllReduce, 64*unit.MiB, Load{Gradients: unit.GiB})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		test.ask.Machine = "lab"
		on, err := d.Study(test.ask, schedule.AllReduce, 64*unit.MiB, Load{Gradients: unit.GiB})
		if err != nil {
			t.Fatal(err)
		}
		last := on.Answer.Warnings[len(on.Answer.Warnings)-1]
		if on.Logs.Price.Ground != test.want || on.Rests() || on.Price != plain.Price || on.Step != plain.Step || on.Answer.Machine != "" || last.Code != "own-log-unused" {
			t.Errorf("%s: %+v, %+v; want %s and %+v", name, on.Logs, on.Price, test.want, plain.Price)
		}
	}
}

func TestMachinesThatCannotBeAsked(t *testing.T) {
	d := labDesk(t)
	for _, ask := range []Ask{{System: "dgx-h100", Nodes: 2, Machine: "none"}, {Nodes: 2, Fabric: "article", Machine: "lab"}} {
		_, err := d.Study(ask, schedule.AllReduce, unit.MiB, Load{})
		if refused := new(schedule.RequestError); !errors.As(err, &refused) || refused.Field != "machine" {
			t.Errorf("%+v: %v", ask, err)
		}
	}
}

func TestASystemLikeTheMachineIsFound(t *testing.T) {
	d := labDesk(t)
	if a, found := d.AskOf(d.Machines[0]); !found || a.Nodes != 2 || a.Machine != "lab" {
		t.Errorf("%+v, %v", a, found)
	}
	strange := d.Machines[0]
	strange.Tables = []measured.KeptTable{{Collective: schedule.AllReduce, GPU: "abacus", Ranks: 3, Nodes: 3, PerNode: 1}}
	if a, found := d.AskOf(strange); found {
		t.Errorf("%+v", a)
	}
}
