package e2e

import (
	"bytes"
	"testing"

	"lockstep/e2e/fabric"
	"lockstep/engine/rank"
	"lockstep/engine/schedule"
)

// TestSealedRunsShowNothing looks at a node's link: what a rank sends is seen in
// the packets of a run in the clear, and in none of a sealed one.
func TestSealedRunsShowNothing(t *testing.T) {
	t.Parallel()
	s := newSite(t, fabric.Config{Hosts: 3})
	s.join(1, "n1")
	s.join(2, "n2")
	fill, err := rank.NewFill(schedule.Float32, schedule.Sum)
	if err != nil {
		t.Fatal(err)
	}
	// Every packet of a buffer in the clear holds some of these in a row, wherever
	// it begins.
	const elements = 16 << 10
	buffer := make([]byte, 4*elements)
	fill(0, 0, buffer)
	seen := func(packets [][]byte) (found int) {
		for _, packet := range packets {
			for at := 0; at+pieceBytes <= len(buffer); at += 8 * pieceBytes {
				if bytes.Contains(packet, buffer[at:at+pieceBytes]) {
					found++
					break
				}
			}
		}
		return found
	}
	for _, c := range []struct {
		encryption string
		shows      bool
	}{{"off", true}, {"on", false}} {
		capture, err := s.fabric.Capture(2)
		if err != nil {
			t.Fatal(err)
		}
		o := s.run("--collective", "broadcast", "--algorithm", "chain", "--ranks", "2", "--nodes", "n1,n2", "--size", "64KiB", "--encryption", c.encryption)
		packets, err := capture.End()
		if err != nil {
			t.Fatal(err)
		}
		if o.Outcome != "done" || !o.Verified || o.Link != "tcp" {
			t.Fatalf("encryption %s: %+v, failure %+v", c.encryption, o, o.Failure)
		}
		total := 0
		for _, packet := range packets {
			total += len(packet)
		}
		if total < len(buffer) {
			t.Fatalf("encryption %s: only %d bytes crossed the link", c.encryption, total)
		}
		if found := seen(packets); (found > 0) != c.shows {
			t.Errorf("encryption %s: %d of %d packets show what a rank sent", c.encryption, found, len(packets))
		}
	}
}

// pieceBytes is how much of a buffer is recognised in a packet.
const pieceBytes = 64
