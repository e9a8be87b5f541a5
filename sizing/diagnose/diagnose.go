package diagnose

import (
	"fmt"
	"path/filepath"

	"lockstep/engine/schedule"
	"lockstep/engine/trace"
	"lockstep/sizing/benchlog"
	"lockstep/sizing/catalog"
	"lockstep/sizing/measured"
)

// Severity is how much a finding matters.
type Severity string

// The severities.
const (
	Critical Severity = "critical" // the system does not give what it should, or its results are wrong
	Warn     Severity = "warning"  // likely to cost something, or to mislead
	Info     Severity = "info"     // good to know when reading the log
)

// Finding is something that a log shows.
type Finding struct {
	Code     Code         `json:"code"`
	Severity Severity     `json:"severity"`
	Message  string       `json:"message"`  // in English
	Evidence string       `json:"evidence"` // from the log: lines and figures
	Check    string       `json:"check,omitempty"`
	Commands []string     `json:"commands,omitempty"` // to check with
	Values   trace.Values `json:"values,omitempty"`   // what other languages say it with: see Forms
}

// Row is a measurement as documents print it. What is undefined is absent; a 0
// that the log prints is a figure.
type Row struct {
	Size    int64    `json:"size_bytes"`
	Count   *int     `json:"count,omitempty"`
	InPlace bool     `json:"in_place"`
	Time    *float64 `json:"time_us,omitempty"`
	AlgBW   *float64 `json:"algbw_gbytes_per_s,omitempty"`
	BusBW   *float64 `json:"busbw_gbytes_per_s,omitempty"`
	Wrong   *int     `json:"wrong,omitempty"`
}

// rowOf is a row of a log for documents.
func rowOf(r benchlog.Row) Row {
	figure := func(told benchlog.Columns, v float64) *float64 {
		if v == 0 && r.Told&told == 0 {
			return nil
		}
		return &v
	}
	row := Row{Size: int64(r.Size), InPlace: r.InPlace, Time: figure(benchlog.TimeTold, 1e6*float64(r.Time)),
		AlgBW: figure(benchlog.AlgTold, float64(r.AlgBW)/1e9), BusBW: figure(benchlog.BusTold, float64(r.BusBW)/1e9)}
	if r.Told&benchlog.CountTold != 0 {
		row.Count = &r.Count
	}
	if r.Wrong >= 0 {
		row.Wrong = &r.Wrong
	}
	return row
}

// Expected is the bus bandwidth that a healthy system of that kind reaches at
// the largest size of the log, and at every other. All are absent where too
// little is known.
type Expected struct {
	System string  `json:"system_id,omitempty"`
	Low    float64 `json:"busbw_low_gbytes_per_s,omitempty"`
	High   float64 `json:"busbw_high_gbytes_per_s,omitempty"`
	Size   int64   `json:"size_bytes,omitempty"`
	Grade  string  `json:"grade,omitempty"`
	Curve  []Band  `json:"curve,omitempty"`
}

// Band is what healthy systems of a kind reach at a size, in GB/s of bus
// bandwidth.
type Band struct {
	Size    int64   `json:"size_bytes"`
	Typical float64 `json:"busbw_gbytes_per_s"`
	Low     float64 `json:"busbw_low_gbytes_per_s"`
	High    float64 `json:"busbw_high_gbytes_per_s"`
}

// File is one table of a log.
type File struct {
	File        string              `json:"file"`
	Tool        benchlog.Tool       `json:"tool"`
	ToolVersion string              `json:"tool_version,omitempty"`
	Library     string              `json:"library,omitempty"`
	Collective  schedule.Collective `json:"collective,omitempty"`
	Ranks       int                 `json:"ranks,omitempty"`
	Nodes       int                 `json:"nodes,omitempty"`
	GPU         string              `json:"gpu,omitempty"`
	DType       string              `json:"dtype,omitempty"`
	Op          string              `json:"op,omitempty"`
	Stated      []string            `json:"stated,omitempty"`   // which of collective, ranks, nodes and system were stated, not read
	PerPeer     bool                `json:"per_peer,omitempty"` // sizes are what one rank sends to another
	Rows        []Row               `json:"rows"`
	Taken       *Taken              `json:"system,omitempty"` // what the system was taken for
	Expected    Expected            `json:"expected"`
	Verdict     Verdict             `json:"verdict"`
	Needs       []Need              `json:"needs,omitempty"`                // of an unjudged table
	Reached     float64             `json:"reached_gbytes_per_s,omitempty"` // of bus bandwidth, where it was judged
	Share       float64             `json:"share_of_expected,omitempty"`
	Findings    []Finding           `json:"findings"`
	Warnings    []trace.Warning     `json:"warnings"`
}

