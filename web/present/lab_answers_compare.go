package present

import (
	"slices"
	"strconv"
	"strings"

	"lockstep/engine/schedule"
	"lockstep/engine/unit"
	"lockstep/views/locale"
)

// crossover prices both algorithms at several sizes and finds where they meet.
func (a labAnswers) crossover() (labAnswer, error) {
	answer := labAnswer{head: []string{a.l.T("labs.head.size"), capital(algorithmName(a.l, labCrossRival)), capital(algorithmName(a.l, "ring")), a.l.T("labs.head.faster")}, asked: 1}
	for _, size := range labCrossSizes {
		rival, err := labPrice(schedule.AllReduce, labCrossRival, labManyRanks, size, labCrossNet)
		if err != nil {
			return answer, err
		}
		ring, err := labPrice(schedule.AllReduce, "ring", labManyRanks, size, labCrossNet)
		if err != nil {
			return answer, err
		}
		faster := labCrossRival
		if ring.Time < rival.Time {
			faster = "ring"
		}
		bytes, err := unit.ParseBytes(size)
		if err != nil {
			return answer, err
		}
		answer.rows = append(answer.rows, []string{bytes.String(), duration(rival.Time), duration(ring.Time), capital(algorithmName(a.l, faster))})
	}
	at, err := meetingSize(labCrossRival, "ring", labManyRanks, labCrossNet)
	if err != nil {
		return answer, err
	}
	other, err := meetingSize(labCrossRival, "ring", labManyRanks, labBusNet)
	if err != nil {
		return answer, err
	}
	net := labNet(labCrossNet)
	answer.values = locale.Values{
		"Size": sized(float64(at), 3, byteSteps()), "Rival": algorithmName(a.l, labCrossRival), "Other": sized(float64(other), 3, byteSteps()),
		"Factor": significant(float64(at)/(net.Latency.Seconds()*float64(net.Bandwidth)), 3),
	}
	for name, algorithm := range map[string]string{"Rival": labCrossRival, "Ring": "ring"} {
		entry, err := schedule.Find(schedule.AllReduce, algorithm)
		if err != nil {
			return answer, err
		}
		alphas, vectors := 0.0, 0.0
		vars := entry.Vars(labManyRanks, 0, 0)
		for _, term := range entry.Terms {
			latencies, err := term.Alphas.Eval(vars)
			if err != nil {
				return answer, err
			}
			bytes, err := term.Bytes.Eval(vars)
			if err != nil {
				return answer, err
			}
			alphas, vectors = alphas+latencies, vectors+bytes
		}
		answer.values[name+"Alphas"], answer.values[name+"Vectors"] = significant(alphas, 3), significant(vectors, 3)
	}
	return answer, nil
}

// byteSteps are the decimal units of bytes.
func byteSteps() []step { return []step{{"B", 1}, {"kB", 1e3}, {"MB", 1e6}, {"GB", 1e9}} }

// meetingSize is the size in bytes at which two all-reduces take the same
// time: both grow by the same with every byte, so two prices give the line.
func meetingSize(small, large string, ranks int, network string) (unit.Bytes, error) {
	var low, high [2]unit.Seconds
	for i, algorithm := range []string{small, large} {
		nothing, err := labPrice(schedule.AllReduce, algorithm, ranks, "0B", network)
		if err != nil {
			return 0, err
		}
		much, err := labPrice(schedule.AllReduce, algorithm, ranks, "1GB", network)
		if err != nil {
			return 0, err
		}
		low[i], high[i] = nothing.Time, much.Time
	}
	slope := (high[0] - low[0]) - (high[1] - low[1])
	return unit.Bytes(float64((low[1]-low[0])/slope) * 1e9), nil
}

// busBandwidth turns times into bandwidths.
func (a labAnswers) busBandwidth() (labAnswer, error) {
	answer := labAnswer{head: a.heads("labs.head.ranks", "labs.head.time", "labs.head.algbw", "labs.head.factor", "labs.head.busbw"), asked: 1}
	size, err := unit.ParseBytes(labBusSize)
	if err != nil {
		return answer, err
	}
	for _, n := range []int{2, 4, labManyRanks} {
		ring, err := labPrice(schedule.AllReduce, "ring", n, labBusSize, labBusNet)
		if err != nil {
			return answer, err
		}
		algorithm := float64(size) / float64(ring.Time)
		factor := schedule.AllReduce.BusFactor(n)
		answer.rows = append(answer.rows, []string{strconv.Itoa(n), duration(ring.Time), unit.Rate(algorithm).String(), significant(factor, 3), unit.Rate(algorithm * factor).String()})
	}
	link := labNet(labBusNet).Bandwidth
	answer.values = reachedShares()
	answer.values["Size"], answer.values["Rate"], answer.values["Bits"] = size.String(), link.String(), bits(link)
	return answer, nil
}

