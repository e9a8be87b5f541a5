package present

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"lockstep/engine/schedule"
	"lockstep/engine/unit"
	"lockstep/sizing/cost"
	"lockstep/views/locale"
)

// labAnswers computes the answers of labs, in a language, from the schedules
// and the cost model.
type labAnswers struct{ l locale.Locale }

// labAnswer is what a lab comes to. Rows begin with what is asked about; a
// sheet to fill in shows that alone.
type labAnswer struct {
	head   []string
	rows   [][]string
	asked  int // how many columns of a row are given
	values locale.Values
}

func (a labAnswers) heads(messages ...string) []string {
	var all []string
	for _, id := range messages {
		all = append(all, a.l.T(id))
	}
	return all
}

// labPrice prices a collective as the lesson with the same figures does.
func labPrice(c schedule.Collective, algorithm string, ranks int, size, network string) (cost.Price, error) {
	bytes, err := unit.ParseBytes(size)
	if err != nil {
		return cost.Price{}, err
	}
	q := cost.Question{Collective: c, Ranks: ranks, Size: bytes, Network: labNet(network)}
	return q.Price(algorithm)
}

// labNet is one of the lessons' networks.
func labNet(id string) cost.Network {
	all := lessonNetworks()
	i := slices.IndexFunc(all, func(n lessonNetwork) bool { return n.id == id })
	return all[max(i, 0)].Network
}

func times(ratio float64) string { return significant(ratio, 3) + "×" }

func (a labAnswers) centralRing() (labAnswer, error) {
	answer := labAnswer{head: a.heads("labs.head.ranks", "labs.head.central.one", "labs.head.central", "labs.head.ring", "labs.head.ratio"), asked: 1}
	for _, n := range []int{2, 4, labManyRanks} {
		central, err := labPrice(schedule.AllReduce, "central", n, labSize, labNetwork)
		if err != nil {
			return answer, err
		}
		ring, err := labPrice(schedule.AllReduce, "ring", n, labSize, labNetwork)
		if err != nil {
			return answer, err
		}
		answer.rows = append(answer.rows, []string{strconv.Itoa(n), duration(central.Terms[0].Time), duration(central.Time), duration(ring.Time),
			times(float64(central.Time / ring.Time))})
	}
	size, err := unit.ParseBytes(labSize)
	answer.values = locale.Values{"Most": duration(2 * size.Over(labNet(labNetwork).Bandwidth))}
	return answer, err
}

// predictRing follows one rank through the ring.
func (a labAnswers) predictRing() (labAnswer, error) {
	answer := labAnswer{head: a.heads("labs.head.step", "labs.head.sends", "labs.head.carries", "labs.head.receives"), asked: 1}
	s, err := schedule.Build(schedule.Request{Collective: schedule.AllReduce, Algorithm: "ring", Ranks: labRanks})
	if err != nil {
		return answer, err
	}
	moves, first := countedMoves(s), 0
	for step, state := range s.Walk() {
		if step >= len(moves) {
			break
		}
		row := []string{strconv.Itoa(step + 1), "", "", ""}
		for _, m := range moves[step] {
			if m.Src == labFollowed {
				if step == 0 {
					first = m.SrcChunk
				}
				row[1] = spoken(a.l, "labs.block.to", "Block", m.SrcChunk, "Rank", m.Dst)
				row[2] = spoken(a.l, "labs.carries", "Have", contributions(state.Holds(m.Src, m.SrcBuf, m.SrcChunk)), "Ranks", s.Ranks)
			}
			if m.Dst == labFollowed {
				row[3] = spoken(a.l, "labs.block.from", "Block", m.DstChunk, "Rank", m.Src)
			}
		}
		answer.rows = append(answer.rows, row)
	}
	answer.values = locale.Values{"Steps": len(moves), "Half": s.Ranks - 1, "Next": s.Ranks, "First": first}
	return answer, nil
}

// countedMoves are the moves between ranks by counted round.
func countedMoves(s *schedule.Schedule) [][]*schedule.Step {
	var rounds [][]*schedule.Step
	last := 0
	for i := range s.Steps {
		step := &s.Steps[i]
		if step.Local() {
			continue
		}
		if step.Round != last {
			last = step.Round
			rounds = append(rounds, nil)
		}
		rounds[len(rounds)-1] = append(rounds[len(rounds)-1], step)
	}
	return rounds
}

