package msccl

import (
	"fmt"

	"lockstep/engine/schedule"
)

// colls are the collectives that the format knows, by its names.
var colls = []struct {
	name       string
	collective schedule.Collective
}{
	{"allreduce", schedule.AllReduce},
	{"allgather", schedule.AllGather},
	{"reducescatter", schedule.ReduceScatter},
	{"reduce_scatter", schedule.ReduceScatter}, // msccl-tools' spelling
	{"alltoall", schedule.AllToAll},
	{"broadcast", schedule.Broadcast},
	{"reduce", schedule.ReduceTo},
	{"gather", schedule.Gather},
	{"scatter", schedule.Scatter},
}

const acceptedColls = "allreduce, allgather, reducescatter, alltoall, broadcast, reduce, gather, scatter"

// kind is the type of a step.
type kind uint8

const (
	send kind = iota
	receive
	receiveCopySend
	receiveReduceSend
	receiveReduceCopy
	receiveReduceCopySend
	localCopy
	localReduce
	nothing
)

var kindNames = [...]string{"s", "r", "rcs", "rrs", "rrc", "rrcs", "cpy", "re", "nop"}

func (k kind) String() string { return kindNames[k] }

// What a step of the kind does on its own gpu.
func (k kind) sends() bool {
	return k == send || k == receiveCopySend || k == receiveReduceSend || k == receiveReduceCopySend
}
func (k kind) receives() bool { return k >= receive && k <= receiveReduceCopySend }
func (k kind) usesSrc() bool {
	return k == send || k >= receiveReduceSend && k <= localReduce
}
func (k kind) usesDst() bool {
	return k == receive || k == receiveCopySend || k >= receiveReduceCopy && k <= localReduce
}

// buffer is one of a gpu's three buffers.
type buffer uint8

const (
	input buffer = iota
	output
	scratch
)

var bufferNames = [...]string{"i", "o", "s"}

func (b buffer) String() string { return bufferNames[b] }

// step is a step of the file.
type step struct {
	gpu, tb        int32 // positions, not the numbers in the file
	s              int32
	line           int32
	kind           kind
	src, dst       buffer
	srcOff, dstOff int32
	count          int32
	depTB, depStep int32 // -1 for none
	id, round      int32 // -1 where the file does not say
	from           int32 // index of the step that sends what this one receives, else -1
	to             int32 // index of the step that receives what this one sends, else -1
}

// block is a thread block: steps[first:last].
type block struct {
	send, recv, channel int // peers, -1 for none
	line                int
	first, last         int
}

type gpu struct {
	line   int
	chunks [3]int // by buffer
	blocks []block
}

// algo is a file as read: its form is right, its meaning is not looked at.
type algo struct {
	line       int
	name       string
	collective schedule.Collective
	root       int // -1 where the file does not say
	ranks      int
	chunks     int
	inPlace    bool // i and o are the same memory
	gpus       []gpu
	steps      []step
}

// name says which step of the file st is.
func (st *step) name() string {
	return fmt.Sprintf("step %d of thread block %d of gpu %d", st.s, st.tb, st.gpu)
}

// Error is a file that cannot be read, or whose steps cannot be carried out.
type Error struct {
	Line    int
	Code    string // Unreadable, unmatched, unequal-counts, deadlock, missing-data, wrong-data or size
	Message string // what is wrong and what is accepted
}

func (e *Error) Error() string { return fmt.Sprintf("line %d: %s", e.Line, e.Message) }

func refuse(code string, line int, format string, args ...any) *Error {
	return &Error{line, code, fmt.Sprintf(format, args...)}
}

// Unreadable is the Code of a file whose form is wrong. The other codes are of
// files that say what cannot be carried out.
const Unreadable = "unreadable"
