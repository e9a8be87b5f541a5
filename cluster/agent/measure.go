package agent

import (
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"slices"
	"time"

	"lockstep/cluster/wire"
	"lockstep/engine/unit"
)

// A measurement goes over one connection, as an edge of a run would. The
// dialler leads: it sends pings of pingSize, each of which comes back, until one
// says that bytes are next. Bytes flow in blocks whose first byte says whether
// it is the last; whoever receives them measures.
const (
	pingSize  = 8
	pingAgain = 0
	pingLast  = 1

	blockSize = 64 << 10
	blockMore = 0
	blockLast = 1

	resultSize = 8
	minPings   = 8
	maxPings   = 5000
)

// measure leads a measurement.
func measure(peer net.Conn, order wire.ProbeOrder) (report wire.ProbeReport, err error) {
	if report.Latency, err = ping(peer, order.Pings); err != nil {
		return wire.ProbeReport{}, fmt.Errorf("measure latency: %w", err)
	}
	if err := pour(peer, order.Transfer); err != nil {
		return wire.ProbeReport{}, fmt.Errorf("measure rate out: %w", err)
	}
	var result [resultSize]byte
	if _, err := io.ReadFull(peer, result[:]); err != nil {
		return wire.ProbeReport{}, fmt.Errorf("measure rate out: %w", err)
	}
	report.Out = unit.Rate(binary.BigEndian.Uint64(result[:]))
	if report.In, err = drain(peer, order.Transfer); err != nil {
		return wire.ProbeReport{}, fmt.Errorf("measure rate in: %w", err)
	}
	return report, nil
}

// answerProbe is the other end of measure.
func answerProbe(peer net.Conn, order wire.ProbeOrder) error {
	var ball [pingSize]byte
	for n := 0; ball[0] != pingLast; n++ {
		if n > maxPings {
			return fmt.Errorf("answer pings: more than %d of them", maxPings)
		}
		if _, err := io.ReadFull(peer, ball[:]); err != nil {
			return fmt.Errorf("answer pings: %w", err)
		}
		if _, err := peer.Write(ball[:]); err != nil {
			return fmt.Errorf("answer pings: %w", err)
		}
	}
	rate, err := drain(peer, order.Transfer)
	if err != nil {
		return fmt.Errorf("receive bytes: %w", err)
	}
	var result [resultSize]byte
	binary.BigEndian.PutUint64(result[:], uint64(rate))
	if _, err := peer.Write(result[:]); err != nil {
		return fmt.Errorf("say the rate: %w", err)
	}
	if err := pour(peer, order.Transfer); err != nil {
		return fmt.Errorf("send bytes: %w", err)
	}
	return nil
}

// ping returns half of the median round trip.
func ping(peer net.Conn, long time.Duration) (unit.Seconds, error) {
	trips := make([]time.Duration, 0, maxPings)
	began := time.Now()
	for done := false; !done; {
		done = len(trips) == maxPings-1 || len(trips) >= minPings && time.Since(began) >= long
		ball := [pingSize]byte{pingAgain}
		if done {
			ball[0] = pingLast
		}
		sent := time.Now()
		if _, err := peer.Write(ball[:]); err != nil {
			return 0, err
		}
		if _, err := io.ReadFull(peer, ball[:]); err != nil {
			return 0, err
		}
		trips = append(trips, time.Since(sent))
	}
	slices.Sort(trips)
	return unit.FromDuration(trips[len(trips)/2]) / 2, nil
}

// pour sends bytes for so long.
func pour(peer net.Conn, long time.Duration) error {
	block := make([]byte, blockSize)
	for began := time.Now(); block[0] != blockLast; {
		block[0] = blockMore
		if time.Since(began) >= long {
			block[0] = blockLast
		}
		if _, err := peer.Write(block); err != nil {
			return err
		}
	}
	return nil
}

// drain receives bytes to the last and returns their rate. It leaves out the
// first quarter, in which TCP finds out how fast it may go.
func drain(peer net.Conn, long time.Duration) (unit.Rate, error) {
	block := make([]byte, blockSize)
	var first, counted time.Time
	var bytes int64
	for {
		if _, err := io.ReadFull(peer, block); err != nil {
			return 0, err
		}
		now := time.Now()
		switch {
		case first.IsZero():
			first = now
		case counted.IsZero() && (now.Sub(first) >= long/4 || block[0] == blockLast):
			// A link so slow that the last block comes first is measured by it.
			if counted = now; block[0] == blockLast {
				counted, bytes = first, blockSize
			}
		case !counted.IsZero():
			bytes += blockSize
		}
		if block[0] == blockLast {
			break
		}
	}
	elapsed := time.Since(counted)
	if counted.IsZero() || elapsed <= 0 || bytes == 0 {
		return 0, fmt.Errorf("too few bytes came to tell a rate")
	}
	return unit.Rate(float64(bytes) / elapsed.Seconds()), nil
}
