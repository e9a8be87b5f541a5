package worker

import (
	"context"
	"errors"
	"fmt"
	"os"

	"lockstep/cluster/inventory"
	"lockstep/engine/link"
	"lockstep/engine/rank"
	"lockstep/engine/trace"
	"lockstep/engine/unit"
)

// connect builds the rank's edges, and returns when those of all ranks stand.
func (s *server) connect(ctx context.Context, job Job, progress *rank.Progress) (rank.Link, error) {
	if job.Spec.Link == trace.Shm {
		return s.share(ctx, job)
	}
	to, from := rank.Peers(job.Program)
	listener, err := link.Listen(link.Config{
		Run: job.Run, Key: job.Key, Rank: job.Program.Rank, Ranks: job.Program.Ranks, To: to, From: from,
		Bind: job.Place.Bind, Ports: job.Place.Ports, Advertise: job.Place.Advertise, Sealed: job.Place.Sealed,
		Shared: job.Place.Shared, Crowded: job.Place.Crowded, Buffer: socketBuffer(job.Spec.Pace.Rate), Meter: &progress.Moved,
	})
	if err != nil {
		return nil, err
	}
	defer listener.Close()
	addresses, err := s.meet(ctx, listener.Addr())
	if err != nil {
		return nil, err
	}
	return listener.Connect(ctx, addresses)
}

// socketBuffer returns what a connection may hold of a paced run: about 5 ms
// of its rate, so that a sender does not run far ahead of its receiver where a
// person watches.
func socketBuffer(rate unit.Rate) int {
	if rate == 0 {
		return 0
	}
	return int(min(max(float64(rate)*0.005, 64<<10), 256<<10))
}

// meet says where this rank is found, and returns where all are.
func (s *server) meet(ctx context.Context, address string) ([]string, error) {
	return s.introduce(ctx, Listening{Address: address})
}

func (s *server) introduce(ctx context.Context, self Listening) ([]string, error) {
	if err := s.sendJSON(kindListening, self); err != nil {
		return nil, fmt.Errorf("say where peers find me: %w", err)
	}
	var all peers
	if err := s.await(ctx, kindPeers, &all); err != nil {
		return nil, err
	}
	for rank, address := range all.Addresses {
		if address == InMemory { // nobody dials that
			continue
		}
		if _, err := inventory.ParseAddress(address); err != nil {
			return nil, fmt.Errorf("rank %d cannot be dialled: %w", rank, err)
		}
	}
	return all.Addresses, nil
}

// share takes the rank's place in the segment.
func (s *server) share(ctx context.Context, job Job) (rank.Link, error) {
	file := s.cfg.Segment
	if file == nil {
		return nil, errors.New("share memory: this process was given none")
	}
	segment, err := link.OpenSegment(file, job.Place.Shm.Size)
	if err != nil {
		return nil, err
	}
	shm, err := link.NewShm(link.ShmConfig{
		Plan: *job.Place.Shm, Memory: segment.Memory, Rank: job.Program.Rank,
		Crowded: job.Place.Crowded, Paced: job.Spec.Pace.Paced(), Process: os.Getpid(),
	})
	if err != nil {
		return nil, errors.Join(err, segment.Close())
	}
	shared := &sharing{shm, segment}
	if _, err := s.meet(ctx, InMemory); err != nil {
		return nil, errors.Join(err, shared.Close())
	}
	return shared, nil
}

// InMemory stands where a rank over sockets has an address: nobody dials it.
const InMemory = "shm"

// sharing is a link with the segment that it uses.
type sharing struct {
	*link.Shm
	segment *link.Segment
}

func (s *sharing) Close() error { return errors.Join(s.Shm.Close(), s.segment.Close()) }
