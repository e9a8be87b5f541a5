package present

import (
	"iter"
	"math"
	"slices"
	"strconv"
	"strings"

	"lockstep/engine"
	"lockstep/engine/schedule"
	"lockstep/engine/trace"
	"lockstep/engine/unit"
	"lockstep/sizing/cost"
	"lockstep/views/locale"
)

// Prefilled fills what is missing and brings what cannot be used to the
// nearest that can: a link from elsewhere never leads to an error. Most is the
// number of ranks that this machine offers.
func (q RunRequest) Prefilled(most int) RunRequest {
	most = q.most(most)
	change := func(field *string, to, message string, values locale.Values) {
		if *field != "" && *field != to {
			q.notes = append(q.notes, note{message: message, values: values})
		}
		*field = to
	}
	said := len(q.notes)
	if !slices.ContainsFunc(runnable(), func(e schedule.Entry) bool { return string(e.Collective) == q.Collective }) {
		change(&q.Collective, string(schedule.AllReduce), "run.note.collective", locale.Values{"Given": q.Collective, "Accepted": listOf(runnableCollectives())})
		if len(q.notes) > said { // the algorithm was one for what there is not
			q.Algorithm = ""
		}
	}
	if q.Algorithm == "" {
		q.Algorithm = q.first()
	} else if q.inNetwork() {
		change(&q.Algorithm, q.first(), "run.note.network", locale.Values{"Given": q.Algorithm})
	} else if q.Algorithm != engine.Auto && !q.called() && !q.pairExists() {
		change(&q.Algorithm, q.first(), "run.note.algorithm", locale.Values{"Given": q.Algorithm, "Accepted": strings.Join(q.algorithms(), ", ")})
	}
	if n, err := strconv.Atoi(q.Ranks); err != nil || n < 1 || n > most {
		nearest := most
		if err == nil && n < 1 {
			nearest = 1
		}
		change(&q.Ranks, strconv.Itoa(nearest), "run.note.ranks", locale.Values{"Given": q.Ranks, "Most": most, "Ranks": nearest})
	}
	if n, err := strconv.Atoi(q.Root); q.Root != "" && (err != nil || n < 0 || n >= number(q.Ranks)) {
		nearest := 0
		if err == nil && n > 0 {
			nearest = number(q.Ranks) - 1
		}
		change(&q.Root, strconv.Itoa(nearest), "run.note.root", locale.Values{"Given": q.Root, "Root": nearest, "Ranks": q.Ranks})
	}
	if n, err := strconv.Atoi(q.PerNode); q.PerNode != "" && (err != nil || n < 1) {
		change(&q.PerNode, "", "run.note.nodes", locale.Values{"Given": q.PerNode})
	}
	if !slices.Contains(schedule.DTypes(), schedule.DType(q.DType)) {
		change(&q.DType, string(schedule.Float32), "run.note.dtype", locale.Values{"Given": q.DType, "Accepted": listOf(schedule.DTypes()), "Now": schedule.Float32})
	}
	if !slices.Contains(schedule.ReduceOps(), schedule.ReduceOp(q.Op)) {
		change(&q.Op, string(schedule.Sum), "run.note.dtype", locale.Values{"Given": q.Op, "Accepted": listOf(schedule.ReduceOps()), "Now": schedule.Sum})
	}
	if !slices.Contains(trace.Links(), trace.Link(q.Link)) {
		change(&q.Link, string(trace.Auto), "run.note.dtype", locale.Values{"Given": q.Link, "Accepted": listOf(trace.Links()), "Now": trace.Auto})
	}
	q = q.suited()
	if q.Size == "" {
		q.Size = defaultSize
	}
	if size, err := unit.ParseBytes(q.Size); err != nil || size > trace.MaxSize {
		change(&q.Size, defaultSize, "run.note.size", locale.Values{"Given": q.Size, "Size": defaultSize})
	} else if fixes := q.sizesNear(size); len(fixes) > 0 {
		nearest := fixes[len(fixes)-1]
		if q.Size != defaultSize {
			change(&q.Size, nearest, "run.note.size", locale.Values{"Given": q.Size, "Size": nearest})
		}
		q.Size = nearest
	}
	leftOut := func(field, given, accepted string) {
		if given != "" {
			q.notes = append(q.notes, note{message: string(ignored), values: locale.Values{"What": field, "Given": clipped(given), "Accepted": accepted}})
		}
	}
	for field, count := range q.counts() {
		if n, err := strconv.Atoi(*count); err != nil || n < 1 {
			if *count != engine.Auto { // which is what nothing stands for
				leftOut(field, *count, "1, 2, 3 …")
			}
			*count = ""
		}
	}
	switch q.Pace {
	case "none", "step":
	case "rate":
		if _, err := unit.ParseRate(q.Rate); err != nil {
			q.Rate = q.watchable()
		}
	default:
		leftOut("pace", q.Pace, "none, step, 1GB/s")
		q.Pace = "rate"
		if _, err := unit.ParseRate(q.Rate); err != nil {
			q.Rate = q.watchable()
		}
	}
	if q.Pace == "rate" && q.Rate == "" { // no bytes move between ranks
		q.Pace = "none"
		if q.Collective == string(schedule.Barrier) { // its messages are to be seen
			q.Pace = "step"
		}
	}
	return q
}

