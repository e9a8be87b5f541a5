package msccl

// link is a way from a gpu to another over a channel.
type link struct{ src, dst, channel int }

// match joins every step that sends with the one that receives it: first in,
// first out.
func (a *algo) match() *Error {
	type end struct{ gpu, tb int }
	receivers := map[link]end{}
	senders := map[link]end{}
	for id := range a.gpus {
		for tb := range a.gpus[id].blocks {
			b := &a.gpus[id].blocks[tb]
			for _, side := range []struct {
				known map[link]end
				way   link
				does  func(kind) bool
				verb  string
			}{
				{senders, link{id, b.send, b.channel}, kind.sends, "sends to"},
				{receivers, link{b.recv, id, b.channel}, kind.receives, "receives from"},
			} {
				if a.seek(b, b.first, side.does) == b.last {
					continue // the head says so, no step does
				}
				if other, taken := side.known[side.way]; taken {
					return refuse(Unreadable, b.line, "thread block %d of gpu %d %s a gpu over channel %d as thread block %d does; accepted: one thread block for each peer, channel and direction",
						tb, id, side.verb, b.channel, other.tb)
				}
				side.known[side.way] = end{id, tb}
			}
		}
	}
	for id := range a.gpus {
		for _, b := range a.gpus[id].blocks {
			from, ok := senders[link{b.recv, id, b.channel}]
			if !ok {
				if i := a.seek(&b, b.first, kind.receives); i < b.last {
					return a.unreceived(i, b.recv, "receives what gpu %d never sends over channel %d; accepted: a send for every receive", b.channel)
				}
				continue
			}
			if err := a.join(&a.gpus[from.gpu].blocks[from.tb], &b); err != nil {
				return err
			}
		}
	}
	for i := range a.steps {
		if st := &a.steps[i]; st.kind.sends() && st.to < 0 {
			b := a.gpus[st.gpu].blocks[st.tb]
			return a.unreceived(i, b.send, "sends what gpu %d never receives over channel %d; accepted: a receive for every send", b.channel)
		}
	}
	return nil
}

func (a *algo) unreceived(i, peer int, format string, channel int) *Error {
	return refuse("unmatched", int(a.steps[i].line), "%s "+format, a.steps[i].name(), peer, channel)
}

// seek returns the first step of b at or behind index i that does it.
func (a *algo) seek(b *block, i int, does func(kind) bool) int {
	for i < b.last && !does(a.steps[i].kind) {
		i++
	}
	return i
}

// join matches what one thread block sends with what another receives.
func (a *algo) join(from, to *block) *Error {
	i, j := a.seek(from, from.first, kind.sends), a.seek(to, to.first, kind.receives)
	for i < from.last && j < to.last {
		out, in := &a.steps[i], &a.steps[j]
		if out.count != in.count {
			return refuse("unequal-counts", int(in.line), "%s receives %d chunks where line %d sends %d; accepted: as many as are sent", in.name(), in.count, out.line, out.count)
		}
		out.to, in.from = int32(j), int32(i)
		i, j = a.seek(from, i+1, kind.sends), a.seek(to, j+1, kind.receives)
	}
	if j < to.last {
		return a.unreceived(j, to.recv, "receives what gpu %d never sends over channel %d; accepted: a send for every receive", to.channel)
	}
	return nil // what is sent too often is found by its sender
}
