package calibrate

import (
	"time"

	"lockstep/engine/schedule"
	"lockstep/sizing/cost"
	"lockstep/sizing/sim"
)

// maxTransfers bounds the messages × slices of a sample that are played: a fit
// plays each many times while a person waits.
const maxTransfers = 1 << 12

// row is a sample as an equation: time = latencies·α + bytes/B, near a network.
type row struct {
	sample    Sample
	schedule  *schedule.Schedule
	slices    int
	time      float64 // seconds
	latencies float64
	bytes     float64
}

func newRow(s Sample) (*row, error) {
	sched, err := schedule.Build(s.Request)
	if err != nil {
		return nil, err
	}
	r := &row{sample: s, schedule: sched, slices: max(s.Slices, 1), time: float64(s.Time)}
	if messages := sched.Traffic().Messages; messages > 0 {
		r.slices = min(r.slices, max(1, maxTransfers/messages))
	}
	return r, nil
}

// play returns what the run would take on a network, in seconds.
func (r *row) play(n cost.Network) (float64, error) {
	line, err := sim.Play(r.schedule, sim.Setup{
		Elements: int(r.sample.Size) / r.sample.Width, Width: r.sample.Width, Network: n, Slices: r.slices,
	})
	if err != nil {
		return 0, err
	}
	return float64(line.Time), nil
}

// linearise finds the latencies and the bytes of the critical path near a
// network. The time is homogeneous: twice α and twice 1/B take twice as long,
// so the bytes are what the latencies leave.
func (r *row) linearise(alpha, beta float64) error {
	near := network(alpha, beta)
	t, err := r.play(near)
	if err != nil {
		return err
	}
	further := near
	further.Latency += max(near.Latency/10, time.Microsecond)
	later, err := r.play(further)
	if err != nil {
		return err
	}
	r.latencies = (later - t) / (further.Latency - near.Latency).Seconds()
	r.bytes = max(0, (t-r.latencies*near.Latency.Seconds())*float64(near.Bandwidth))
	return nil
}
