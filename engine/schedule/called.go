package schedule

// LibraryCall is the algorithm of a vendor library's own call: what happens
// within it is the library's matter.
const LibraryCall = "library"

// Called returns what can be seen of a library's own call, in the form of a
// schedule: of every chunk of every out one step that says that it is there.
// Nothing moves in it and Check does not prove it. Vectors are one chunk,
// blocks one each. Errors are *RequestError.
func Called(c Collective, ranks, root int) (*Schedule, error) {
	entry, err := reference(c)
	if err != nil {
		return nil, err
	}
	proved, err := Build(Request{Collective: c, Algorithm: entry.Algorithm, Ranks: ranks, Root: root, Chunks: onePiece(c)})
	if err != nil {
		return nil, err
	}
	s := &Schedule{Collective: c, Algorithm: LibraryCall, Ranks: ranks, Root: proved.Root, Chunks: proved.Chunks, Layout: Row}
	for rank := range ranks {
		for chunk := range s.BufChunks(rank, Out) {
			s.Steps = append(s.Steps, Step{
				ID: len(s.Steps), Round: 1, Src: rank, Dst: rank, Op: Copy, SrcBuf: Out, SrcChunk: chunk, DstBuf: Out, DstChunk: chunk, Count: 1,
			})
		}
	}
	return s, nil
}

// Reference returns a schedule that hosts can carry out and whose chunks lie as
// those of s: what a library's call must come to. Of any other schedule it is
// the schedule itself.
func (s *Schedule) Reference() (*Schedule, error) {
	if s.Algorithm != LibraryCall {
		return s, nil
	}
	entry, err := reference(s.Collective)
	if err != nil {
		return nil, err
	}
	return Build(Request{Collective: s.Collective, Algorithm: entry.Algorithm, Ranks: s.Ranks, Root: max(s.Root, 0), Chunks: onePiece(s.Collective)})
}

// reference is the simplest algorithm of a collective that hosts can carry out.
func reference(c Collective) (Entry, error) {
	for _, e := range entries() {
		if e.Collective == c && e.Executable && e.Algorithm != "central" {
			return e, nil
		}
	}
	return Find(c, "")
}

// onePiece asks for undivided blocks and vectors; a barrier has no pieces to
// ask for.
func onePiece(c Collective) int {
	if c == Barrier {
		return 0
	}
	return 1
}
