package worker

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"sync"
	"time"

	"lockstep/engine/kernel"
	"lockstep/engine/library/mpi"
	"lockstep/engine/rank"
	"lockstep/engine/schedule"
	"lockstep/engine/trace"
)

// check refuses a job outside the worker's bounds before anything is allocated
// for it.
func (j *Job) check() error {
	if j.Protocol != Protocol {
		return fmt.Errorf("the console speaks protocol %d, this worker %d: both must be the same build", j.Protocol, Protocol)
	}
	spec, err := j.Spec.Resolve()
	if err != nil {
		return fmt.Errorf("refuse the job: %w", err)
	}
	j.Spec = spec
	if j.Program == nil {
		return fmt.Errorf("refuse the job: it has no program")
	}
	if err := rank.CheckProgram(j.Program, j.Slices); err != nil {
		return fmt.Errorf("refuse the job: %w", err)
	}
	switch {
	case j.Program.Ranks != spec.Ranks || j.Program.Collective != spec.Collective:
		return fmt.Errorf("refuse the job: the program is of %s with %d ranks, the run of %s with %d", j.Program.Collective, j.Program.Ranks, spec.Collective, spec.Ranks)
	case j.Window < 1:
		return fmt.Errorf("refuse the job: rows of %d elements", j.Window)
	case (spec.Link == trace.Shm) != (j.Place.Shm != nil):
		return fmt.Errorf("refuse the job: a link over %s, with a segment: %v", spec.Link, j.Place.Shm != nil)
	case j.Dwell < 0 || j.Dwell > time.Minute:
		return fmt.Errorf("refuse the job: rounds of %v; accepted: a minute at most", j.Dwell)
	}
	for i := range j.Stops {
		if j.Stops[i] < 1 || i > 0 && j.Stops[i] <= j.Stops[i-1] {
			return fmt.Errorf("refuse the job: stops are rounds, ascending")
		}
	}
	// A chunk may take the whole buffer, and tmp has as many as it likes.
	frame := j.Program.Frame()
	if tmp := frame.ChunkStart(spec.Elements(), j.Program.TmpChunks); tmp > int(trace.MaxSize)/spec.DType.Width() {
		return fmt.Errorf("refuse the job: tmp of %d elements", tmp)
	}
	return nil
}

// job takes a job from the console and carries it out, up to the digests and
// the questions that follow.
func (s *server) job(ctx context.Context) error {
	var job Job
	if err := s.await(ctx, kindJob, &job); err != nil {
		return err
	}
	if err := job.check(); err != nil {
		return err
	}
	spec, program, width := job.Spec, job.Program, job.Spec.DType.Width()
	reduce, fill, err := s.arithmetic(spec)
	if err != nil {
		return err
	}
	iterations := spec.Warmups() + spec.Iterations
	progress := rank.NewProgress(len(program.Moves), job.Slices, iterations)
	s.progress.Store(progress)
	memory, err := rank.NewMemory(program, spec.Elements(), width)
	if err != nil {
		return err
	}
	defer memory.Close()
	memory.FillIn(fill, program.Rank, width, func(bytes int) bool {
		progress.Moved.Add(int64(bytes))
		return ctx.Err() == nil
	})
	var world *mpi.World
	var edges rank.Link
	if spec.Backend == trace.MPI {
		if world, err = join(&job); err != nil {
			return err
		}
		defer leave(ctx, world)
		edges, err = s.over(ctx, world, &job, progress)
	} else {
		edges, err = s.connect(ctx, job, progress)
	}
	if err != nil {
		return err
	}
	if edges != nil {
		defer edges.Close()
	}
	if err := s.send(kindReady, nil); err != nil {
		return fmt.Errorf("say ready: %w", err)
	}
	if edges == nil {
		err = s.call(ctx, world, &job, memory, progress)
	} else {
		err = s.play(ctx, job, memory, edges, progress, reduce)
	}
	if err != nil {
		return err
	}
	rows := rank.NewRows(program.Frame(), program.Rank, spec.Elements(), width, job.Window)
	if err := s.digest(ctx, rows, memory.Out); err != nil {
		return err
	}
	return s.answer(ctx, rows, memory.Out)
}

