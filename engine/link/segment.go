package link

import (
	"errors"
	"fmt"
	"os"
)

// Segment is memory that processes share. Whoever holds its file may map it.
type Segment struct{ Memory []byte }

// NewSegment returns the file of a segment of that many zero bytes, which has
// no name. It ends when nobody has it open or mapped.
func NewSegment(size int) (*os.File, error) {
	f, err := anonymousFile()
	if err != nil {
		return nil, fmt.Errorf("make shared memory: %w", err)
	}
	if err := f.Truncate(int64(size)); err != nil {
		return nil, errors.Join(fmt.Errorf("make %d bytes of shared memory: %w", size, err), f.Close())
	}
	if err := seal(f); err != nil {
		return nil, errors.Join(fmt.Errorf("seal shared memory: %w", err), f.Close())
	}
	return f, nil
}

// OpenSegment maps the segment of a file, which it closes. The file must hold
// at least size bytes.
func OpenSegment(f *os.File, size int) (*Segment, error) {
	defer f.Close()
	stat, err := f.Stat()
	if err != nil {
		return nil, fmt.Errorf("open shared memory: %w", err)
	}
	if size < 1 || size > maxSegment || stat.Size() < int64(size) {
		return nil, fmt.Errorf("open shared memory: %d bytes of %d", size, stat.Size())
	}
	memory, err := mapShared(f, size)
	if err != nil {
		return nil, fmt.Errorf("map %d bytes of shared memory: %w", size, err)
	}
	return &Segment{memory}, nil
}

// Close unmaps the segment; nobody may use its memory any more.
func (s *Segment) Close() error {
	if s.Memory == nil {
		return nil
	}
	memory := s.Memory
	s.Memory = nil
	return unmapShared(memory)
}
