package benchlog

import (
	"path"
	"regexp"
	"strconv"
	"strings"

	"lockstep/engine/schedule"
	"lockstep/engine/unit"
)

// Bounds of what is read. A log of days of runs is longer than anybody wants to
// see at once.
const (
	MaxBytes  = 8 << 20
	maxLine   = 4 << 10 // longer than any line that says something
	maxTables = 256
	maxRows   = 1 << 16
	maxRanks  = 1 << 20
)

// Parse reads every table in a text. The name is that of the file, whose words
// help where the text says nothing; it may be empty. A text without any
// measurement yields none.
func Parse(name string, text []byte) []Log { return ParseStated(name, text, Statement{}) }

// ParseStated is Parse for a log of which something is known beside.
func ParseStated(name string, text []byte, says Statement) []Log {
	p := reader{name: path.Base(strings.ReplaceAll(name, `\`, "/")), says: says}
	p.begin()
	text = Plain(text[:min(len(text), MaxBytes)])
	for i, line := range strings.Split(string(text), "\n") {
		p.line(i+1, bare(clipLine(line)))
	}
	p.end()
	return p.logs
}

func clipLine(line string) string { return line[:min(len(line), maxLine)] }

// reader is the state of a Parse.
type reader struct {
	name string
	says Statement
	logs []Log
	rows int // of all logs

	log     Log
	unread  int             // lines that look like rows and are none
	devices map[int]device  // by rank
	hosts   map[string]bool // of the devices
	whole   int             // rows whose elements make the whole buffer
	parts   map[int]int     // ratio of buffer to elements -> rows
	cells   []tableCells    // rows of nccl-tests, whose times have no unit yet
	command command
	kind    kind // of the table under way, for rows that are told by their surroundings
	root    string
	after   bool // the table has ended: what follows belongs to the next
}

type tableCells struct {
	cells
	line int
}

type device struct{ host, gpu string }

// kind is what rows without a mark of their own belong to.
type kind uint8

const (
	noTable kind = iota
	osuLatency
	osuBandwidth
	hcclTable
)

// begin starts a table; what has been said of the surroundings stays where it
// holds for what follows.
func (p *reader) begin() {
	p.log = Log{Library: p.log.Library}
	p.devices, p.hosts, p.parts = map[int]device{}, map[string]bool{}, map[int]int{}
	p.whole, p.unread, p.cells, p.command, p.kind, p.root, p.after = 0, 0, nil, command{}, noTable, "", false
}

// next starts a table if the one under way has rows.
func (p *reader) next() {
	if len(p.cells) > 0 || len(p.log.Rows) > 0 {
		p.end()
		p.begin()
	}
}

// end completes the table under way.
func (p *reader) end() {
	if len(p.cells) == 0 && len(p.log.Rows) == 0 || len(p.logs) == maxTables {
		return
	}
	p.complete()
	p.logs = append(p.logs, p.log)
}

var (
	rankLine = newMark("Rank", `\bRank\s+(\d+)\s+(?:Group\s+\d+\s+)?(?:Pid\s+\d+\s+)?on\s+(\S+)\s+device\s+\d+\s*\[[^\]]*\]\s*(.*)$`)
	options  = newMark("Bytes", `\bn[tT]hreads?:?\s+(\d+)\s+n[gG]pus:?\s+(\d+)\s+min[bB]ytes`)
	starting = newMark("test starting", `Collective test starting:\s*(\S+)`)
	testsOf  = newMark("ccl-tests", `\b(nccl-tests|rccl-tests):?\s+[vV]ersion:?\s*(\S+)`)
	average  = newMark("bus bandwidth", `Avg bus bandwidth\s*:?\s*([0-9.]+)`)
	osuTitle = newMark("OSU ", `OSU (?:MPI|NCCL|xCCL)\S*\s+(.*?)\s*(Latency|Bandwidth|Bi-Directional Bandwidth)?\s*Test(?:\s+v?([0-9][0-9.]*))?`)
	osuHead  = newMark("Size", `#?\s*Size\s+(Avg )?(Latency|Bandwidth)\s*\(`)
	osuRow   = regexp.MustCompile(`(?:^|[\s:>|])(\d+)\s+(\d+(?:\.\d+)?)((?:\s+\d+(?:\.\d+)?)*)\s*$`)
	osuType  = newMark("Datatype", `Datatype:\s*(\S+?)\.?\s*$`)
	hcclHead = newMark("data_size", `data_size\s*\(Bytes\)`)
	hcclBand = newMark("the minbytes", `the minbytes is \d+`)
	hcclRow  = newMark("|", `(\d+)\s*\|\s*([0-9.]+(?:[eE][-+]?\d+)?)\s*\|\s*([0-9.]+(?:[eE][-+]?\d+)?)(?:\s*\|\s*([A-Za-z]+))?`)
	opening  = regexp.MustCompile(`set by environment|NET/\w+\s*: Using|[NR]CCL version`) // of a run, before its table
	likeRow  = regexp.MustCompile(`^\s*\d+\s+\d+\s+\S+\s+\S+\s+[0-9.]+\s+[0-9.]+`)
)

// line takes in one line.
func (p *reader) line(number int, line string) {
	if strings.TrimSpace(line) == "" {
		return
	}
	if c, ok := readCells(line); ok {
		p.addCells(number, c)
		return
	}
	if m := rankLine.in(line); m != nil {
		p.addDevice(m[1], m[2], m[3])
		return
	}
	switch p.kind {
	case hcclTable:
		if m := hcclRow.in(line); m != nil {
			p.addHCCL(number, m)
			return
		}
	case osuLatency, osuBandwidth:
		if m := osuRow.FindStringSubmatch(line); m != nil {
			p.addOSU(number, m)
			return
		}
	}
	if p.after && opening.MatchString(line) {
		p.next()
	}
	held := p.header(line)
	held = p.log.Setup.read(number, line) || held
	if !held && line[0] <= '9' && likeRow.MatchString(line) {
		p.unread++
	}
}

// header takes in a line that says something about a table, and reports whether
// it did.
func (p *reader) header(line string) bool {
	l := &p.log
	if m := libraries.in(line); m != nil {
		l.Library = m[1] + " " + m[2]
	} else if m := average.in(line); m != nil {
		if v, ok := measured(m[1]); ok {
			l.AvgBusBW = unit.Rate(v * 1e9)
		}
		p.after = true
	} else if band := hcclBand.in(line) != nil; band || hcclHead.in(line) != nil {
		if p.kind != hcclTable || band {
			p.next()
		}
		p.log.Tool, p.kind = HCCLTest, hcclTable
	} else if m := osuTitle.in(line); m != nil {
		p.osu(m[1], m[2], m[3])
	} else if m := osuHead.in(line); m != nil {
		if p.kind != osuLatency && p.kind != osuBandwidth {
			p.next()
			p.log.Tool, p.kind = OSU, osuLatency
		}
		if m[2] == "Bandwidth" {
			p.kind = osuBandwidth
		}
	} else if m := osuType.in(line); m != nil && l.Tool == OSU {
		l.DType = m[1]
	} else if m := starting.in(line); m != nil {
		p.next()
		if c, ok := collectiveOf(m[1]); ok {
			p.log.Collective, p.log.CollectiveFrom = c, Said
		}
	} else if m := testsOf.in(line); m != nil {
		if p.after {
			p.next()
		}
		p.log.Tool, p.log.ToolVersion = Tool(m[1]), m[2]
	} else if m := options.in(line); m != nil {
		p.next()
		p.command.threads, _ = strconv.Atoi(m[1])
		p.command.gpus, _ = strconv.Atoi(m[2])
	} else if strings.Contains(line, "Using devices") {
		p.next()
	} else if called := p.command; called.read(line) {
		if p.after {
			p.next()
		}
		p.command.read(line)
	} else {
		return false
	}
	return true
}

// osu begins a table of the OSU benchmarks by its title.
func (p *reader) osu(what, measure, version string) {
	p.next()
	l := &p.log
	l.Tool, l.ToolVersion, p.kind = OSU, strings.TrimRight(version, "."), osuLatency
	if strings.HasSuffix(measure, "Bandwidth") {
		p.kind = osuBandwidth
	}
	if c, ok := collectiveOf(what); ok {
		l.Collective, l.CollectiveFrom = c, Said
	} else if what == "" { // point to point
		l.Collective, l.CollectiveFrom = schedule.SendRecv, Said
	}
}

// addDevice enters a line of the list of devices.
func (p *reader) addDevice(rank, host, gpu string) {
	p.next()
	n, err := strconv.Atoi(rank)
	if err != nil || n >= maxRanks {
		return
	}
	p.devices[n] = device{host, clip(strings.TrimSpace(gpu))}
	p.hosts[host] = true
}

// addCells enters a row of nccl-tests or a relative. One that is smaller than
// the row before begins another sweep.
func (p *reader) addCells(number int, c cells) {
	if n := len(p.cells); n > 0 && (c.size < p.cells[n-1].size || c.dtype != p.cells[n-1].dtype || c.op != p.cells[n-1].op) || p.after {
		again := p.surroundings()
		p.next()
		p.log, p.devices, p.hosts, p.command = again.log, again.devices, again.hosts, again.command
	}
	if p.rows += len(c.halves); p.rows > maxRows {
		return
	}
	p.cells = append(p.cells, tableCells{c, number})
	p.log.DType, p.log.Op, p.root = c.dtype, c.op, c.root
	if width := dtypes[c.dtype]; c.count > 0 && c.size >= 4096 {
		switch bytes := c.count * width; {
		case c.size == bytes:
			p.whole++
		case c.size%bytes == 0:
			p.parts[c.size/bytes]++
		}
	}
}

// surroundings is what a second sweep of the same program shares with the first.
func (p *reader) surroundings() reader {
	log := p.log
	log.Rows, log.Warnings, log.AvgBusBW = nil, nil, 0
	return reader{log: log, devices: p.devices, hosts: p.hosts, command: p.command}
}

func (p *reader) addHCCL(number int, m []string) {
	size, err := strconv.Atoi(m[1])
	time, timed := measured(m[2])
	rate, rated := measured(m[3])
	if err != nil || !timed || !rated {
		p.unread++
		return
	}
	wrong := -1
	switch strings.ToLower(m[4]) {
	case "success", "pass", "passed", "ok":
		wrong = 0
	case "fail", "failed", "error":
		wrong = 1
	}
	p.add(Row{Line: number, Size: unit.Bytes(size), Time: unit.Seconds(time / 1e6), AlgBW: unit.Rate(rate * 1e9), Wrong: wrong, Told: TimeTold | AlgTold})
}

func (p *reader) addOSU(number int, m []string) {
	size, err := strconv.Atoi(m[1])
	value, ok := measured(m[2])
	if err != nil || !ok {
		p.unread++
		return
	}
	row := Row{Line: number, Size: unit.Bytes(size), Wrong: -1}
	if p.kind == osuBandwidth { // MB/s, of 10⁶ bytes
		row.Told = AlgTold
		row.AlgBW = unit.Rate(value * 1e6)
		if value > 0 {
			row.Time = unit.Seconds(float64(size) / (value * 1e6))
		}
	} else {
		row.Told, row.Time = TimeTold, unit.Seconds(value/1e6)
	}
	p.add(row)
}

func (p *reader) add(r Row) {
	if p.rows++; p.rows <= maxRows {
		p.log.Rows = append(p.log.Rows, r)
	}
}