// play carries out the rank's program.
func (s *server) play(ctx context.Context, job Job, memory *rank.Memory, edges rank.Link, progress *rank.Progress, reduce kernel.Reduce) error {
	spec, program := job.Spec, job.Program
	tag := sha256.Sum256([]byte(job.Run))
	var finish func([]byte)
	if program.Collective.Reduces() {
		finish = schedule.Finish(spec.DType, spec.Op, program.Ranks)
	}
	if err := s.execute(ctx, rank.Job{
		Program: program, Elements: spec.Elements(), Width: spec.DType.Width(), Slices: job.Slices, Iterations: spec.Warmups() + spec.Iterations,
		Tag: binary.BigEndian.Uint32(tag[:]), Reduce: reduce, Finish: finish, Burst: job.Place.Burst,
		Stops: job.Stops, Dwell: job.Dwell, Rate: spec.Pace.Rate,
		Memory: memory, Link: edges, Progress: progress, Brake: &s.brake, Silent: s.cfg.Silent,
	}, job.Place); err != nil {
		return &runError{err}
	}
	return nil
}

func (s *server) arithmetic(spec trace.Spec) (kernel.Reduce, rank.Fill, error) {
	reduce, fill := s.cfg.Reduce, s.cfg.Fill
	var err error
	if reduce == nil {
		if reduce, err = kernel.NewReduce(spec.DType, spec.Op); err != nil {
			return nil, nil, err
		}
	}
	if fill == nil {
		if fill, err = rank.NewFill(spec.DType, spec.Op); err != nil {
			return nil, nil, err
		}
	}
	return reduce, fill, nil
}

// execute runs the job and reports meanwhile.
func (s *server) execute(ctx context.Context, job rank.Job, place Place) error {
	return s.reporting(job.Progress, func() error {
		if !place.Pinned {
			return rank.Exec(ctx, job)
		}
		var err error
		pinned(place.Seat, func() { err = rank.Exec(ctx, job) })
		return err
	})
}

// reporting reports what run reaches; at the end everything has been reported.
func (s *server) reporting(progress *rank.Progress, run func() error) error {
	r := newReporter(s.stream, progress)
	done := make(chan struct{})
	var beside sync.WaitGroup
	beside.Go(func() { r.run(done) })
	err := run()
	close(done)
	beside.Wait()
	if sent := r.flush(); err == nil {
		err = sent
	}
	return err
}

// digest sends the digests of all rows.
func (s *server) digest(ctx context.Context, rows rank.Rows, out []byte) error {
	const batch = 4096
	digests := make([]rank.Digest, 0, min(batch, rows.Count()))
	var body []byte
	first := 0
	for i := 0; i <= rows.Count(); i++ {
		if err := context.Cause(ctx); err != nil {
			return err
		}
		last := i == rows.Count()
		if last || len(digests) == batch {
			body = appendDigests(body[:0], first, last, digests)
			if err := s.send(kindDigests, body); err != nil {
				return fmt.Errorf("send digests: %w", err)
			}
			first, digests = i, digests[:0]
		}
		if !last {
			digests = append(digests, rows.Digest(out, i))
		}
	}
	return nil
}

// answer sends pieces of rows until the worker is told to quit.
func (s *server) answer(ctx context.Context, rows rank.Rows, out []byte) error {
	piece := make([]byte, pieceSize)
	for {
		var q fetch
		if err := s.await(ctx, kindFetch, &q); err != nil {
			return err
		}
		if q.Row < 0 || q.Row >= rows.Count() || q.Offset < 0 {
			return fmt.Errorf("asked for row %d from byte %d: there are %d rows", q.Row, q.Offset, rows.Count())
		}
		if err := s.send(kindPiece, piece[:rows.Read(piece, out, q.Row, q.Offset)]); err != nil {
			return fmt.Errorf("send row %d: %w", q.Row, err)
		}
	}
}
