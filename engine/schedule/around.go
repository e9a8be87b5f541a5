package schedule

// copyAround copies count chunks whose place on one side may run over the end
// of the full buffer and go on at its beginning: two steps of one message then.
func (b *builder) copyAround(src, dst place, count int) {
	whole := b.s.Chunks
	first := min(count, whole-max(src.chunk, dst.chunk))
	b.copy(src, dst, first)
	src.chunk, dst.chunk = (src.chunk+first)%whole, (dst.chunk+first)%whole
	b.copy(src, dst, count-first)
}
