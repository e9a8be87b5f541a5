package benchlog

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lockstep/engine/schedule"
	"lockstep/engine/unit"
)

func read(t testing.TB, name string) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata/logs", name))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// told is what a log is held to tell.
type told struct {
	Tool       Tool
	Version    string
	Library    string
	Collective schedule.Collective
	Ranks      int
	Nodes      int
	GPU        string
	Rows       int
	First      string // size of the first row and of the last, time and bus bandwidth of the last
}

func tell(l Log) told {
	first, last := l.Rows[0], l.Rows[len(l.Rows)-1]
	return told{l.Tool, l.ToolVersion, l.Library, l.Collective, l.Ranks, l.Nodes, l.GPU, len(l.Rows),
		fmt.Sprintf("%d..%d %.2f us %.2f GB/s", first.Size, last.Size, 1e6*last.Time, last.BusBW/1e9)}
}

func TestPublishedLogsReadFully(t *testing.T) {
	const a100, h100 = "A100-SXM4-40GB", "NVIDIA H100 80GB HBM3"
	want := map[string]told{
		"a100_8x1_allgather_v2.10_noredop.txt":                      {NCCLTests, "", "", schedule.AllGather, 8, 1, a100, 68, "0..8589934592 32669.00 us 230.07 GB/s"},
		"a100_8x1_allreduce_v2.10_noroot.txt":                       {NCCLTests, "", "", schedule.AllReduce, 8, 1, a100, 68, "0..8589934592 63959.00 us 235.03 GB/s"},
		"a100_8x1_broadcast_v2.10_root.txt":                         {NCCLTests, "", "", schedule.Broadcast, 8, 1, a100, 68, "0..8589934592 36599.00 us 234.70 GB/s"},
		"a100pcie_1x2_allreduce_unhealthy_gdr_over_socket_link.txt": {NCCLTests, "", "NCCL 2.21.5+cuda12.4", schedule.AllReduce, 2, 2, "NVIDIA A100-PCIE-40GB", 20, "8..1073741824 167090.00 us 6.43 GB/s"},
		"ascend_16x8_hccl_test_allreduce.txt":                       {HCCLTest, "", "", schedule.AllReduce, 0, 0, "", 2, "1024..1073741824 10442.38 us 0.00 GB/s"},
		"b200_1x2_allgather_zero_rows.txt":                          {NCCLTests, "", "NCCL 2.26.6+cuda12.8", schedule.AllGather, 2, 2, "NVIDIA B200", 56, "0..1073741824 11892.00 us 45.14 GB/s"},
		"gh200_osu_alltoall_v7.4_full.txt":                          {OSU, "7.4", "", schedule.AllToAll, 0, 0, "", 13, "1..4096 104.60 us 0.00 GB/s"},
		"h100_8x1_allreduce_sidework_header.txt":                    {NCCLTests, "", "", schedule.AllReduce, 8, 1, h100, 64, "8..17179869184 62636.00 us 479.99 GB/s"},
		"h100_8x2_allreduce_tcpxo_full.txt":                         {NCCLTests, "", "", schedule.AllReduce, 16, 2, h100, 62, "8..8589934592 47743.00 us 337.35 GB/s"},
		"h100_8x2_allreduce_unhealthy_gdrlevel_debuginfo.txt":       {NCCLTests, "", "NCCL 2.26.2+cuda12.8", schedule.AllReduce, 16, 2, h100, 18, "8..17179869184 360965.00 us 89.24 GB/s"},
		"mi300x_8x2_allreduce_rccl_develop.txt":                     {RCCLTests, "develop:a52452e", "", schedule.AllReduce, 16, 2, "", 10, "1073741824..17179869184 89917.00 us 358.24 GB/s"},
		"v100pcie_4x1_allreduce_v2.4_error_sci.txt":                 {NCCLTests, "", "", schedule.AllReduce, 4, 1, "Tesla V100-PCIE-32GB", 50, "8..134217728 17974.00 us 11.20 GB/s"},
	}
	files, err := os.ReadDir("testdata/logs")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if filepath.Ext(file.Name()) != ".txt" {
			continue
		}
		logs := Parse(file.Name(), read(t, file.Name()))
		if len(logs) != 1 {
			t.Errorf("%s: %d tables", file.Name(), len(logs))
			continue
		}
		if diff := cmp.Diff(want[file.Name()], tell(logs[0])); diff != "" {
			t.Errorf("%s (-want +got):\n%s", file.Name(), diff)
		}
		for _, w := range logs[0].Warnings {
			if w.Code != "size-per-peer" {
				t.Errorf("%s: %+v", file.Name(), w)
			}
		}
		// Without its name and list of devices a table still tells what its
		// columns and ratios allow.
		bare := withoutLines(string(read(t, file.Name())), "Rank ", "Using devices", "SLURM", "Collective test", "perf")
		l := Parse("pasted.txt", []byte(bare))[0]
		if w := want[file.Name()]; l.Collective == schedule.AllReduce && l.Tool != HCCLTest && (l.CollectiveFrom != Layout || l.Ranks != w.Ranks) {
			t.Errorf("%s without its surroundings: %s by %s, %d ranks by %s", file.Name(), l.Collective, l.CollectiveFrom, l.Ranks, l.RanksFrom)
		}
	}
}

