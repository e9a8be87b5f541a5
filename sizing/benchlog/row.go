package benchlog

import (
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"lockstep/engine/unit"
)

// dtypes are the names of types that nccl-tests and its kin print, and their
// widths in bytes.
var dtypes = map[string]int{
	"int8": 1, "char": 1, "uint8": 1, "int32": 4, "int": 4, "uint32": 4, "int64": 8, "uint64": 8,
	"half": 2, "float16": 2, "bfloat16": 2, "float": 4, "float32": 4, "double": 8, "float64": 8,
	"fp8_e4m3": 1, "fp8_e5m2": 1, "f8e4m3": 1, "f8e5m2": 1, "float8_e4m3": 1, "float8_e5m2": 1,
}

// reductions are the names that stand in the column redop.
var reductions = []string{"sum", "prod", "max", "min", "avg", "mulsum", "all", "none"}

// tableRow is a row of nccl-tests wherever it begins in its line: bytes,
// elements, a type, and the rest.
var tableRow = regexp.MustCompile(`(?:^|[\s:>|])(\d+)\s+(\d+)\s+([a-z][a-z0-9_]*)\s+(\S.*)$`)

// cells is a row of nccl-tests by its columns.
type cells struct {
	size, count int
	dtype, op   string
	root        string // empty for a table without that column
	halves      []half // out of place, then in place; or one
}

// half is one of the two measurements of a row.
type half struct {
	time, alg, bus float64 // as printed
	wrong          int     // -1 where it was not checked
	precise        float64 // what one step of the last digit of bus is
}

// readCells reads a line as a row of nccl-tests. The number of fields says which
// columns there are: behind the type stand a reduction or none, a root or none,
// and once or twice time, both bandwidths and, or not, the errors.
func readCells(line string) (cells, bool) {
	if !strings.Contains(line, ".") {
		return cells{}, false
	}
	m := tableRow.FindStringSubmatch(line)
	if m == nil || dtypes[m[3]] == 0 {
		return cells{}, false
	}
	var c cells
	var bad [2]error
	c.size, bad[0] = strconv.Atoi(m[1])
	c.count, bad[1] = strconv.Atoi(m[2])
	if bad[0] != nil || bad[1] != nil {
		return cells{}, false
	}
	c.dtype = m[3]
	fields := strings.Fields(m[4])
	if slices.Contains(reductions, fields[0]) {
		c.op, fields = fields[0], fields[1:]
	}
	for _, plan := range []struct {
		fields        int
		root          bool
		halves, width int
	}{{9, true, 2, 4}, {8, false, 2, 4}, {7, true, 2, 3}, {6, false, 2, 3}, {5, true, 1, 4}, {4, false, 1, 4}, {3, false, 1, 3}} {
		if len(fields) < plan.fields {
			continue
		}
		rest := fields
		root := ""
		if plan.root {
			if _, err := strconv.Atoi(rest[0]); err != nil {
				continue
			}
			root, rest = rest[0], rest[1:]
		}
		if halves, ok := readHalves(rest, plan.halves, plan.width); ok {
			c.root, c.halves = root, halves
			return c, true
		}
	}
	return cells{}, false
}

func readHalves(fields []string, count, width int) ([]half, bool) {
	var halves []half
	for i := range count {
		f := fields[i*width:][:width]
		h := half{wrong: -1}
		var ok [3]bool
		h.time, ok[0] = measured(f[0])
		h.alg, ok[1] = measured(f[1])
		h.bus, ok[2] = measured(f[2])
		if !ok[0] || !ok[1] || !ok[2] || !strings.Contains(f[1], ".") || !strings.Contains(f[2], ".") {
			return nil, false // bandwidths always have a point: what has none is another column
		}
		h.precise = lastDigit(f[2])
		if width == 4 {
			wrong, ok := readWrong(f[3])
			if !ok {
				return nil, false
			}
			h.wrong = wrong
		}
		halves = append(halves, h)
	}
	return halves, true
}

// readWrong reads the last column: a count of wrong elements, or, in older
// tables, the largest error; N/A where nothing was checked. Errors as small as
// rounding are none.
func readWrong(text string) (int, bool) {
	if text == "N/A" || text == "-" {
		return -1, true
	}
	if n, err := strconv.Atoi(text); err == nil && n >= 0 {
		return n, true
	}
	v, ok := measured(text)
	switch {
	case !ok || v < 0:
		return 0, false
	case v > 1e-2:
		return 1, true
	}
	return 0, true
}

// measured reads a measurement, which is finite and not below zero.
func measured(text string) (float64, bool) {
	v, err := strconv.ParseFloat(text, 64)
	return v, err == nil && v >= 0 && !math.IsInf(v, 0) && !math.IsNaN(v)
}

// lastDigit is what one step of the last digit of a printed number is.
func lastDigit(text string) float64 {
	_, decimals, _ := strings.Cut(text, ".")
	return math.Pow(10, -float64(len(decimals)))
}

// rows makes rows of what stands in a line, whose times count in perSecond.
func (c cells) rows(line int, perSecond float64) []Row {
	var rows []Row
	for i, h := range c.halves {
		rows = append(rows, Row{
			Line: line, Size: unit.Bytes(c.size), Count: c.count, InPlace: i == 1,
			Time: unit.Seconds(h.time / perSecond), AlgBW: unit.Rate(h.alg * 1e9), BusBW: unit.Rate(h.bus * 1e9), Wrong: h.wrong, Told: CountTold | TimeTold | AlgTold | BusTold,
		})
	}
	return rows
}
