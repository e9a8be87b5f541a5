package measured

import (
	"bytes"
	_ "embed"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"lockstep/engine/schedule"
	"lockstep/engine/unit"
	"lockstep/sizing/hardware"
)

// Health is what was said of a system that was measured.
type Health string

// What may be said.
const (
	Healthy Health = "yes"
	Unknown Health = "unknown"
	Sick    Health = "no"
)

// Row is a public measurement.
type Row struct {
	ID     string // of the run: all its sizes share it
	Source string // who published it
	URL    string
	Health Health
	Bench  bool // of the collection of few sizes a case, which was taken with NVLS off
	Words  hardware.Words
	Case
	Time float64 // us
}

var (
	//go:embed data/collectives.csv
	collectivesCSV []byte
	//go:embed data/bench.json
	benchJSON []byte
)

// spellings of collectives in tables, without what separates their parts.
var spellings = map[string]schedule.Collective{
	"allreduce": schedule.AllReduce, "allgather": schedule.AllGather, "reducescatter": schedule.ReduceScatter, "alltoall": schedule.AllToAll, "alltoallv": schedule.AllToAll,
	"all2all": schedule.AllToAll, "broadcast": schedule.Broadcast, "bcast": schedule.Broadcast, "reduce": schedule.ReduceTo, "gather": schedule.Gather,
	"scatter": schedule.Scatter, "sendrecv": schedule.SendRecv, "p2p": schedule.SendRecv, "barrier": schedule.Barrier,
}

// ReadCollective reads the name of a collective as tables spell it: all_reduce,
// AllReduce, sendrecv.
func ReadCollective(text string) (schedule.Collective, bool) {
	var plain strings.Builder
	for _, r := range strings.ToLower(text) {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			plain.WriteRune(r)
		}
	}
	name := strings.TrimPrefix(strings.TrimSuffix(strings.TrimSuffix(plain.String(), "perf"), "test"), "osu")
	c, ok := spellings[strings.TrimPrefix(strings.TrimPrefix(name, "nccl"), "mpi")]
	return c, ok
}

// number reads a figure; 0 for none.
func number(text string) float64 {
	v, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	if err != nil {
		return 0
	}
	return v
}

// Rows are all public measurements that can be compared: those that tell rank
// count, size and time. Rows of one run follow each other.
func Rows() ([]Row, error) {
	table, err := csv.NewReader(bytes.NewReader(collectivesCSV)).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("read measurements: %w", err)
	}
	column := map[string]int{}
	for i, name := range table[0] {
		column[name] = i
	}
	var rows []Row
	for _, record := range table[1:] {
		at := func(name string) string { return record[column[name]] }
		r := Row{ID: at("id"), Source: at("repo_or_site"), URL: at("source_url"), Health: Health(at("healthy")), Time: number(at("time_us")), Words: hardware.Words{
			GPU: at("gpu"), IntraLink: at("intra_link"), InterLink: at("inter_link"), Ranks: int(number(at("gpus_total"))), Nodes: int(number(at("nodes"))),
			PerNode: int(number(at("gpus_per_node"))), InterGbpsPerNode: number(at("inter_gbps_per_node")), Settings: at("notes"),
		}}
		var known bool
		if r.Collective, known = ReadCollective(at("collective")); !known {
			return nil, fmt.Errorf("read measurements: %s: collective %q", r.ID, at("collective"))
		}
		r.System = hardware.Read(r.Words)
		r.Size, r.Torch = unit.Bytes(number(at("size_bytes"))), strings.Contains(at("library"), "torch")
		if strings.HasPrefix(at("library"), "OSU") && r.Collective == schedule.AllToAll {
			r.Size *= unit.Bytes(r.System.Ranks)
		}
		if bus := number(at("busbw_gbps")); r.Time == 0 && bus > 0 && r.System.Ranks > 1 {
			r.Time = float64(r.Size) * r.Collective.BusFactor(r.System.Ranks) / bus / 1e3
		}
		if r.Time > 0 && r.Size > 0 && r.System.Ranks > 1 {
			rows = append(rows, r)
		}
	}
	bench, err := benchRows()
	return append(rows, bench...), err
}

// benchSizes are the sizes of bench.json by the ends of their keys.
var benchSizes = []struct {
	key  string
	size unit.Bytes
}{{"time_us_512b", 512}, {"time_us_64kib", 64 << 10}, {"time_us_1mib", 1 << 20}, {"time_us_16mib", 16 << 20}, {"time_us_128mib", 128 << 20}, {"time_us_512mib", 512 << 20}}

func benchRows() ([]Row, error) {
	var entries []map[string]any
	if err := json.Unmarshal(benchJSON, &entries); err != nil {
		return nil, fmt.Errorf("read measurements: %w", err)
	}
	var rows []Row
	for _, e := range entries {
		text := func(k string) string { s, _ := e[k].(string); return s }
		figure := func(k string) float64 { v, _ := e[k].(float64); return v }
		c, known := ReadCollective(text("collective"))
		if !known || strings.Contains(text("id"), "l40s") || strings.HasPrefix(text("id"), "amd-cvs") {
			continue
		}
		r := Row{ID: text("id"), Source: text("source"), URL: text("source"), Health: Healthy, Bench: true, Words: hardware.Words{
			GPU: text("accelerator"), InterLink: text("fabric"), Ranks: int(figure("accelerators")), Nodes: int(figure("nodes")), Settings: text("notes") + " NVLS off",
		}}
		r.System, r.Collective = hardware.Read(r.Words), c
		for _, s := range benchSizes {
			if us := figure(s.key); us > 0 && r.System.Ranks > 1 {
				r.Size, r.Time = s.size, us
				rows = append(rows, r)
			}
		}
	}
	return rows, nil
}

// big is where bytes begin to count more than latencies.
const big = 1 << 20

// Samples makes samples of rows: sick systems are left out, systems of which
// nothing is known, small sizes and the collection of few sizes count less, and
// a run with many sizes does not count more than as the root of their number.
func Samples(rows []Row) []Sample {
	sizes := map[string]int{}
	for _, r := range rows {
		sizes[r.ID]++
	}
	samples := make([]Sample, 0, len(rows))
	for _, r := range rows {
		if r.Health == Sick {
			continue
		}
		weight := 1.0
		if n := sizes[r.ID]; n > 4 {
			weight = 1 / sqrt(float64(n)/4)
		}
		if r.Health == Unknown {
			weight *= 0.7
		}
		if r.Size < big {
			weight *= 0.6
		}
		if r.Bench {
			weight *= 0.5
		}
		samples = append(samples, Sample{Case: r.Case, Time: r.Time, Weight: weight})
	}
	return samples
}

// systems lists rows run by run.
func systems(rows []Row) [][]Row {
	var all [][]Row
	for len(rows) > 0 {
		n := slices.IndexFunc(rows, func(r Row) bool { return r.ID != rows[0].ID })
		if n < 0 {
			n = len(rows)
		}
		all = append(all, rows[:n])
		rows = rows[n:]
	}
	return all
}
