package conduct

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"lockstep/cluster/worker"
	"lockstep/engine/rank"
	"lockstep/engine/schedule"
	"lockstep/engine/trace"
)

// verdict is how the verification ended.
type verdict struct {
	mismatch *rank.Mismatch
	err      error
}

// verify compares what the ranks hold with the reference, beside the
// conductor, which goes on watching the ranks meanwhile.
func (r *Conductor) verify(ctx context.Context, digests [][]rank.Digest) {
	mismatch, err := r.compare(ctx, digests)
	r.tell(word{at: time.Now(), verdict: &verdict{mismatch, err}})
}

func (r *Conductor) compare(ctx context.Context, digests [][]rank.Digest) (*rank.Mismatch, error) {
	fill, err := rank.NewFill(r.spec.DType, r.spec.Op)
	if err != nil {
		return nil, err
	}
	combine, err := schedule.Arithmetic(r.spec.DType, r.spec.Op)
	if err != nil {
		return nil, err
	}
	return rank.Verify(ctx, rank.Claim{
		Schedule: r.plan.reference, Elements: r.spec.Elements(), Width: r.spec.DType.Width(), Window: r.plan.Window,
		Digests: digests, Fill: fill, Combine: combine, Finish: schedule.Finish(r.spec.DType, r.spec.Op, r.spec.Ranks),
		Fetch: func(ctx context.Context, i, row, offset int) ([]byte, error) {
			select {
			case r.members[i].orders <- func(w *worker.Rank) error { return w.Fetch(row, offset) }:
			case <-ctx.Done():
				return nil, ctx.Err()
			}
			select {
			case piece := <-r.pieces:
				return piece, nil
			case <-ctx.Done():
				return nil, ctx.Err()
			}
		},
	})
}

// judge ends the run by the verdict.
func (r *Conductor) judge(v verdict) {
	switch {
	case v.err != nil:
		r.fail(trace.Failure{Kind: trace.Internal, Step: -1, Message: fmt.Sprintf("the result could not be verified: %v", v.err)})
	case v.mismatch != nil:
		m := v.mismatch
		got, want := schedule.Show(r.spec.DType, m.Got), schedule.Show(r.spec.DType, m.Want)
		f := trace.Failure{
			Kind: trace.WrongResult, Culprit: r.culprit(m.Rank), Step: -1,
			Message: fmt.Sprintf("%s ends with a wrong result: element %d (out chunk %d) is %s, expected %s", r.name(m.Rank), m.Element, m.Chunk, got, want),
			Values:  trace.Values{"element": strconv.Itoa(m.Element), "got": got, "want": want},
		}
		moves := r.plan.Programs[m.Rank].Moves
		for i := range moves { // the last to write the chunk
			if w := &moves[i]; w.Kind != schedule.Send && w.DstBuf == schedule.Out && w.DstChunk <= m.Chunk && m.Chunk < w.DstChunk+w.Count {
				f.Step, f.Round = w.Step, w.Round
			}
		}
		r.fail(f)
	default:
		r.verified, r.ended = true, true
	}
}
