package schedule

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// lecture writes a schedule as one would on a board, a line per round:
//
//	2: 1.out0-3 += 0.in0-3; 2.tmp0 = 2.in0
//
// is round 2, in which rank 1 adds chunks 0 to 3 of rank 0's in to its out, and
// rank 2 copies a chunk within itself.
func lecture(s *Schedule) string {
	var b strings.Builder
	round := 0
	for i := range s.Steps {
		step := &s.Steps[i]
		if step.Round != round {
			round = step.Round
			fmt.Fprintf(&b, "\n%d: ", round)
		} else {
			b.WriteString("; ")
		}
		becomes := " = "
		if step.Op == Reduce {
			becomes = " += "
		}
		b.WriteString(chunksOf(step.Destinations(), step.DstBuf, step.DstChunk, step.Count) + becomes +
			chunksOf(step.Sources(), step.SrcBuf, step.SrcChunk, step.Count))
	}
	return strings.TrimPrefix(b.String(), "\n")
}

func chunksOf(ranks []int, buf Buf, first, count int) string {
	text := strings.ReplaceAll(strings.Trim(fmt.Sprint(ranks), "[]"), " ", ",")
	text += fmt.Sprintf(".%s%d", buf, first)
	if count > 1 {
		text += fmt.Sprintf("-%d", first+count-1)
	}
	return text
}

// lesson is a schedule that is written out by hand.
type lesson struct {
	request Request
	rounds  []string
}

func holdToLessons(t *testing.T, lessons []lesson) {
	t.Helper()
	for _, l := range lessons {
		want, got := strings.Join(l.rounds, "\n"), lecture(mustBuild(t, l.request))
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%+v (-want +got):\n%s", l.request, diff)
		}
	}
}
