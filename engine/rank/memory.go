package rank

import (
	"bytes"
	"errors"
	"fmt"

	"lockstep/engine/schedule"
)

// Memory is the three buffers of a rank, outside the Go heap, so that their
// size does not move the garbage collector. Exec writes them; nobody else
// touches them while it runs.
type Memory struct {
	In, Out, Tmp []byte
}

// Bytes returns how many bytes the buffers of one rank take.
func Bytes(p *schedule.Program, elements, width int) int {
	total := 0
	for _, buf := range []schedule.Buf{schedule.In, schedule.Out, schedule.Tmp} {
		total += bufferBytes(p, buf, elements, width)
	}
	return total
}

func bufferBytes(p *schedule.Program, buf schedule.Buf, elements, width int) int {
	frame := p.Frame()
	return frame.ChunkStart(elements, frame.BufChunks(p.Rank, buf)) * width
}

// NewMemory allocates the buffers of one rank. Close frees them.
func NewMemory(p *schedule.Program, elements, width int) (*Memory, error) {
	m := &Memory{}
	for _, b := range []struct {
		buf    schedule.Buf
		memory *[]byte
	}{{schedule.In, &m.In}, {schedule.Out, &m.Out}, {schedule.Tmp, &m.Tmp}} {
		size := bufferBytes(p, b.buf, elements, width)
		if size == 0 {
			continue
		}
		memory, err := allocate(size)
		if err != nil {
			return nil, errors.Join(fmt.Errorf("allocate %d bytes for %s of rank %d: %w", size, b.buf, p.Rank, err), m.Close())
		}
		*b.memory = memory
	}
	return m, nil
}

// Close frees the buffers.
func (m *Memory) Close() error {
	var errs []error
	for _, memory := range []*[]byte{&m.In, &m.Out, &m.Tmp} {
		if *memory != nil {
			errs = append(errs, release(*memory))
			*memory = nil
		}
	}
	return errors.Join(errs...)
}

func (m *Memory) buffer(b schedule.Buf) []byte {
	switch b {
	case schedule.In:
		return m.In
	case schedule.Out:
		return m.Out
	}
	return m.Tmp
}

// FillIn writes the inputs of rank. It calls each after every piece, with the
// bytes written, and stops early when each returns false.
func (m *Memory) FillIn(fill Fill, rank, width int, each func(n int) bool) {
	const piece = 1 << 20
	for at := 0; at < len(m.In); at += piece {
		part := m.In[at:min(at+piece, len(m.In))]
		fill(rank, at/width, part)
		if !each(len(part)) {
			return
		}
	}
}

// poison overwrites out and tmp with a pattern that no chunk of a result is
// made of (0xff.. is a NaN, or the highest number again and again), so that what
// an earlier iteration left cannot pass for a result.
func (m *Memory) poison(each func(n int)) {
	pattern := bytes.Repeat([]byte{0xff}, 256<<10)
	for _, memory := range [][]byte{m.Out, m.Tmp} {
		for len(memory) > 0 {
			n := copy(memory, pattern)
			each(n)
			memory = memory[n:]
		}
	}
}
