package schedule

import (
	"fmt"
	"strings"
)

// Fault is the first thing found wrong with a schedule. Step, Round, Rank and
// Chunk are -1 where the fault is not about one.
type Fault struct {
	Code    string // a stable word, such as missing-data or double-count
	Step    int    // the ID of the step
	Round   int    // raw
	Rank    int
	Chunk   int
	Message string
}

func (f *Fault) Error() string {
	var where []string
	if f.Step >= 0 {
		where = append(where, fmt.Sprintf("step %d (round %d)", f.Step, f.Round))
	}
	if f.Rank >= 0 {
		where = append(where, fmt.Sprintf("rank %d", f.Rank))
	}
	if f.Chunk >= 0 {
		where = append(where, fmt.Sprintf("chunk %d", f.Chunk))
	}
	if len(where) == 0 {
		return f.Message
	}
	return strings.Join(where, ", ") + ": " + f.Message
}

// general is a fault of the document as a whole.
func general(code, format string, args ...any) *Fault {
	return &Fault{Code: code, Step: -1, Round: -1, Rank: -1, Chunk: -1, Message: fmt.Sprintf(format, args...)}
}

// atStep is a fault of one step.
func atStep(code string, step *Step, rank, chunk int, format string, args ...any) *Fault {
	return &Fault{Code: code, Step: step.ID, Round: step.Round, Rank: rank, Chunk: chunk, Message: fmt.Sprintf(format, args...)}
}