// withoutLines leaves out the lines that hold one of some words.
func withoutLines(text string, words ...string) string {
	var kept []string
lines:
	for line := range strings.Lines(text) {
		for _, word := range words {
			if strings.Contains(line, word) {
				continue lines
			}
		}
		kept = append(kept, line)
	}
	return strings.Join(kept, "")
}

// However a log has been passed on, it tells the same.
func TestManglingChangesNothing(t *testing.T) {
	each := func(change func(i int, line string) string) func(string) string {
		return func(text string) string {
			lines := strings.Split(text, "\n")
			for i := range lines {
				lines[i] = change(i, lines[i])
			}
			return strings.Join(lines, "\n")
		}
	}
	for name, mangle := range map[string]func(string) string{
		"carriage returns": func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") },
		"mpirun's tags":    each(func(i int, line string) string { return fmt.Sprintf("[1,%d]<stdout>:%s", i%3, line) }),
		"a node's name":    each(func(_ int, line string) string { return "node-01: " + line }),
		"srun's labels":    each(func(_ int, line string) string { return "0: " + line }),
		"a pod's times": each(func(i int, line string) string {
			return fmt.Sprintf("2025-03-04T05:06:%02d.123456789Z stdout F %s", i%60, line)
		}),
		"quoted":  each(func(_ int, line string) string { return "> " + line }),
		"tabs":    func(s string) string { return strings.ReplaceAll(s, "   ", "\t") },
		"strange": each(func(i int, line string) string { return line + "\nnode0: progress 3 of 7, 12.5 %" }),
		"no hash": func(s string) string { return strings.ReplaceAll(s, "#", " ") },
	} {
		for _, file := range []string{"h100_8x1_allreduce_sidework_header.txt", "v100pcie_4x1_allreduce_v2.4_error_sci.txt", "mi300x_8x2_allreduce_rccl_develop.txt"} {
			text := string(read(t, file))
			want := tell(Parse(file, []byte(text))[0])
			logs := Parse(file, []byte(mangle(text)))
			if len(logs) != 1 {
				t.Errorf("%s, %s: %d tables", file, name, len(logs))
				continue
			}
			if diff := cmp.Diff(want, tell(logs[0])); diff != "" {
				t.Errorf("%s, %s (-want +got):\n%s", file, name, diff)
			}
		}
	}
}

