//go:build amd64 || arm64

package mpi

import (
	"fmt"
	"unsafe"

	"github.com/ebitengine/purego"

	"lockstep/engine/rank"
	"lockstep/engine/schedule"
)

// Calls is one collective by the library's own call, cut into slices: of the
// vector, or of every block.
type Calls struct {
	w                 *World
	ask               Ask
	dtype, op         uintptr
	spread            [2]uintptr // a slice of a block, one block from the next: a longer slice's, a shorter one's
	in, out           []byte
	next, prev, width int
}

// Calls prepares a collective on buffers as package schedule lays them out.
func (w *World) Calls(ask Ask, in, out []byte) (*Calls, error) {
	if ask.Slices < 1 || ask.Slices > 1 && ask.Collective == schedule.ReduceScatter {
		return nil, fmt.Errorf("%d slices of a %s", ask.Slices, ask.Collective)
	}
	c := &Calls{w: w, ask: ask, in: in, out: out, width: ask.DType.Width(), next: (w.Rank + 1) % w.Ranks, prev: (w.Rank + w.Ranks - 1) % w.Ranks}
	var err error
	if ask.Collective.Reduces() {
		if typeNames[ask.DType] == "" || opNames[ask.Op] == "" {
			return nil, fmt.Errorf("MPI has no %s of %s", ask.Op, ask.DType)
		}
		if c.dtype, err = w.layout.handle(typeNames[ask.DType]); err == nil {
			c.op, err = w.layout.handle(opNames[ask.Op])
		}
		return c, err
	}
	if name, has := typeNames[ask.DType]; has {
		c.dtype, err = w.layout.handle(name)
	} else { // it is only moved: a run of bytes will do
		c.dtype, err = w.run(w.bytes, c.width, c.width)
	}
	if err != nil || !ask.Collective.Blocks() {
		return c, err
	}
	block := ask.Elements / w.Ranks
	for i := range c.spread {
		_, length := rank.Cut(block, ask.Slices, i*(ask.Slices-1))
		if c.spread[i], err = w.run(c.dtype, length, block*c.width); err != nil {
			return c, err
		}
	}
	return c, nil
}

// run is a type of count elements that follow each other, of which one begins
// extent bytes after another.
func (w *World) run(of uintptr, count, extent int) (uintptr, error) {
	var row, spread uintptr
	code, _, _ := purego.SyscallN(w.calls.contiguous, uintptr(count), of, uintptr(unsafe.Pointer(&row)))
	if err := w.check("MPI_Type_contiguous", code); err != nil {
		return 0, err
	}
	code, _, _ = purego.SyscallN(w.calls.resized, row, 0, uintptr(extent), uintptr(unsafe.Pointer(&spread)))
	if err := w.check("MPI_Type_create_resized", code); err != nil {
		return 0, err
	}
	code, _, _ = purego.SyscallN(w.calls.commit, uintptr(unsafe.Pointer(&spread)))
	return spread, w.check("MPI_Type_commit", code)
}

// Barrier returns when all ranks have called it.
func (c *Calls) Barrier() error {
	code, _, _ := purego.SyscallN(c.w.calls.barrier, c.w.comm)
	return c.w.check("MPI_Barrier", code)
}

// Call makes the call for one slice, and returns when it is done on this rank.
func (c *Calls) Call(slice int) error { return c.call(slice, c.ask.Slices) }

// Whole makes the call for all of it at once.
func (c *Calls) Whole() error { return c.call(0, 1) }

func (c *Calls) call(slice, slices int) error {
	w, f, comm, root := c.w, &c.w.calls, c.w.comm, uintptr(c.ask.Root)
	whole := c.ask.Elements
	if c.ask.Collective.Blocks() {
		whole /= w.Ranks
	}
	first, length := rank.Cut(whole, slices, slice)
	n, at := uintptr(length), first*c.width
	// Of a block: a run of elements where there is one, a slice of every block
	// where there are all.
	blocks, each := c.dtype, n
	if c.ask.Collective.Blocks() && !c.ask.Collective.Reduces() {
		each = 1
		if blocks = c.spread[0]; length < (whole+slices-1)/slices {
			blocks = c.spread[1]
		}
		if slices == 1 && c.ask.Slices > 1 {
			blocks, each = c.dtype, n
		}
	}
	in, out := from(c.in, at), from(c.out, at)
	var code uintptr
	name := "MPI_Barrier"
	switch c.ask.Collective {
	case schedule.Barrier:
		return c.Barrier()
	case schedule.Broadcast:
		name = "MPI_Bcast"
		if w.Rank == c.ask.Root {
			copy(c.out[at:at+length*c.width], c.in[at:])
		}
		code, _, _ = purego.SyscallN(f.bcast, out, n, c.dtype, root, comm)
	case schedule.ReduceTo:
		name = "MPI_Reduce"
		code, _, _ = purego.SyscallN(f.reduce, in, out, n, c.dtype, c.op, root, comm)
	case schedule.AllReduce:
		name = "MPI_Allreduce"
		code, _, _ = purego.SyscallN(f.allreduce, in, out, n, c.dtype, c.op, comm)
	case schedule.ReduceScatter:
		name = "MPI_Reduce_scatter_block"
		code, _, _ = purego.SyscallN(f.reduceScatter, in, out, n, c.dtype, c.op, comm)
	case schedule.Scatter:
		name = "MPI_Scatter"
		code, _, _ = purego.SyscallN(f.scatter, in, each, blocks, out, n, c.dtype, root, comm)
	case schedule.Gather:
		name = "MPI_Gather"
		code, _, _ = purego.SyscallN(f.gather, in, n, c.dtype, out, each, blocks, root, comm)
	case schedule.AllGather:
		name = "MPI_Allgather"
		code, _, _ = purego.SyscallN(f.allgather, in, n, c.dtype, out, each, blocks, comm)
	case schedule.AllToAll:
		name = "MPI_Alltoall"
		code, _, _ = purego.SyscallN(f.alltoall, in, each, blocks, out, each, blocks, comm)
	case schedule.SendRecv:
		name = "MPI_Sendrecv"
		code, _, _ = purego.SyscallN(f.sendrecv, in, n, c.dtype, uintptr(c.next), 0, out, n, c.dtype, uintptr(c.prev), 0, comm, w.layout.ignore)
	default:
		return fmt.Errorf("MPI has no %s", c.ask.Collective)
	}
	if int32(code) != 0 {
		return w.check(name, code)
	}
	return nil
}

// from is where a buffer stands at a byte; 0 for one that is not there.
func from(b []byte, at int) uintptr {
	if len(b) == 0 {
		return 0
	}
	return address(b) + uintptr(at)
}
