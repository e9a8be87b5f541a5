package site

import (
	"encoding/json"
	"math"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"lockstep/engine/schedule"
	"lockstep/engine/unit"
	"lockstep/sizing"
	"lockstep/sizing/measured"
)

// articleLoad is the source article's case: 1.2 GB of gradients, 10 s of
// computing shared by ten.
var articleLoad = Load{Gradients: 1200 * unit.MB, Compute: 1}

func studied(t testing.TB, a Ask, c schedule.Collective, size unit.Bytes, load Load) *Study {
	t.Helper()
	s, err := desk(t).Study(a, c, size, load)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestStudyOfTheArticlesNetwork(t *testing.T) {
	s := studied(t, Ask{Nodes: 10, Fabric: "article"}, schedule.AllReduce, 1200*unit.MB, articleLoad)
	if s.Answer != nil || s.Price.Grade != measured.Physics || s.Price.Time != 2.16 || s.Step != s.Price {
		t.Errorf("price %+v, step %+v, answer %+v", s.Price, s.Step, s.Answer)
	}
	for _, w := range s.Ways {
		if w.Algorithm == "central" && (w.Time != 21.6 || w.Busiest != 10800*unit.MB || w.Latency != 0) {
			t.Errorf("central is %+v", w)
		}
		if w.Algorithm == "ring" && (w.Time != 2.16 || w.Rounds != 18 || w.Busiest != 2160*unit.MB) {
			t.Errorf("ring is %+v", w)
		}
	}
	// Ring at α = 0: x times as long with x:1, and half the ports.
	for _, c := range s.Changes {
		want := map[ChangeKind]float64{DoubleNICs: 1.08, FasterFabric: 2.16 * 8 / 10}[c.Kind]
		if c.Kind == Oversubscribed {
			want = 2.16 * c.Value
		}
		if want == 0 || math.Abs(float64(c.Price.Time)-want) > 1e-9 || c.Step != c.Price {
			t.Errorf("%s %v: %+v, want %v", c.Kind, c.Value, c.Price, want)
		}
	}
	if s.Even.Standing != Already {
		t.Errorf("with 1 s of computing: %+v", s.Even)
	}
	slow := articleLoad
	slow.Compute = 5
	if even := studied(t, Ask{Nodes: 10, Fabric: "article"}, schedule.AllReduce, 1200*unit.MB, slow).Even; even.Standing != Turns || math.Abs(even.Oversubscription-5/2.16) > 2e-3 {
		t.Errorf("with 5 s of computing: %+v, want 2.31", even)
	}
}

func TestStudyOfASystem(t *testing.T) {
	load := Load{Gradients: 16 * unit.GB, Compute: 0.5}
	base := studied(t, Ask{System: "dgx-h100", Nodes: 4}, schedule.AllReduce, unit.GiB, load)
	if base.Answer == nil || base.Price.Grade == measured.Physics || len(base.Answer.Nearest) != 3 || base.Answer.Time != base.Price.Time {
		t.Fatalf("%+v", base.Price)
	}
	changed := map[ChangeKind]Change{}
	for _, c := range base.Changes {
		if c.Kind == Oversubscribed && c.Value == 2 {
			continue
		}
		changed[c.Kind] = c
	}
	for kind, longer := range map[ChangeKind]bool{HalfNICs: true, DoubleNICs: false, LostNIC: true, Oversubscribed: true, InSwitchOff: true, FasterFabric: false} {
		c, tried := changed[kind]
		if !tried || longer && c.Price.Time <= base.Price.Time*1.001 || !longer && c.Price.Time > base.Price.Time {
			t.Errorf("%s: %+v, before %v", kind, c, base.Price.Time)
		}
	}
	if c := changed[Oversubscribed]; c.Price.Grade != measured.Physics {
		t.Errorf("4:1 has grade %s; nobody measured that", c.Price.Grade)
	}
	if c := changed[HalfNICs]; c.Price.Grade != measured.Related {
		t.Errorf("half the NICs have grade %s", c.Price.Grade)
	}
	if c := changed[RailPerNIC]; c.Reason != BelowLeaf || c.With != 4 || c.Price.Time != base.Price.Time {
		t.Errorf("a rail for each NIC: %+v", c)
	}
	if base.Even.Standing != Turns || base.Even.Oversubscription < 1 {
		t.Errorf("even %+v", base.Even)
	}
	// At the break-even communication is as long as computing.
	at := studied(t, Ask{System: "dgx-h100", Nodes: 4, Oversubscription: base.Even.Oversubscription}, schedule.AllReduce, unit.GiB, load)
	if off := float64(at.Step.Time/0.5) - 1; math.Abs(off) > 0.002 {
		t.Errorf("at %v:1 a step communicates %v", base.Even.Oversubscription, at.Step.Time)
	}
	if alone := studied(t, Ask{System: "dgx-h100", Nodes: 1}, schedule.AllReduce, unit.GiB, load); alone.Even.Standing != Sheltered {
		t.Errorf("one node: %+v", alone.Even)
	}
	if railed := studied(t, Ask{System: "dgx-h100", Nodes: 4, Rails: 8}, schedule.AllReduce, unit.GiB, load); railed.Even.Standing != Sheltered {
		t.Errorf("eight rails: %+v", railed.Even)
	}
}

// TestEveryCollectiveAnswers: an interval that holds the time, a grade, all
// algorithms, and terms that add up.
func TestEveryCollectiveAnswers(t *testing.T) {
	d := desk(t)
	for _, a := range []Ask{{System: "dgx-h100", Nodes: 4}, {System: "mi300x-8", Nodes: 2, Oversubscription: 3}, {Nodes: 6, Fabric: "roce-200"}} {
		for _, c := range schedule.Collectives() {
			s, err := d.Study(a, c, 64*unit.MiB, Load{Gradients: unit.GB})
			if err != nil {
				t.Fatal(err)
			}
			entries := 0
			for _, e := range schedule.Catalog() {
				if e.Collective == c && e.MinRanks <= s.Site.Ranks() && s.Site.Ranks() <= e.MaxRanks {
					entries++
				}
			}
			if len(s.Ways) != entries || s.Auto() == nil || s.Price.Time <= 0 || s.Price.Low > s.Price.Time || s.Price.High < s.Price.Time {
				t.Errorf("%+v, %s: %d of %d ways, price %+v", a, c, len(s.Ways), entries, s.Price)
			}
			if s.Answer == nil {
				continue
			}
			sum := unit.Seconds(0)
			for _, term := range s.Answer.Terms {
				sum += term.Time
			}
			if off := float64(sum/s.Answer.Time) - 1; math.Abs(off) > 1e-9 {
				t.Errorf("%s: terms add up to %v of %v", c, sum, s.Answer.Time)
			}
		}
	}
}

// TestMoreOversubscriptionIsNeverFaster, and NICs never slow anything.
func TestMonotone(t *testing.T) {
	d := desk(t)
	for _, system := range []string{"dgx-h100", "mi300x-8", "srv-8xl40s", "gb200-nvl72"} {
		for _, c := range schedule.Collectives() {
			for _, rails := range []int{0, 1} {
				last := unit.Seconds(0)
				for _, x := range []float64{1, 1.5, 2, 4, 16, 64} {
					site := described(t, Ask{System: system, Nodes: 40, Rails: rails, Oversubscription: x})
					p, err := d.price(site, c, 256*unit.MiB)
					if err != nil {
						t.Fatal(err)
					}
					if p.Time < last*(1-1e-12) {
						t.Errorf("%s, %s, %d rails: %v at %v:1, %v before", system, c, rails, p.Time, x, last)
					}
					last = p.Time
				}
			}
		}
	}
}

func TestStudyIsFrozenWhole(t *testing.T) {
	latency := 3 * time.Microsecond
	s := studied(t, Ask{System: "dgx-h100", Nodes: 4, Latency: &latency, InSwitch: Off}, schedule.AllToAll, unit.GiB, Load{Gradients: unit.GB, Compute: 1})
	text, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	var back Study
	if err := json.Unmarshal(text, &back); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(*s, back, cmpopts.IgnoreUnexported(Site{})); diff != "" {
		t.Errorf("study (-before +after):\n%s", diff)
	}
}

func TestAlone(t *testing.T) {
	s := studied(t, Ask{Nodes: 1, Fabric: "article"}, schedule.AllReduce, unit.GB, Load{Gradients: unit.GB, Compute: 1})
	if s.Price.Time != 0 || len(s.Changes) != 0 || s.Even.Standing != NotAsked {
		t.Errorf("one worker: %+v", s)
	}
	if f := sizing.Fabrics(); len(Links(desk(t).Known)) < len(f)+20 {
		t.Error("the catalogue's networks are missing")
	}
}

func BenchmarkStudy(b *testing.B) {
	d := desk(b)
	for b.Loop() {
		if _, err := d.Study(Ask{System: "dgx-h100", Nodes: 128}, schedule.AllReduce, unit.GiB, Load{Gradients: unit.GB, Compute: 1}); err != nil {
			b.Fatal(err)
		}
	}
}
