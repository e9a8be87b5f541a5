package schedule

import "math/bits"

// folding makes a power of two of any number of ranks, for algorithms that
// exchange along the bits of a number. Of the first 2·surplus ranks every odd
// one, a guest, hands its part to the even neighbour below it, its host, and
// takes the result back in the end; hosts and all later ranks are the members.
//
// Neighbours are folded, rather than rank r and rank r + members, because then
// the ranks that a run of members stands for are a run of ranks: what two
// members exchange is contiguous, one step a message.
type folding struct {
	members int // the largest power of two that is not above the ranks
	surplus int // guests: ranks - members
}

func newFolding(ranks int) folding {
	members := 1 << (bits.Len(uint(ranks)) - 1)
	return folding{members, ranks - members}
}

// first returns the rank that is member m, the first of the ranks it stands
// for. Members from..to-1 stand for ranks first(from)..first(to)-1, and
// first(members) is the number of ranks.
func (f folding) first(m int) int { return m + min(m, f.surplus) }

// rounds returns how many exchanges there are between members.
func (f folding) rounds() int { return bits.Len(uint(f.members)) - 1 }

// run returns the ranks, low to high-1, that the run of members stands for in
// which member m lies with all that differ from it below distance, a power of
// two.
func (f folding) run(m, distance int) (low, high int) {
	return f.first(m &^ (distance - 1)), f.first(m | (distance - 1) + 1)
}
