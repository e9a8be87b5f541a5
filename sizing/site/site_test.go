package site

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"lockstep/engine/schedule"
	"lockstep/engine/unit"
	"lockstep/sizing"
)

// opened is read once, for it is never changed.
var opened = sync.OnceValues(OpenDesk)

func desk(t testing.TB) Desk {
	t.Helper()
	d, err := opened()
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func described(t testing.TB, a Ask) Site {
	t.Helper()
	s, err := Describe(desk(t).Known, a)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestFiguresSayWhereTheyComeFrom: a system fills everything in, what is typed
// overrides it, and what nobody says is assumed.
func TestFiguresSayWhereTheyComeFrom(t *testing.T) {
	for _, c := range []struct {
		ask  Ask
		want string
	}{
		{Ask{System: "dgx-h100", Nodes: 4}, "8 catalogue, 8 catalogue, 400 catalogue, 0 assumed, 1 assumed, catalogue, 50 rated"},
		{Ask{System: "dgx-h100", Nodes: 4, NICs: 8, PerNode: 8, NICRate: 400}, "8 catalogue, 8 catalogue, 400 catalogue, 0 assumed, 1 assumed, catalogue, 50 rated"},
		{Ask{System: "dgx-h100", Nodes: 4, NICs: 4, Rails: 2, Oversubscription: 2}, "8 catalogue, 4 typed, 400 catalogue, 2 typed, 2 typed, catalogue, 25 given"},
		{Ask{System: "dgx-h100", Nodes: 4, Fabric: "roce-200g"}, "8 catalogue, 8 catalogue, 200 catalogue, 0 assumed, 1 assumed, typed, 25 rated"},
		{Ask{System: "dgx-h100", Nodes: 1}, "8 catalogue, 8 catalogue, 400 catalogue, 0 assumed, 1 assumed, catalogue, 450 rated"},
		{Ask{Nodes: 10, Fabric: "article"}, "1 assumed, 1 assumed, 8 catalogue, 0 assumed, 1 assumed, catalogue, 1 stated"},
		{Ask{Nodes: 10, Fabric: "article", NICRate: 16, Oversubscription: 4}, "1 assumed, 1 assumed, 16 typed, 0 assumed, 4 typed, catalogue, 0.5 given"},
		{Ask{Nodes: 2, PerNode: 8, NICs: 4, Fabric: "ib-ndr"}, "8 typed, 4 typed, 400 catalogue, 0 assumed, 1 assumed, catalogue, 25 given"},
	} {
		s := described(t, c.ask)
		f := func(f Figure) string { return fmt.Sprintf("%.4g %s", f.Value, f.From) }
		got := strings.Join([]string{f(s.PerNode), f(s.NICs), f(s.NICRate), f(s.Rails), f(s.Oversubscription), string(s.NetworkFrom),
			fmt.Sprintf("%.4g %s", float64(s.Port.Bandwidth)/1e9, s.Port.BandwidthBasis)}, ", ")
		if got != c.want {
			t.Errorf("%+v\n is   %s\n want %s", c.ask, got, c.want)
		}
	}
	if s := described(t, Ask{System: "p5.48xlarge", Nodes: 2}); s.System != "aws-p5" || s.Source == "" {
		t.Errorf("a cloud's instance is %+v", s)
	}
	latency := 5 * time.Microsecond
	if s := described(t, Ask{System: "dgx-h100", Nodes: 4, Latency: &latency}); s.Port.Latency != latency || s.Port.LatencyBasis != sizing.Given {
		t.Errorf("a latency of one's own is %+v", s.Port)
	}
}

func TestEverySystemCanBeAsked(t *testing.T) {
	d := desk(t)
	for _, system := range d.Known.Systems {
		for _, nodes := range []int{1, 2, 20} {
			s, err := d.Study(Ask{System: system.ID, Nodes: nodes}, schedule.AllReduce, unit.GB, Load{Gradients: unit.GB, Compute: 1})
			if err != nil {
				t.Errorf("%d × %s: %v", nodes, system.ID, err)
				continue
			}
			if s.Site.Ranks() > 1 && !(s.Price.Time > 0 && s.Price.Low <= s.Price.Time && s.Price.Time <= s.Price.High && s.Site.Port.Bandwidth > 0) {
				t.Errorf("%d × %s: %+v on %+v", nodes, system.ID, s.Price, s.Site)
			}
		}
	}
}

func TestWhatDoesNotFitIsRefused(t *testing.T) {
	for _, c := range []struct {
		ask         Ask
		field, says string
	}{
		{Ask{System: "dgx-h100"}, "nodes", "1 to"},
		{Ask{System: "nothing", Nodes: 1}, "system", "known are"},
		{Ask{System: "dgx-h100", Nodes: 4, NICs: 1000}, "nics", "1000 NICs per node; accepted: 1 to 128"},
		{Ask{System: "dgx-h100", Nodes: 4, Rails: 3}, "rails", "3 rails for 8 NICs"},
		{Ask{System: "dgx-h100", Nodes: 4, Rails: 16}, "rails", "16 rails for 8 NICs"},
		{Ask{System: "dgx-h100", Nodes: 4, Oversubscription: 0.5}, "oversubscription", "0.5:1; accepted: 1 (none) to 64"},
		{Ask{System: "dgx-h100", Nodes: 4, InSwitch: "maybe"}, "in_switch", `"maybe"; accepted: on, off`},
		{Ask{System: "srv-8xl40s", Nodes: 4, InSwitch: On}, "in_switch", "accepted: off"},
		{Ask{System: "dgx-h100", Nodes: 4, Fabric: "string"}, "fabric", "string"},
		{Ask{Nodes: 4}, "fabric", "without a system"},
		{Ask{Nodes: 4, Fabric: "article", InSwitch: On}, "in_switch", "without a system"},
	} {
		_, err := Describe(desk(t).Known, c.ask)
		var refused *schedule.RequestError
		if !errors.As(err, &refused) || refused.Field != c.field || !strings.Contains(refused.Message, c.says) {
			t.Errorf("%+v: %v; want %s about %s", c.ask, err, c.says, c.field)
		}
	}
}