// twoHalves compares the whole with its halves.
func (a labAnswers) twoHalves() (labAnswer, error) {
	answer := labAnswer{head: a.heads("labs.head.what", "labs.head.steps", "labs.head.sent", "labs.head.time"), asked: 1}
	size, err := unit.ParseBytes(labHalfSize)
	if err != nil {
		return answer, err
	}
	var whole, halves unit.Seconds
	sent := map[schedule.Collective]string{}
	for _, c := range []schedule.Collective{schedule.ReduceScatter, schedule.AllGather, schedule.AllReduce} {
		price, err := labPrice(c, "ring", labRanks, labHalfSize, labHalfNet)
		if err != nil {
			return answer, err
		}
		s, err := schedule.Build(schedule.Request{Collective: c, Algorithm: "ring", Ranks: labRanks})
		if err != nil {
			return answer, err
		}
		if c == schedule.AllReduce {
			whole = price.Time
		} else {
			halves += price.Time
		}
		sent[c] = sentBytes(s, size)
		answer.rows = append(answer.rows, []string{capital(pairName(a.l, c, "ring")), strconv.Itoa(s.Rounds()), sent[c], duration(price.Time)})
	}
	answer.values = locale.Values{
		"Halves": duration(halves), "Whole": duration(whole), "Half": labRanks - 1,
		"HalfBytes": sent[schedule.ReduceScatter], "WholeBytes": sent[schedule.AllReduce],
	}
	return answer, nil
}

// sentBytes is what the busiest rank sends.
func sentBytes(s *schedule.Schedule, size unit.Bytes) string {
	return sized(float64(slices.Max(s.Traffic().Sent))*float64(size)/float64(s.Chunks), 3, byteSteps())
}

// exchange tells what every rank has at the end of two collectives.
func (a labAnswers) exchange() (labAnswer, error) {
	answer := labAnswer{head: a.heads("labs.head.rank", "labs.head.gathered", "labs.head.exchanged"), asked: 1}
	gathered, gatherBytes, err := a.endsWith(schedule.AllGather, "ring")
	if err != nil {
		return answer, err
	}
	exchanged, _, err := a.endsWith(schedule.AllToAll, "pairwise")
	if err != nil {
		return answer, err
	}
	for rank := range labRanks {
		answer.rows = append(answer.rows, []string{"Rank " + strconv.Itoa(rank), gathered[rank], exchanged[rank]})
	}
	size, err := unit.ParseBytes(labHalfSize)
	answer.values = locale.Values{
		"Ranks": labRanks, "Size": sized(float64(size), 3, byteSteps()), "Own": sized(float64(size)/labRanks, 3, byteSteps()),
		"Gathered": different(gathered), "Exchanged": different(exchanged), "GatherBytes": gatherBytes,
	}
	return answer, err
}

// endsWith plays a collective and writes down what each rank then holds: for
// each block, whose it is and which of its blocks.
func (a labAnswers) endsWith(c schedule.Collective, algorithm string) (ranks []string, sent string, err error) {
	s, err := schedule.Build(schedule.Request{Collective: c, Algorithm: algorithm, Ranks: labRanks})
	if err != nil {
		return nil, "", err
	}
	size, err := unit.ParseBytes(labHalfSize)
	if err != nil {
		return nil, "", err
	}
	ranks = make([]string, s.Ranks)
	for step, state := range s.Walk() {
		if step < s.Rounds() {
			continue
		}
		for rank := range ranks {
			var blocks []string
			for chunk := range s.BufChunks(rank, schedule.Out) {
				for _, held := range state.Holds(rank, schedule.Out, chunk) {
					blocks = append(blocks, strconv.Itoa(held.First)+"."+strconv.Itoa(held.Piece))
				}
			}
			ranks[rank] = strings.Join(blocks, "  ")
		}
	}
	return ranks, sentBytes(s, size), nil
}

// different counts the different ones among some texts.
func different(texts []string) int {
	sorted := slices.Sorted(slices.Values(texts))
	return len(slices.Compact(sorted))
}
