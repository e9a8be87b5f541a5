package present

import (
	"math"

	"lockstep/engine/schedule"
	"lockstep/engine/unit"
	"lockstep/sizing/cost"
	"lockstep/sizing/sim"
)

// racer is one algorithm with its schedule played in cost time.
type racer struct {
	entry    schedule.Entry
	schedule *schedule.Schedule
	line     *sim.Timeline
	price    cost.Price
}

// start plays an algorithm for the question.
func (r RaceAsk) start(algorithm string) (*racer, error) {
	entry, err := schedule.Find(r.Collective, algorithm)
	if err != nil {
		return nil, err
	}
	s, err := schedule.Build(schedule.Request{Collective: r.Collective, Algorithm: algorithm, Ranks: r.Ranks, Root: r.Root, RanksPerNode: r.PerNode, Chunks: r.Chunks})
	if err != nil {
		return nil, err
	}
	line, err := sim.Play(s, sim.Setup{Elements: int(r.Size), Width: 1, Network: r.Network})
	if err != nil {
		return nil, err
	}
	price, err := r.question(r.Size).PriceOf(entry)
	if err != nil {
		return nil, err
	}
	return &racer{entry, s, line, price}, nil
}

func (r RaceAsk) question(size unit.Bytes) cost.Question {
	return cost.Question{Collective: r.Collective, Ranks: r.Ranks, RanksPerNode: r.PerNode, Chunks: r.Chunks, Size: size, Network: r.Network}
}

// time is what the whole takes: by the closed form where playing the schedule
// comes to the same, else as played.
func (who *racer) time() unit.Seconds {
	if math.Abs(float64(who.line.Time-who.price.Time)) <= 1e-6*float64(who.price.Time) {
		return who.price.Time
	}
	return who.line.Time
}