// Report is all tables of some logs.
type Report struct {
	Version int    `json:"version"`
	Files   []File `json:"files"`
}

// Doctor knows what systems should give.
type Doctor struct {
	library *measured.Library
	known   *catalog.Catalog
}

// New makes a doctor of the evidence that the program carries.
func New(library *measured.Library, known *catalog.Catalog) *Doctor {
	return &Doctor{library, known}
}

// NoTableError is a text that holds no measurement.
type NoTableError struct{ Name string }

func (e *NoTableError) Error() string {
	return e.Name + " holds no measurement that can be read; read are tables of nccl-tests, rccl-tests, OSU and hccl_test"
}

// Read reads a log's text and says what it shows: a File for every table. A
// text without any is a *NoTableError; what is stated and cannot be used is a
// *WrongError.
func (d *Doctor) Read(name string, text []byte, says Statement) ([]File, error) {
	if err := d.Check(says); err != nil {
		return nil, err
	}
	logs := benchlog.ParseStated(name, text, says.gaps())
	if len(logs) == 0 {
		return nil, &NoTableError{name}
	}
	var files []File
	for _, log := range logs {
		files = append(files, d.examine(filepath.Base(name), log, says))
	}
	return files, nil
}

// examine says what one table shows.
func (d *Doctor) examine(name string, log benchlog.Log, says Statement) File {
	f := File{
		File: name, Tool: log.Tool, ToolVersion: log.ToolVersion, Library: log.Library, Collective: log.Collective, Ranks: log.Ranks, Nodes: log.Nodes,
		GPU: log.GPU, DType: log.DType, Op: log.Op, PerPeer: log.PerPeer, Rows: []Row{}, Findings: []Finding{}, Warnings: []trace.Warning{},
	}
	for _, r := range log.Rows {
		f.Rows = append(f.Rows, rowOf(r))
	}
	for _, w := range log.Warnings {
		f.Warnings = append(f.Warnings, trace.Warning{Code: w.Code, Message: w.Message, Values: w.Values})
	}
	c := &chart{log: log, curve: curveOf(log)}
	f.state(log, says)
	d.expect(c, &f, says)
	f.Findings = append(f.Findings, c.findings()...)
	f.Verdict, f.Needs = c.verdict()
	f.Share, f.Reached = c.share, c.reached
	return f
}

// state enters what of the table was stated, and where the log says otherwise.
func (f *File) state(log benchlog.Log, says Statement) {
	differs := func(what, stated, read string) {
		f.Warnings = append(f.Warnings, trace.Warning{
			Code: "stated-otherwise", Message: fmt.Sprintf("%s is stated as %s; the log says %s, which counts", what, stated, read),
			Values: trace.Values{"what": what, "stated": stated, "read": read},
		})
	}
	switch {
	case log.CollectiveFrom == benchlog.Stated:
		f.Stated = append(f.Stated, "collective")
	case says.Collective != "" && log.Collective != "" && log.Collective != says.Collective:
		differs("collective", string(says.Collective), string(log.Collective))
	}
	switch {
	case log.RanksFrom == benchlog.Stated:
		f.Stated = append(f.Stated, "ranks")
	case says.Ranks > 0 && log.Ranks > 0 && log.Ranks != says.Ranks:
		differs("ranks", fmt.Sprint(says.Ranks), fmt.Sprint(log.Ranks))
	}
	switch {
	case log.NodesFrom == benchlog.Stated:
		f.Stated = append(f.Stated, "nodes")
	case says.Nodes > 0 && log.Nodes > 0 && log.Nodes != says.Nodes:
		differs("nodes", fmt.Sprint(says.Nodes), fmt.Sprint(log.Nodes))
	}
	if says.System != "" || says.Accelerator != "" || says.Network != "" {
		f.Stated = append(f.Stated, "system")
	}
}
