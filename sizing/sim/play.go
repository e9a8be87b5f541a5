package sim

import (
	"fmt"

	"lockstep/engine/schedule"
	"lockstep/engine/unit"
	"lockstep/sizing/cost"
)

// MaxTransfers bounds messages × slices of what Play plays.
const MaxTransfers = 1 << 20

// Setup is what a schedule is played with.
type Setup struct {
	Elements int          // of the full buffer
	Width    int          // bytes of an element
	Network  cost.Network // flat; of no meaning with a Fabric
	Fabric   *Fabric      // nil for the flat network
	Slices   int          // σ; 0 means 1
}

// Transfer is one slice of one message.
type Transfer struct {
	Step     int // the ID of the message's first step
	Round    int // raw number
	Src, Dst int // -1 for the network, which passes on what many give or hands one's to many
	// Srcs and Dsts are the ranks whose sending and receiving ports it takes.
	Srcs, Dsts []int
	Slice      int
	Bytes      int

	Ready     unit.Seconds // may leave: until Start it waits for a port
	Start     unit.Seconds // begins to occupy both ports
	End       unit.Seconds // has left; the ports are free
	Delivered unit.Seconds // has arrived
	Applied   unit.Seconds // is in its place: it waited for what had to come first
}

// Timeline is a schedule played in cost time.
type Timeline struct {
	Time      unit.Seconds   // when everything was done
	Transfers []Transfer     // in ascending (step, slice)
	Rounds    []unit.Seconds // the end of each counted round
	Phases    []unit.Seconds // the end of each of the schedule's phases
}

// Play plays s, which must have passed Check. It returns an error when the
// setup is unusable and when there are more than MaxTransfers transfers.
func Play(s *schedule.Schedule, setup Setup) (*Timeline, error) {
	setup.Slices = max(setup.Slices, 1)
	if err := setup.check(s); err != nil {
		return nil, fmt.Errorf("play %s/%s for %d ranks: %w", s.Collective, s.Algorithm, s.Ranks, err)
	}
	g, err := newGraph(s, setup.Slices)
	if err != nil {
		return nil, fmt.Errorf("play %s/%s for %d ranks: %w", s.Collective, s.Algorithm, s.Ranks, err)
	}
	p := newPlayer(s, g, setup)
	if err := p.play(); err != nil {
		return nil, fmt.Errorf("play %s/%s for %d ranks: %w", s.Collective, s.Algorithm, s.Ranks, err)
	}
	return p.timeline(), nil
}

func (setup Setup) check(s *schedule.Schedule) error {
	if setup.Elements < 0 || setup.Width < 1 {
		return fmt.Errorf("%d elements of %d bytes", setup.Elements, setup.Width)
	}
	if err := s.Collective.FitElements(s.Ranks, setup.Elements); err != nil {
		return err
	}
	if setup.Fabric != nil {
		return setup.Fabric.fits(s.Ranks)
	}
	return setup.Network.Check()
}

// timeline collects the result once everything is done.
func (p *player) timeline() *Timeline {
	t := &Timeline{Transfers: p.transfers}
	for _, end := range p.roundEnd {
		t.Time = max(t.Time, end)
	}
	last := 0
	for i := range p.graph.messages {
		if round := p.graph.messages[i].round; round != last {
			last = round
			t.Rounds = append(t.Rounds, p.roundEnd[round])
		}
	}
	for _, phase := range p.schedule.Phases {
		end := unit.Seconds(0)
		for round := phase.First; round <= phase.Last && round < len(p.roundEnd); round++ {
			end = max(end, p.roundEnd[round])
		}
		t.Phases = append(t.Phases, end)
	}
	return t
}
