package store

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// packInts writes the integers that write puts, as gzip over varints.
func packInts(write func(put func(int))) ([]byte, error) {
	var packed bytes.Buffer
	zip := gzip.NewWriter(&packed)
	w := bufio.NewWriter(zip)
	number := make([]byte, 0, binary.MaxVarintLen64)
	write(func(v int) {
		number = binary.AppendVarint(number[:0], int64(v))
		_, _ = w.Write(number) // to memory
	})
	if err := errors.Join(w.Flush(), zip.Close()); err != nil {
		return nil, err
	}
	return packed.Bytes(), nil
}

// intReader reads what packInts has written. After the first failure it reads
// zeros.
type intReader struct {
	from *bufio.Reader
	err  error
}

func newIntReader(packed []byte) (*intReader, error) {
	zip, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errTraceDamaged, err)
	}
	return &intReader{from: bufio.NewReader(zip)}, nil
}

func (r *intReader) next() int {
	if r.err != nil {
		return 0
	}
	v, err := binary.ReadVarint(r.from)
	r.err = err
	return int(v)
}

// begin reads the head of a list: its format, which must be the given one, and
// how many there are, 1 to most.
func (r *intReader) begin(format, most int) (count int, err error) {
	if got := r.next(); r.err == nil && got != format {
		return 0, fmt.Errorf("%w: unknown format %d", errTraceDamaged, got)
	}
	count = r.next()
	if r.err == nil && (count < 1 || count > most) {
		return 0, fmt.Errorf("%w: it claims %d entries", errTraceDamaged, count)
	}
	return count, nil
}

// end reads to the end, so that the checksum is seen too, and returns the
// first failure.
func (r *intReader) end() error {
	if r.err == nil {
		if _, r.err = r.from.ReadByte(); r.err == nil {
			r.err = errors.New("more follows its end")
		} else if r.err == io.EOF {
			return nil
		}
	}
	return fmt.Errorf("%w: %w", errTraceDamaged, r.err)
}
