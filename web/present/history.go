package present

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"lockstep/views/locale"
)

// historyText is what is known of how the libraries came about, each fact with
// its source and how far it was checked.
//
//go:embed history.json
var historyText []byte

// history is the facts in the order of time, and the sentences of the article
// that they correct.
type history struct {
	Facts []historyFact `json:"facts"`
	Slips []historySlip `json:"slips"`
}

// historyFact is one thing that happened.
type historyFact struct {
	ID      string `json:"id"`
	Date    string `json:"date"` // 2006-01-02, 2006-01 or 2006, as exactly as it is known
	Topic   string `json:"topic"`
	Label   string `json:"label"`
	Short   string `json:"short"` // the label beside the name of its topic; empty for the same
	Chinese string `json:"zh"`
	English string `json:"en"`
	Source  string `json:"source"`
	URL     string `json:"url"`     // empty for a source on paper
	Checked string `json:"checked"` // one of historyChecks
	DoubtZh string `json:"doubt_zh"`
	DoubtEn string `json:"doubt_en"`
	Main    bool   `json:"main"`
}

// historySlip is a sentence of the article beside what is right.
type historySlip struct {
	ID      string `json:"id"`
	SaysZh  string `json:"says_zh"`
	RightZh string `json:"right_zh"`
	SaysEn  string `json:"says_en"`
	RightEn string `json:"right_en"`
	Source  string `json:"source"`
	URL     string `json:"url"`
	Fact    string `json:"fact"` // the ID of the fact that shows it, empty for none
}

// historyTopics are the lanes of the time line, from the standard to those who
// use it, with the messages of their names.
var historyTopics = []struct{ id, message string }{
	{"standard", "libraries.topic.standard"},
	{"implementations", "libraries.topic.implementations"},
	{"nccl", "libraries.topic.nccl"},
	{"libraries", "libraries.topic.libraries"},
	{"algorithms", "libraries.topic.algorithms"},
	{"training", "libraries.topic.training"},
}

// historyChecks are how far a fact was checked, surest first: the source itself
// was read, an excerpt of it, an entry in a list of references, or nothing but
// memory stands behind it.
var historyChecks = []struct{ id, message string }{
	{"read", "libraries.checked.read"},
	{"excerpt", "libraries.checked.excerpt"},
	{"entry", "libraries.checked.entry"},
	{"recalled", "libraries.checked.recalled"},
}

// readHistory reads the facts; a test reads them too, so that they cannot be
// broken here.
func readHistory() (history, error) {
	var h history
	if err := json.Unmarshal(historyText, &h); err != nil {
		return h, fmt.Errorf("read the history of libraries: %w", err)
	}
	return h, nil
}

// of returns the facts of a topic, all for none.
func (h history) of(topic string) []historyFact {
	if topic == "" {
		return h.Facts
	}
	return slices.DeleteFunc(slices.Clone(h.Facts), func(f historyFact) bool { return f.Topic != topic })
}

// fact returns the fact of an ID, or false.
func (h history) fact(id string) (historyFact, bool) {
	at := slices.IndexFunc(h.Facts, func(f historyFact) bool { return f.ID == id })
	if at < 0 {
		return historyFact{}, false
	}
	return h.Facts[at], true
}

// at is the moment on the time line, in years: the middle of a month or a year
// of which no more is known.
func (f historyFact) at() float64 {
	layout, add := "2006-01-02", time.Duration(0)
	const day = 24 * time.Hour
	switch len(f.Date) {
	case len("2006-01"):
		layout, add = "2006-01", 14*day
	case len("2006"):
		layout, add = "2006", 182*day
	}
	moment, err := time.Parse(layout, f.Date)
	if err != nil {
		return 0 // a test keeps this from happening
	}
	moment = moment.Add(add)
	return float64(moment.Year()) + float64(moment.YearDay()-1)/366
}

// unsure reports whether the fact is in doubt, or the year is all that is known.
func (f historyFact) unsure() bool { return f.Checked == "recalled" || len(f.Date) == len("2006") }

func (f historyFact) what(l locale.Locale) string { return inLanguage(l, f.Chinese, f.English) }

func (f historyFact) doubt(l locale.Locale) string { return inLanguage(l, f.DoubtZh, f.DoubtEn) }

// day is the date as people write it.
func (f historyFact) day(l locale.Locale) string {
	parts := strings.Split(f.Date, "-")
	var numbers []int
	for _, part := range parts {
		n, err := strconv.Atoi(part)
		if err != nil {
			return f.Date
		}
		numbers = append(numbers, n)
	}
	if l.Lang() == locale.Chinese {
		text := parts[0] + " 年"
		if len(numbers) > 1 {
			text += " " + strconv.Itoa(numbers[1]) + " 月"
		}
		if len(numbers) > 2 {
			text += " " + strconv.Itoa(numbers[2]) + " 日"
		}
		return text
	}
	text := parts[0]
	if len(numbers) > 1 {
		text = time.Month(numbers[1]).String()[:3] + " " + text
	}
	if len(numbers) > 2 {
		text = strconv.Itoa(numbers[2]) + " " + text
	}
	return text
}

// inLanguage picks one of two texts.
func inLanguage(l locale.Locale, chinese, english string) string {
	if l.Lang() == locale.Chinese {
		return chinese
	}
	return english
}
