package present

import (
	"errors"
	"net/url"
	"strconv"
	"strings"

	"lockstep/engine/schedule"
	"lockstep/sizing/benchlog"
	"lockstep/sizing/catalog"
	"lockstep/sizing/diagnose"
	"lockstep/sizing/hardware"
	"lockstep/sizing/measured"
)

// Bounds of what the page of diagnoses takes at once.
const (
	MaxLog  = 1 << 20 // bytes of a log
	MaxLogs = 8       // files, beside what is pasted
)

// Doctor says what logs show. *diagnose.Doctor is one.
type Doctor interface {
	// Read says what a log shows: a File for every table.
	Read(name string, text []byte, says diagnose.Statement) ([]diagnose.File, error)
	// Systems lists the systems that a statement may name.
	Systems() []catalog.System
}

// LogText is a log as somebody has brought it.
type LogText struct{ Name, Text string }

// DiagnoseAsk is a state of the page: everything that was typed and brought.
type DiagnoseAsk struct {
	Asked  bool // the form was sent
	Pasted string
	Files  []LogText

	Keeps    bool                // whoever looks may keep logs
	Machine  string              // the name to keep them under
	Compared []measured.Compared // of logs that have just been kept

	system, accelerator, network, collective, ranks, nodes string // as typed

	flaws  map[string][]flaw // by field
	unfit  *diagnose.Finding // why a log could not be kept
	tables []diagnosed
	known  []catalog.System
}

// flaw is what is wrong with a field, as a message.
type flaw struct {
	message string
	values  []any
}

// diagnosed is a table and the log that it stands in.
type diagnosed struct {
	diagnose.File
	lines []string
}

// ReadDiagnose reads the form: what was pasted, the files that were kept from
// the page before, those that are new, and what is stated.
func ReadDiagnose(form url.Values, uploads []LogText) DiagnoseAsk {
	a := DiagnoseAsk{
		Asked: true, Pasted: form.Get("log"), Machine: strings.TrimSpace(form.Get("machine")), flaws: map[string][]flaw{},
		system: strings.TrimSpace(form.Get("system")), accelerator: strings.TrimSpace(form.Get("accelerator")), network: strings.TrimSpace(form.Get("network")),
		collective: strings.TrimSpace(form.Get("collective")), ranks: strings.TrimSpace(form.Get("ranks")), nodes: strings.TrimSpace(form.Get("nodes")),
	}
	names, texts := form["kept-name"], form["kept"]
	for i := range min(len(names), len(texts)) {
		if form.Get("keep-"+strconv.Itoa(i)) != "" {
			a.bring(LogText{names[i], texts[i]})
		}
	}
	for _, file := range uploads {
		a.bring(file)
	}
	if len(a.Pasted) > MaxLog {
		a.refuse("log", "diagnose.wrong.long-paste", "Size", memory(MaxLog))
	}
	return a
}

// SampleAsk is the page with a sample filled in, or without anything for one
// that does not exist.
func SampleAsk(id string) (DiagnoseAsk, error) {
	a := DiagnoseAsk{flaws: map[string][]flaw{}}
	samples, err := diagnose.Samples()
	if err != nil {
		return a, err
	}
	for _, s := range samples {
		if s.ID == id {
			a.Asked, a.Pasted = true, s.Text
		}
	}
	return a, nil
}

func (a *DiagnoseAsk) refuse(field, message string, values ...any) {
	a.flaws[field] = append(a.flaws[field], flaw{message, values})
}

// bring takes a file in, if it can be.
func (a *DiagnoseAsk) bring(file LogText) {
	switch {
	case len(a.Files) == MaxLogs:
		a.refuse("files", "diagnose.wrong.many", "Name", file.Name, "Most", MaxLogs)
	case len(file.Text) > MaxLog:
		a.refuse("files", "diagnose.wrong.long", "Name", file.Name, "Size", memory(MaxLog))
	default:
		file.Text = string(benchlog.Plain([]byte(file.Text)))
		a.Files = append(a.Files, file)
	}
}