// counts are the fields that hold a number or nothing, in the form's order.
func (q *RunRequest) counts() iter.Seq2[string, *string] {
	return func(yield func(string, *string) bool) {
		_ = yield("chunks", &q.Chunks) && yield("iterations", &q.Iterations) && yield("slices", &q.Slices)
	}
}

// number reads what is known to be one.
func number(text string) int {
	n, _ := strconv.Atoi(text)
	return n
}

// runnable lists what hosts can carry out.
func runnable() []schedule.Entry {
	return slices.DeleteFunc(schedule.Catalog(), func(e schedule.Entry) bool { return !e.Executable })
}

// runnableCollectives are the collectives of these pairs, each once.
func runnableCollectives() []schedule.Collective {
	var all []schedule.Collective
	for _, e := range runnable() {
		if !slices.Contains(all, e.Collective) {
			all = append(all, e.Collective)
		}
	}
	return all
}

// algorithms are the names that the collective can be run by here.
func (q RunRequest) algorithms() []string {
	all := []string{engine.Auto}
	if q.Backend == string(trace.MPI) {
		all = append(all, schedule.LibraryCall)
	}
	for _, e := range runnable() {
		if string(e.Collective) == q.Collective {
			all = append(all, e.Algorithm)
		}
	}
	return all
}

func (q RunRequest) pairExists() bool {
	return slices.ContainsFunc(runnable(), func(e schedule.Entry) bool {
		return string(e.Collective) == q.Collective && e.Algorithm == q.Algorithm
	})
}

// inNetwork reports whether the pair is the network's own work, which hosts
// only show and price.
func (q RunRequest) inNetwork() bool {
	e, err := schedule.Find(schedule.Collective(q.Collective), q.Algorithm)
	return err == nil && !e.Executable
}

// first is the algorithm that is offered for a collective: the ring, where
// there is one, because it is the one to see; of MPI its own call.
func (q RunRequest) first() string {
	if q.Backend == string(trace.MPI) {
		return schedule.LibraryCall
	}
	first := engine.Auto
	for _, e := range runnable() {
		if string(e.Collective) != q.Collective {
			continue
		}
		if e.Algorithm == "ring" {
			return "ring"
		}
		if first == engine.Auto {
			first = e.Algorithm
		}
	}
	return first
}

// watchable returns the rate of the ports with which the run lasts about
// watchedSeconds, by the closed form of its bytes; empty where there are none.
func (q RunRequest) watchable() string {
	ranks, err1 := strconv.Atoi(q.Ranks)
	size, err2 := unit.ParseBytes(q.Size)
	if err1 != nil || err2 != nil {
		return ""
	}
	const rate = 1e9
	question := cost.Question{
		Collective: schedule.Collective(q.Collective), Ranks: ranks, RanksPerNode: max(number(q.PerNode), 0), Size: size, Network: cost.Network{Bandwidth: rate},
	}
	if question.Collective == schedule.Barrier {
		return ""
	}
	price, err := question.Fastest()
	if q.Algorithm != engine.Auto {
		price, err = question.Price(q.Algorithm)
	}
	if err != nil || price.Time <= 0 {
		return ""
	}
	perSecond := float64(price.Time) * rate / watchedSeconds
	// To two digits: nobody types more.
	unitOf := math.Pow(10, math.Floor(math.Log10(perSecond))-1)
	return strings.ReplaceAll(unit.Rate(max(1000, math.Round(perSecond/unitOf)*unitOf)).String(), " ", "")
}
