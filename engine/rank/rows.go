package rank

import (
	"crypto/sha256"

	"lockstep/engine/schedule"
)

// Digest is the SHA-256 of a row.
type Digest [sha256.Size]byte

// Rows cuts a rank's out into rows for comparison: row i is elements
// [i·Window, (i+1)·Window) of every out chunk, one chunk behind the other.
// That is the order in which schedule.Interpret produces them, so the
// reference is compared row by row without being held.
type Rows struct {
	frame    *schedule.Schedule
	elements int
	width    int
	window   int
	chunks   int
}

// NewRows describes the rows of rank's out. The window is in elements, at
// least 1.
func NewRows(frame *schedule.Schedule, rank, elements, width, window int) Rows {
	return Rows{frame, elements, width, window, frame.BufChunks(rank, schedule.Out)}
}

// Window returns the elements of each chunk in a row: as many as keep the
// reference interpreter, which holds a row of every buffer of every rank, in
// about 64 MiB, and no more than serves.
func Window(s *schedule.Schedule, width int) int {
	const most = 64 << 10
	cells := 0
	for rank := range s.Ranks {
		for _, buf := range []schedule.Buf{schedule.In, schedule.Out, schedule.Tmp} {
			cells += s.BufChunks(rank, buf)
		}
	}
	return min(max((64<<20)/(width*max(cells, 1)), 1), most)
}

// Count returns the number of rows.
func (r Rows) Count() int {
	if r.chunks == 0 {
		return 0
	}
	// The first chunk is never shorter than another.
	return (r.frame.ChunkLen(r.elements, 0) + r.window - 1) / r.window
}

// pieces calls f with each piece of row i in out, as a range of bytes.
func (r Rows) pieces(i int, f func(chunk, first, from, to int)) {
	for chunk := range r.chunks {
		length := r.frame.ChunkLen(r.elements, chunk)
		first, end := min(i*r.window, length), min((i+1)*r.window, length)
		start := r.frame.ChunkStart(r.elements, chunk)
		f(chunk, start+first, (start+first)*r.width, (start+end)*r.width)
	}
}

// Digest returns the digest of row i of out.
func (r Rows) Digest(out []byte, i int) Digest {
	h := sha256.New()
	r.pieces(i, func(_, _, from, to int) { h.Write(out[from:to]) })
	return Digest(h.Sum(nil))
}

// Read copies row i of out, from byte offset of the row on, to dst and returns
// how many bytes there were.
func (r Rows) Read(dst, out []byte, i, offset int) int {
	n := 0
	r.pieces(i, func(_, _, from, to int) {
		skip := min(offset, to-from)
		offset -= skip
		n += copy(dst[n:], out[from+skip:to])
	})
	return n
}

// at returns the chunk and the element of out at a byte of row i.
func (r Rows) at(i, offset int) (chunk, element int) {
	chunk, element = -1, -1
	r.pieces(i, func(c, first, from, to int) {
		if chunk < 0 && offset < to-from {
			chunk, element = c, first+offset/r.width
		}
		offset -= to - from
	})
	return chunk, element
}