// statement is what is stated, without what cannot be used.
func (a *DiagnoseAsk) statement() diagnose.Statement {
	says := diagnose.Statement{Accelerator: a.accelerator, Network: a.network, Ranks: a.number("ranks", a.ranks, diagnose.MaxRanks), Nodes: a.number("nodes", a.nodes, diagnose.MaxNodes)}
	for _, s := range a.known {
		if s.ID == a.system {
			says.System = s.ID
		}
	}
	for _, c := range schedule.Collectives() {
		if string(c) == a.collective {
			says.Collective = c
		}
	}
	if says.Ranks > 0 && says.Nodes > says.Ranks {
		a.refuse("nodes", "diagnose.wrong.nodes", "Nodes", says.Nodes, "Ranks", says.Ranks)
		says.Nodes = 0
	}
	if a.accelerator != "" && hardware.Read(hardware.Words{GPU: a.accelerator}).Guessed("gpu") {
		a.refuse("accelerator", "diagnose.wrong.accelerator", "Given", a.accelerator)
	}
	if a.network != "" && hardware.Read(hardware.Words{GPU: "H100", InterLink: a.network, Ranks: 16, Nodes: 2, PerNode: 8}).Guessed("network") {
		a.refuse("network", "diagnose.wrong.network", "Given", a.network)
	}
	return says
}

func (a *DiagnoseAsk) number(field, text string, most int) int {
	if text == "" {
		return 0
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > most {
		a.refuse(field, "diagnose.wrong.number", "Given", text, "Most", most)
		return 0
	}
	return n
}

// Examine has a doctor look at everything that was brought. Errors are not the
// visitor's: what is wrong with a log stands beside its field.
func (a *DiagnoseAsk) Examine(d Doctor) error {
	a.known = d.Systems()
	if !a.Asked {
		return nil
	}
	says := a.statement()
	if len(a.flaws["log"]) == 0 && strings.TrimSpace(a.Pasted) != "" {
		if err := a.examine(d, "log", "", a.Pasted, says); err != nil {
			return err
		}
	}
	for _, file := range a.Files {
		if err := a.examine(d, "files", file.Name, file.Text, says); err != nil {
			return err
		}
	}
	if len(a.tables) == 0 && len(a.flaws["log"])+len(a.flaws["files"]) == 0 {
		a.refuse("log", "diagnose.wrong.nothing")
	}
	return nil
}

func (a *DiagnoseAsk) examine(d Doctor, field, name, text string, says diagnose.Statement) error {
	files, err := d.Read(name, []byte(text), says)
	if none := new(diagnose.NoTableError); errors.As(err, &none) {
		if name == "" {
			a.refuse(field, "diagnose.wrong.no-table")
		} else {
			a.refuse(field, "diagnose.wrong.no-table.file", "Name", name)
		}
		return nil
	}
	if err != nil {
		return err
	}
	lines := strings.Split(text, "\n")
	for _, file := range files {
		if name == "" {
			file.File = ""
		}
		a.tables = append(a.tables, diagnosed{file, lines})
	}
	return nil
}

// Report is the document of everything that was brought.
func (a *DiagnoseAsk) Report() diagnose.Report {
	r := diagnose.Report{Version: 1, Files: []diagnose.File{}}
	for _, t := range a.tables {
		if t.File.File == "" {
			t.File.File = "pasted"
		}
		r.Files = append(r.Files, t.File)
	}
	return r
}

// Bare reports whether no log was brought.
func (a *DiagnoseAsk) Bare() bool {
	return strings.TrimSpace(a.Pasted) == "" && len(a.Files) == 0 && len(a.flaws) == 0
}

// Sound reports whether something was read.
func (a *DiagnoseAsk) Sound() bool { return len(a.tables) > 0 }