// contributions counts the ranks in what a chunk holds.
func contributions(held []schedule.Contribution) int {
	n := 0
	for _, c := range held {
		n += (c.Last - c.First + 1) * c.Times
	}
	return n
}

// freeze works out how far each rank comes when one stands still after the
// first step.
func (a labAnswers) freeze() (labAnswer, error) {
	answer := labAnswer{head: a.heads("labs.head.rank", "labs.head.reached", "labs.head.waits"), asked: 1}
	s, err := schedule.Build(schedule.Request{Collective: schedule.AllReduce, Algorithm: "ring", Ranks: labRanks})
	if err != nil {
		return answer, err
	}
	reached, waits := standstill(s, labStopped, 1)
	for rank := range s.Ranks {
		row := []string{"Rank " + strconv.Itoa(rank), spoken(a.l, "labs.steps", "Count", reached[rank]), ""}
		if rank == labStopped {
			row[2] = a.l.T("labs.frozen")
		} else {
			row[2] = "Rank " + strconv.Itoa(waits[rank])
		}
		answer.rows = append(answer.rows, row)
	}
	answer.values = locale.Values{"Rank": labStopped}
	return answer, nil
}

// standstill returns, for each rank, the last step in which it still receives
// everything, and for whom it waits then, when one rank does nothing after a
// step. A move is lost when the rank would take part in it, or when it waits
// for one that is.
func standstill(s *schedule.Schedule, stopped, after int) (reached, waits []int) {
	reached, waits = make([]int, s.Ranks), make([]int, s.Ranks)
	for rank := range waits {
		reached[rank], waits[rank] = s.Rounds(), -1
	}
	lost := map[int]bool{}
	counted, last := 0, 0
	for i := range s.Steps {
		step := &s.Steps[i]
		if !step.Local() && step.Round != last {
			counted, last = counted+1, step.Round
		}
		waiting := slices.ContainsFunc(step.Deps, func(id int) bool { return lost[id] })
		if waiting || counted > after && (step.Src == stopped || step.Dst == stopped) {
			lost[step.ID] = true
			if !step.Local() && waits[step.Dst] < 0 {
				reached[step.Dst], waits[step.Dst] = counted-1, step.Src
			}
		}
	}
	return reached, waits
}

// slowRank prices the ring with ports of a tenth of the rate: one such port is
// in everybody's way.
func (a labAnswers) slowRank() (labAnswer, error) {
	network := labNet(labNetwork)
	size, err := unit.ParseBytes(labSlowSize)
	if err != nil {
		return labAnswer{}, err
	}
	answer := labAnswer{
		head:  append([]string{spoken(a.l, "labs.head.case", "Ranks", labRanks, "Size", size.String(), "Rate", network.Bandwidth.String())}, a.heads("labs.head.time", "labs.head.ratio.fast")...),
		asked: 1,
	}
	var first unit.Seconds
	for i, message := range []string{"labs.case.all", "labs.case.one"} {
		q := cost.Question{Collective: schedule.AllReduce, Ranks: labRanks, Size: size, Network: network}
		if i > 0 {
			q.Network.Bandwidth /= labSlowdown
		}
		price, err := q.Price("ring")
		if err != nil {
			return answer, err
		}
		if i == 0 {
			first = price.Time
		}
		answer.rows = append(answer.rows, []string{spoken(a.l, message, "Rank", labStopped, "Times", labSlowdown), duration(price.Time), times(float64(price.Time / first))})
	}
	order, err := a.waitOrder()
	answer.values = locale.Values{"Order": order}
	return answer, err
}

// waitOrder lists the ranks in the order in which a slow one holds them up.
func (a labAnswers) waitOrder() (string, error) {
	s, err := schedule.Build(schedule.Request{Collective: schedule.AllReduce, Algorithm: "ring", Ranks: labRanks})
	if err != nil {
		return "", err
	}
	reached, _ := standstill(s, labStopped, 0)
	ranks := slices.DeleteFunc(slices.Collect(slices.Values([]int{0, 1, 2, 3})), func(rank int) bool { return rank == labStopped })
	slices.SortStableFunc(ranks, func(x, y int) int { return reached[x] - reached[y] })
	var names []string
	for _, rank := range ranks {
		names = append(names, fmt.Sprintf("Rank %d", rank))
	}
	return strings.Join(names, " → "), nil
}
