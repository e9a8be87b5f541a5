package present

import (
	"math/rand/v2"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"lockstep/views/draw"
	"lockstep/views/locale"
)

// bytesTo is what goes through a rank's port up to a step, and how much of it
// in each step: out of it, or into it.
func (t teller) bytesTo(at, rank int, inward bool) (sum int, each []int) {
	for i := 1; i <= at && i < len(t.f.steps); i++ {
		b := t.f.steps[i].sent[rank]
		if inward {
			b = t.f.steps[i].received[rank]
		}
		sum, each = sum+b, append(each, b)
	}
	return sum, each
}

// leastBytes is the fewest amounts that are worth picking from.
const leastBytes = 3

// bytesPlaces are the ranks of which it can be asked how much they have sent:
// those that have sent something, where other amounts come to mind.
func (t teller) bytesPlaces(at int, random *rand.Rand) []askPlace {
	var all []askPlace
	for rank := range t.f.schedule.Ranks {
		if sent, _ := t.bytesTo(at, rank, false); sent > 0 && len(t.bytesOptions(at, rank)) >= leastBytes {
			all = append(all, askPlace{rank, nowhere})
		}
	}
	shufflePlaces(all, random)
	return all
}

// bytesOptions are the true amount and some that somebody may take for it,
// ascending.
func (t teller) bytesOptions(at, rank int) []askOption {
	sent, each := t.bytesTo(at, rank, false)
	received, _ := t.bytesTo(at, rank, true)
	next, _ := t.bytesTo(at+1, rank, false)
	size := int(t.c.size)
	amounts := []int{sent}
	options := []askOption{{value: strconv.Itoa(sent), name: lessonBytes(sent)}}
	for _, other := range []struct {
		bytes int
		why   string
	}{
		{size * at, "ask.bytes.whole"}, {next, "ask.bytes.next"}, {received, "ask.bytes.received"}, {size, "ask.bytes.size"},
		{sent + received, "ask.bytes.both"}, {sent - each[len(each)-1], "ask.bytes.before"}, {size * (t.f.schedule.Ranks - 1), "ask.bytes.each"},
	} {
		name := lessonBytes(other.bytes)
		known := slices.ContainsFunc(options, func(o askOption) bool { return o.name == name })
		if len(options) < mostCounts && other.bytes > 0 && !known {
			amounts = append(amounts, other.bytes)
			options = append(options, askOption{value: strconv.Itoa(other.bytes), name: name, why: t.l.T(other.why, locale.Values{"Size": sizeName(t.c.size)})})
		}
	}
	slices.Sort(amounts)
	slices.SortFunc(options, func(a, b askOption) int {
		return slices.Index(amounts, atoi(a.value)) - slices.Index(amounts, atoi(b.value))
	})
	return options
}

// atoi reads the number of an option.
func atoi(value string) int {
	v, _ := strconv.Atoi(value) // options are made from numbers
	return v
}

// askBytes asks how much a rank has sent up to here.
func (t teller) askBytes(at int, place askPlace) askQuestion {
	q := askQuestion{kind: askBytes, place: place, says: t.l.T("ask.bytes.says", locale.Values{"Rank": place.rank})}
	sent, each := t.bytesTo(at, place.rank, false)
	oneOf(&q, askField{name: "guess", label: t.l.T("ask.pick.one"), options: t.bytesOptions(at, place.rank)}, strconv.Itoa(sent))
	q.why = t.whyBytes(sent, each)
	q.marks = func(url.Values) askMarks {
		return askMarks{about: []draw.AskedPlace{{Rank: place.rank, Cell: draw.WholeCard}}}
	}
	return q
}

// whyBytes adds the amounts of the steps up.
func (t teller) whyBytes(sent int, each []int) []string {
	busy := slices.DeleteFunc(slices.Clone(each), func(b int) bool { return b == 0 })
	values := locale.Values{"Steps": len(busy), "Each": lessonBytes(busy[0]), "All": lessonBytes(sent), "Count": len(busy)}
	id := "ask.why.bytes.same"
	if slices.Min(busy) != slices.Max(busy) {
		const most = 6
		var terms []string
		for i, b := range busy {
			if i == most && len(busy) > most+1 {
				terms = append(terms, "…", lessonBytes(busy[len(busy)-1]))
				break
			}
			terms = append(terms, lessonBytes(b))
		}
		id, values = "ask.why.bytes.sum", locale.Values{"Terms": strings.Join(terms, " + "), "All": lessonBytes(sent)}
	}
	return []string{t.l.T(id, values), t.l.T("ask.why.bytes.from", locale.Values{"Size": sizeName(t.c.size)})}
}
