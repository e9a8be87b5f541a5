package schedule

// Assemble completes a list of steps that was not written by a builder, an
// imported one, and proves it: it sets TmpChunks and the Deps of every step
// as the rules of the document want them, whatever they were, then runs
// Check. IDs and rounds are the caller's. The error is a *Fault; s is then of
// no use.
func Assemble(s *Schedule) error {
	tmp := 0
	for i := range s.Steps {
		step := &s.Steps[i]
		for _, at := range []struct {
			buf   Buf
			chunk int
		}{{step.SrcBuf, step.SrcChunk}, {step.DstBuf, step.DstChunk}} {
			if at.buf != Tmp || at.chunk < 0 || step.Count < 1 {
				continue // what is out of range is said below
			}
			if at.chunk > MaxCells || step.Count > MaxCells {
				return atStep("size", step, -1, at.chunk, "touches %d tmp chunks from %d on; accepted: up to %d", step.Count, at.chunk, MaxCells)
			}
			tmp = max(tmp, at.chunk+step.Count)
		}
	}
	s.TmpChunks = tmp
	// Wiring relies on steps that lie inside their buffers.
	if f := checkHead(s); f != nil {
		return f
	}
	if f := checkSteps(s); f != nil {
		return f
	}
	wireDeps(s, newCells(s))
	return Check(s)
}
