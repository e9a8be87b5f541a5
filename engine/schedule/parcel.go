package schedule

// parcel joins copies that follow one another on both sides into one step.
type parcel struct {
	b        *builder
	src, dst place
	count    int
}

// copy adds count chunks. They are in the schedule once the parcel is sealed.
func (p *parcel) copy(src, dst place, count int) {
	if p.count > 0 && src == p.src.plus(p.count) && dst == p.dst.plus(p.count) {
		p.count += count
		return
	}
	p.seal()
	p.src, p.dst, p.count = src, dst, count
}

// seal ends the parcel; the next copy begins another.
func (p *parcel) seal() {
	p.b.copy(p.src, p.dst, p.count)
	p.count = 0
}

// plus returns the place so many chunks further on.
func (p place) plus(chunks int) place { return place{p.rank, p.buf, p.chunk + chunks} }