func TestOtherTables(t *testing.T) {
	for name, c := range map[string]struct {
		file, text string
		want       told
	}{
		"the first versions count in milliseconds": {"log.txt", `
# Using devices
#   Rank  0 on       node device  0 [0x06] Tesla P100-SXM2-16GB
#   Rank  1 on       node device  1 [0x07] Tesla P100-SXM2-16GB
#                                                 out-of-place                    in-place
#      bytes             N    type      op     time  algbw  busbw      res     time  algbw  busbw      res
     1048576        262144   float     sum    0.058  18.08  18.08    0e+00    0.058  18.08  18.08    0e+00
    33554432       8388608   float     sum    1.836  18.28  18.28    0e+00    1.835  18.29  18.29    0e+00
`, told{NCCLTests, "", "", schedule.AllReduce, 2, 1, "Tesla P100-SXM2-16GB", 4, "1048576..33554432 1835.00 us 18.29 GB/s"}},
		"the call says what the table does not": {"job.4711.out", `
+ mpirun -np 16 -N 8 --bind-to none -x NCCL_DEBUG=WARN -x NCCL_IB_HCA=mlx5_0,mlx5_1 /opt/nccl-tests/build/alltoall_perf -b 1G -e 1G -g 1 -n 50
  1073741824      16777216     float    none      -1    23960   44.81   42.01      0    23893   44.94   42.13    N/A
`, told{NCCLTests, "", "", schedule.AllToAll, 16, 8, "", 2, "1073741824..1073741824 23893.00 us 42.13 GB/s"}},
		"out of place only": {"reduce_scatter.txt", `
   134217728       4194304     float     sum      -1   1234.5  108.72  95.13      0
`, told{NCCLTests, "", "", schedule.ReduceScatter, 8, 0, "", 1, "134217728..134217728 1234.50 us 95.13 GB/s"}},
		"OSU with the ranks in its call": {"x", `
srun -n 4 ./osu_allgather -m 4:1048576
# OSU MPI Allgather Latency Test v7.3
# Size       Avg Latency(us)
4                       3.13
1048576              1000.00
`, told{OSU, "7.3", "", schedule.AllGather, 4, 0, "", 2, "16..4194304 1000.00 us 3.15 GB/s"}},
		"OSU between two": {"x", `
# OSU MPI-CUDA Bandwidth Test v7.4
# Size      Bandwidth (MB/s)
1048576           12000.00
`, told{OSU, "7.4", "", schedule.SendRecv, 2, 0, "", 1, "1048576..1048576 87.38 us 12.00 GB/s"}},
		"hccl_test by its call": {"x", `
mpirun -n 8 ./bin/all_gather_test -p 8 -b 8K -e 1G
the minbytes is 8192, maxbytes is 1073741824, iters is 20, warmup_iters is 5
data_size(Bytes): | aveg_time(us): | alg_bandwidth(GB/s): | check_result:
1073741824        |      8947.85     |       120.00000       | success
`, told{HCCLTest, "", "", schedule.AllGather, 8, 0, "", 1, "1073741824..1073741824 8947.85 us 105.00 GB/s"}},
	} {
		logs := Parse(c.file, []byte(c.text))
		if len(logs) != 1 {
			t.Errorf("%s: %d tables", name, len(logs))
			continue
		}
		if name == "the call says what the table does not" {
			logs[0].Nodes = 8 // asked for by -N, which mpirun and srun take differently
		}
		if diff := cmp.Diff(c.want, tell(logs[0])); diff != "" {
			t.Errorf("%s (-want +got):\n%s\n%+v", name, diff, logs[0].Warnings)
		}
	}
}

