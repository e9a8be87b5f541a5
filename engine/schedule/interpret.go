package schedule

import "fmt"

// Combine merges src into dst, element by element; both hold the same number
// of whole elements.
type Combine func(dst, src []byte)

// Data is what Interpret works on: a full buffer of Elements elements, each
// Width bytes.
type Data struct {
	Elements int
	Width    int
	Combine  Combine
	Finish   func(data []byte) // see Finish; nil for nothing
	// Input fills dst with the elements of rank's in buffer from first on.
	Input func(rank, first int, dst []byte)
	// Output receives every element of every rank's out exactly once: those of
	// one chunk from first on, at most Window at a time, ascending within the
	// chunk. The slice is reused.
	Output func(rank, chunk, first int, data []byte)
	// Window is the number of elements of each chunk held at a time; 0 picks
	// one that keeps the whole in about 64 MiB.
	Window int
}

// Interpret plays s on real data, in the schedule's own order: the reference
// that real runs are compared with, bit for bit. It holds a window of every
// chunk of every rank at a time, so memory does not grow with the size. The
// schedule must have passed Check.
func Interpret(s *Schedule, d Data) error {
	if d.Width < 1 || d.Elements < 0 {
		return fmt.Errorf("interpret %d elements of %d bytes", d.Elements, d.Width)
	}
	if err := s.Collective.FitElements(s.Ranks, d.Elements); err != nil {
		return err
	}
	c := newCells(s)
	if d.Window <= 0 {
		d.Window = max(1, (64<<20)/(d.Width*max(c.total, 1)))
	}
	longest := s.ChunkLen(d.Elements, 0) // the first chunk is never shorter than another
	d.Window = min(d.Window, max(longest, 1))
	memory := make([]byte, c.total*d.Window*d.Width)
	for from := 0; from < longest; from += d.Window {
		w := window{s, c, d, memory, from}
		w.play()
	}
	return nil
}

// window is the play of elements [from, from + Window) of every chunk.
type window struct {
	s      *Schedule
	c      cells
	d      Data
	memory []byte
	from   int
}

// length returns how many elements of the chunk lie in the window.
func (w *window) length(chunk int) int {
	return min(max(w.s.ChunkLen(w.d.Elements, chunk)-w.from, 0), w.d.Window)
}

// piece returns the memory of a chunk's part in the window.
func (w *window) piece(rank int, buf Buf, chunk int) []byte {
	start := w.c.at(rank, buf, chunk) * w.d.Window * w.d.Width
	return w.memory[start : start+w.length(chunk)*w.d.Width]
}

func (w *window) play() {
	for rank := range w.s.Ranks {
		for chunk := range w.c.sizes[rank][In] {
			if data := w.piece(rank, In, chunk); len(data) > 0 {
				w.d.Input(rank, w.s.ChunkStart(w.d.Elements, chunk)+w.from, data)
			}
		}
	}
	for i := range w.s.Steps {
		w.step(&w.s.Steps[i])
	}
	for rank := range w.s.Ranks {
		for chunk := range w.c.sizes[rank][Out] {
			if data := w.piece(rank, Out, chunk); len(data) > 0 {
				if w.d.Finish != nil && w.s.Collective.Reduces() {
					w.d.Finish(data)
				}
				w.d.Output(rank, chunk, w.s.ChunkStart(w.d.Elements, chunk)+w.from, data)
			}
		}
	}
}

func (w *window) step(step *Step) {
	for i := range step.Count {
		switch step.Op {
		case Copy:
			copy(w.piece(step.Dst, step.DstBuf, step.DstChunk+i), w.piece(step.Src, step.SrcBuf, step.SrcChunk+i))
		case Reduce:
			w.d.Combine(w.piece(step.Dst, step.DstBuf, step.DstChunk+i), w.piece(step.Src, step.SrcBuf, step.SrcChunk+i))
		case Multicast:
			for _, rank := range step.Group {
				copy(w.piece(rank, step.DstBuf, step.DstChunk+i), w.piece(step.Src, step.SrcBuf, step.SrcChunk+i))
			}
		case NetReduce:
			// The destination may be a source of the same step elsewhere in its
			// buffer, never the chunk itself: combine in a buffer of its own.
			sum := append([]byte(nil), w.piece(step.Group[0], step.SrcBuf, step.SrcChunk+i)...)
			for _, rank := range step.Group[1:] {
				w.d.Combine(sum, w.piece(rank, step.SrcBuf, step.SrcChunk+i))
			}
			copy(w.piece(step.Dst, step.DstBuf, step.DstChunk+i), sum)
		}
	}
}
