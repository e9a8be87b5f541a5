package benchlog

import (
	"lockstep/engine/schedule"
	"lockstep/engine/unit"
)

// Tool is the program that wrote a log.
type Tool string

// The tools.
const (
	NCCLTests Tool = "nccl-tests"
	RCCLTests Tool = "rccl-tests"
	OSU       Tool = "osu"
	HCCLTest  Tool = "hccl_test"
)

// Log is one table of measurements and what stands around it. What the log does
// not tell is empty or 0.
type Log struct {
	Tool        Tool
	ToolVersion string
	Library     string // what moved the data, with its version, such as NCCL 2.21.5
	Collective  schedule.Collective
	Ranks       int
	Nodes       int
	GPU         string // as the log spells it
	DType, Op   string // as the log spells them
	Rows        []Row

	CollectiveFrom, RanksFrom, NodesFrom Source
	// Listed is how many ranks the list of devices holds, or the command line
	// asks for; Implied how many the ratio of the bandwidths fits, where that
	// is one number. Both are 0 where there is nothing to tell from.
	Listed, Implied int
	// PerPeer says that the sizes of Rows are what one rank sends to another,
	// since the number of ranks that would make them whole buffers is unknown.
	PerPeer bool
	// AvgBusBW is the average that the tool itself prints; 0 for none.
	AvgBusBW unit.Rate
	Setup    Setup
	Warnings []Warning
}

// Source is how something about a log is known.
type Source string

// The sources, from the best to the weakest.
const (
	Said    Source = "said"    // a line of the log says it
	Command Source = "command" // the name of the program or its arguments
	Named   Source = "named"   // the file's name
	Ratio   Source = "ratio"   // bus bandwidth over algorithm bandwidth fits nothing else
	Layout  Source = "layout"  // the columns fit nothing else
	Stated  Source = "stated"  // whoever brings the log says it
)

// Statement is what whoever brings a log says of its tables. It fills gaps and
// overrules nothing. Empty and 0 are not said.
type Statement struct {
	Collective   schedule.Collective
	Ranks, Nodes int
}

// Row is one measurement.
type Row struct {
	Line    int        // in the text, from 1
	Size    unit.Bytes // of the full buffer, as nccl-tests counts it; see Log.PerPeer
	Count   int        // elements
	InPlace bool
	Time    unit.Seconds
	AlgBW   unit.Rate // as told, or made from size and time
	BusBW   unit.Rate // 0 where it is not told and the ranks are not known
	Wrong   int       // elements; -1 where it was not checked
	Told    Columns   // what the log itself tells; what else is above 0 is made of it
}

// Columns are columns of a table.
type Columns uint8

// The columns that a row may have beside its size. A bandwidth that is told
// says something about the ranks.
const (
	CountTold Columns = 1 << iota
	TimeTold
	AlgTold
	BusTold
)

// Warning is something about the reading of a log that its reader should know.
type Warning struct {
	Code    string
	Line    int // 0 for the whole
	Values  map[string]string
	Message string // in English
}