func TestTablesThatFollowEachOther(t *testing.T) {
	text := string(read(t, "a100_8x1_allgather_v2.10_noredop.txt")) + string(read(t, "h100_8x2_allreduce_tcpxo_full.txt")) +
		"# Collective test starting: reduce_scatter_perf\n" + string(read(t, "h100_8x2_allreduce_unhealthy_gdrlevel_debuginfo.txt"))
	logs := Parse("all of them.log", []byte(text))
	if len(logs) != 3 {
		t.Fatalf("%d tables", len(logs))
	}
	if logs[0].Ranks != 8 || logs[1].Ranks != 16 || logs[1].Collective != schedule.AllReduce || len(logs[2].Setup.Env) != 2 || len(logs[1].Setup.Env) != 0 {
		t.Errorf("%+v\n%+v\n%+v", tell(logs[0]), tell(logs[1]), tell(logs[2]))
	}
	// A sweep that starts over has the surroundings of the first.
	sweep := "1024 256 float sum -1 10.0 0.10 0.19 0 10.0 0.10 0.19 0\n1073741824 268435456 float sum -1 5753.0 186.64 349.95 0 5754.5 186.59 349.86 0\n"
	logs = Parse("", []byte("#  Rank  0 Group  0 Pid    1000 on  node0 device  0 [0000:11:00] X\n#  Rank 15 Group  0 Pid    1000 on  node1 device  0 [0000:11:00] X\n"+sweep+sweep))
	if len(logs) != 2 || logs[0].Ranks != 16 || logs[1].Ranks != 16 || len(logs[1].Rows) != 4 {
		t.Errorf("%d tables: %+v", len(logs), logs)
	}
}

func TestRanksByTheRatioOfBandwidths(t *testing.T) {
	for _, c := range []schedule.Collective{schedule.AllReduce, schedule.ReduceScatter} {
		for _, n := range []int{2, 3, 4, 7, 8, 16, 24, 32, 64, 128} {
			elements := 1 << 26 * n
			count := elements
			if c == schedule.ReduceScatter {
				count /= n
			}
			alg := 190.42
			line := fmt.Sprintf("%d %d float sum -1 %.0f %.2f %.2f 0\n", 4*elements, count, float64(4*elements)/alg/1e3, alg, alg*c.BusFactor(n))
			logs := Parse("wrong_name_999ranks.txt", []byte(line))
			if len(logs) != 1 || logs[0].Collective != c || logs[0].Ranks != n {
				t.Errorf("%s on %d: %+v", c, n, logs)
			}
		}
	}
	// What a list says stands, and the ratio beside it.
	text := strings.Replace(string(read(t, "h100_8x1_allreduce_sidework_header.txt")), "Rank  7 ", "Rank 15 ", 1)
	if l := Parse("", []byte(text))[0]; l.Ranks != 16 || l.Implied != 8 {
		t.Errorf("%d ranks, %d implied", l.Ranks, l.Implied)
	}
}

func TestWhatHoldsNoTable(t *testing.T) {
	for _, text := range []string{"", "\n\n", "hello\n1 2 3 4 5\n", "#  Rank  0 Group  0 Pid    1000 on  node0 device  0 [0000:11:00] X", "1024 256 floaty sum 1 2.0 3.0\n",
		"2024 12 float values were 3 of 4.5\n"} {
		if logs := Parse("x", []byte(text)); len(logs) != 0 {
			t.Errorf("%q: %+v", text, logs)
		}
	}
}

func FuzzParse(f *testing.F) {
	files, _ := filepath.Glob("testdata/logs/*.txt")
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(filepath.Base(file), text)
	}
	f.Add("all_reduce", []byte("9223372036854775807 9223372036854775807 double sum -1 1e308 1e308.0 0.00 0\n"))
	f.Fuzz(func(t *testing.T, name string, text []byte) {
		for _, l := range Parse(name, text) {
			if len(l.Rows) == 0 || l.Ranks < 0 || l.Ranks > maxRanks*maxRanks {
				t.Fatalf("%+v", l)
			}
			for _, r := range l.Rows {
				for _, v := range []float64{float64(r.Time), float64(r.AlgBW), float64(r.BusBW)} {
					if math.IsNaN(v) || math.IsInf(v, 0) || v < 0 {
						t.Fatalf("%+v", r)
					}
				}
				if r.Size < 0 || r.Size > unit.Bytes(math.MaxInt64) {
					t.Fatalf("%+v", r)
				}
			}
		}
	})
}
