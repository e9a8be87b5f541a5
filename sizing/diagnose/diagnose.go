package diagnose

import (
	"fmt"
	"path/filepath"
	"strings"

	"lockstep/engine/schedule"
	"lockstep/engine/trace"
	"lockstep/sizing/benchlog"
	"lockstep/sizing/catalog"
	"lockstep/sizing/hardware"
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
	Code     string       `json:"code"`
	Severity Severity     `json:"severity"`
	Message  string       `json:"message"`  // in English
	Evidence string       `json:"evidence"` // from the log: lines and figures
	Check    string       `json:"check,omitempty"`
	Values   trace.Values `json:"values,omitempty"` // what other languages say it with
}

// Row is a measurement as documents print it.
type Row struct {
	Size    int64   `json:"size_bytes"`
	Count   int     `json:"count"`
	InPlace bool    `json:"in_place"`
	Time    float64 `json:"time_us"`
	AlgBW   float64 `json:"algbw_gbytes_per_s"`
	BusBW   float64 `json:"busbw_gbytes_per_s"`
	Wrong   *int    `json:"wrong,omitempty"`
}

// Expected is the bus bandwidth that a healthy system of that kind reaches at
// the largest size of the log. Both are absent where too little is known.
type Expected struct {
	System string  `json:"system_id,omitempty"`
	Low    float64 `json:"busbw_low_gbytes_per_s,omitempty"`
	High   float64 `json:"busbw_high_gbytes_per_s,omitempty"`
	Size   int64   `json:"size_bytes,omitempty"`
	Grade  string  `json:"grade,omitempty"`
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
	Rows        []Row               `json:"rows"`
	Expected    Expected            `json:"expected"`
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

// Read reads a log's text and says what it shows: a File for every table. A
// text without any is an error that says what is read.
func (d *Doctor) Read(name string, text []byte) ([]File, error) {
	logs := benchlog.Parse(name, text)
	if len(logs) == 0 {
		return nil, fmt.Errorf("%s holds no measurement that can be read; read are tables of nccl-tests, rccl-tests, OSU and hccl_test", name)
	}
	var files []File
	for _, log := range logs {
		files = append(files, d.examine(filepath.Base(name), log))
	}
	return files, nil
}

// examine says what one table shows.
func (d *Doctor) examine(name string, log benchlog.Log) File {
	f := File{
		File: name, Tool: log.Tool, ToolVersion: log.ToolVersion, Library: log.Library, Collective: log.Collective, Ranks: log.Ranks, Nodes: log.Nodes,
		GPU: log.GPU, DType: log.DType, Op: log.Op, Rows: []Row{}, Findings: []Finding{}, Warnings: []trace.Warning{},
	}
	for _, r := range log.Rows {
		row := Row{int64(r.Size), r.Count, r.InPlace, 1e6 * float64(r.Time), float64(r.AlgBW) / 1e9, float64(r.BusBW) / 1e9, nil}
		if r.Wrong >= 0 {
			row.Wrong = &r.Wrong
		}
		f.Rows = append(f.Rows, row)
	}
	for _, w := range log.Warnings {
		f.Warnings = append(f.Warnings, trace.Warning{Code: w.Code, Message: w.Message, Values: w.Values})
	}
	c := &chart{log: log, curve: curveOf(log)}
	d.expect(c, &f)
	f.Findings = append(f.Findings, c.findings()...)
	return f
}

// words describes the system of a log for hardware.Read.
func words(log benchlog.Log) hardware.Words {
	w := hardware.Words{GPU: log.GPU, Ranks: log.Ranks, Nodes: log.Nodes}
	if w.Nodes > 0 && w.Ranks > 0 {
		w.PerNode = (w.Ranks + w.Nodes - 1) / w.Nodes
	}
	if log.GPU == "" && log.Tool == benchlog.RCCLTests {
		w.GPU = "MI300X"
	}
	if log.GPU == "" && log.Tool == benchlog.HCCLTest {
		w.GPU = "Ascend 910B"
	}
	var settings []string
	for _, e := range log.Setup.Env {
		settings = append(settings, e.Name+"="+e.Value)
	}
	w.Settings = strings.Join(settings, " ")
	switch network := strings.Join(append(log.Setup.Networks, log.Setup.Ways...), " "); {
	case strings.Contains(network, "FasTrak"):
		w.InterLink = "TCPXO"
	case strings.Contains(network, "OFI"), strings.Contains(network, "Libfabric"):
		w.InterLink = "EFA"
	case strings.Contains(network, "IB"):
		w.InterLink = "InfiniBand"
	case strings.Contains(network, "Socket"):
		w.InterLink = "TCP"
	}
	return w
}

// A healthy system's bus bandwidth lies between these shares of the predicted
// one: what healthy published systems that a prediction had not seen did.
const (
	healthyLow  = 0.72
	healthyHigh = 1.2
)

// expect enters what the system should give.
func (d *Doctor) expect(c *chart, f *File) {
	if c.log.Ranks < 2 || c.log.Collective == "" || len(c.curve) == 0 || c.log.PerPeer {
		return
	}
	c.system = hardware.Read(words(c.log))
	if c.log.GPU == "" && c.system.Guessed("gpu") {
		return
	}
	last := c.curve[len(c.curve)-1]
	p := d.library.Predict(measured.Case{Collective: c.log.Collective, System: c.system, Size: last.size})
	bus := float64(last.size) * c.log.Collective.BusFactor(c.log.Ranks) / p.Time / 1e3
	if bus <= 0 {
		return
	}
	c.predicted, c.limit = bus, p.Limit
	f.Expected = Expected{System: d.known.Match(c.system), Low: bus * healthyLow, High: bus * healthyHigh, Size: int64(last.size), Grade: string(p.Grade)}
}
