package benchlog

import (
	"strings"
	"testing"

	"lockstep/engine/schedule"
	"lockstep/engine/unit"
)

// Logs of all kinds of hands: each says what has to be read of it.
func TestLogsAsTheyComeIn(t *testing.T) {
	const (
		device = "#  Rank  0 Group  0 Pid 1000 on node0 device 0 [0000:19:00] NVIDIA H100 80GB HBM3\n#  Rank  1 Group  0 Pid 1001 on node0 device 1 [0000:2d:00] NVIDIA H100 80GB HBM3\n"
		row    = "  1048576 262144 float sum -1 40.00 26.21 26.21 0 39.00 26.89 26.89 0\n"
		larger = "  2097152 524288 float sum -1 70.00 29.96 29.96 0 69.00 30.39 30.39 0\n"
	)
	for name, c := range map[string]struct {
		text       string
		tables     int
		rows       int // of the last table
		collective schedule.Collective
		ranks      int
		tool       Tool
		library    string
		last       unit.Bytes
	}{
		"nccl-tests 2.17, per-iteration columns": {"# nccl-tests version 2.17.6 nccl-headers=22809 nccl-library=22809\n# Collective test starting: all_reduce_perf\n# nThread 1 nGpus 2 minBytes 8 maxBytes 8 step: 2(factor) warmup iters: 1 iters: 20 agg iters: 1 validation: 1 graph: 0 unalign: 0\n" + device + row + "# Out of bounds values : 0 OK\n# Avg bus bandwidth    : 26.5\n# Collective test concluded: all_reduce_perf\n",
			1, 2, schedule.AllReduce, 2, NCCLTests, "", 1 << 20},
		"nccl-tests 2.0, errors as floats": {"mpirun -np 2 all_reduce_perf -g 1\n# nThread 1 nGpus 1 minBytes 8 maxBytes 8 step: 2(factor) warmup iters: 5 iters: 20 validation: 1\n#   Rank  0 Pid 1 on h device 0 [0x1a] V100\n#   Rank  1 Pid 2 on h device 1 [0x1b] V100\n  1048576 262144 float sum 40.00 26.21 26.21 1e-07 39.00 26.89 26.89 1e-07\n",
			1, 2, schedule.AllReduce, 2, NCCLTests, "", 1 << 20},
		"rccl":                 {"rccl-tests: Version develop:a52452e\nRCCL version : 2.21.5-HEAD:8a5e8bb\n# Collective test starting: all_gather_perf\n" + device + "  1048576 131072 float none -1 40.00 26.21 13.11 0 39.00 26.89 13.44 0\n", 1, 2, schedule.AllGather, 2, RCCLTests, "RCCL 2.21.5-HEAD", 1 << 20},
		"hccl with a colon":    {"mpirun -n 8 ./bin/all_reduce_test -b 8K -e 64M -f 2 -d fp32 -o sum -p 8\nthe minbytes is 8192, maxbytes is 67108864, iters is 20, warmup_iters is 5\ndata_size(Bytes): |   aveg_time(us): | alg_bandwidth(GB/s): | check_result:\n8192 | 60.70 | 0.13496 | success\n67108864 | 1042.38 | 64.38 | success\n", 1, 2, schedule.AllReduce, 8, HCCLTest, "", 64 << 20},
		"OSU all-reduce":       {"mpirun -np 4 ./osu_allreduce -m 1024:1048576\n\n# OSU MPI-CUDA Allreduce Latency Test v7.4\n# Datatype: MPI_FLOAT.\n# Size       Avg Latency(us)\n1024 12.5\n1048576 300.25\n", 1, 2, schedule.AllReduce, 4, OSU, "", 1 << 20},
		"OSU without fields":   {"# OSU MPI Broadcast Latency Test v5.9\n# Size       Avg Latency(us)\n1                       1.25\n2                       1.30\n", 1, 2, schedule.Broadcast, 0, OSU, "", 2},
		"cut off in a row":     {"# Collective test starting: all_reduce_perf\n" + device + row + larger[:30], 1, 2, schedule.AllReduce, 2, NCCLTests, "", 1 << 20},
		"CRLF":                 {strings.ReplaceAll("# Collective test starting: all_reduce_perf\n"+device+row+larger, "\n", "\r\n"), 1, 4, schedule.AllReduce, 2, NCCLTests, "", 2 << 20},
		"colours":              {"\x1b[32m# Collective test starting: all_reduce_perf\x1b[0m\n" + device + "\x1b[1;33m" + strings.TrimSuffix(row, "\n") + "\x1b[0m\n\x1b[K" + strings.ReplaceAll(larger, "float", "\x1b[36mfloat\x1b[39m"), 1, 4, schedule.AllReduce, 2, NCCLTests, "", 2 << 20},
		"two runs in one file": {"# Collective test starting: all_reduce_perf\n" + device + row + larger + "# Avg bus bandwidth    : 28.3\n# Collective test starting: sendrecv_perf\n" + device + strings.ReplaceAll(row, "sum", "none"), 2, 2, schedule.SendRecv, 2, NCCLTests, "", 1 << 20},
		"the launcher's tags":  {tagged("[1,0]<stdout>:", "NCCL version 2.21.5+cuda12.4\n# Collective test starting: all_reduce_perf\n"+device+row+larger), 1, 4, schedule.AllReduce, 2, NCCLTests, "NCCL 2.21.5+cuda12.4", 2 << 20},
		"tags of Open MPI 5":   {tagged("[prterun-node0-1@1,0]<stdout>: ", "# Collective test starting: all_reduce_perf\n"+device+row+larger), 1, 4, schedule.AllReduce, 2, NCCLTests, "", 2 << 20},
		"srun's labels":        {tagged("0: ", "# Collective test starting: all_reduce_perf\n"+device+row+larger), 1, 4, schedule.AllReduce, 2, NCCLTests, "", 2 << 20},
		"OSU with tags":        {tagged("[1,0]<stdout>:", "# OSU MPI Allreduce Latency Test v7.4\n# Size       Avg Latency(us)\n1024 12.5\n2048 14.5\n"), 1, 2, schedule.AllReduce, 0, OSU, "", 2048},
		"a container's log":    {tagged("2024-05-01T10:11:12.123456789Z stdout F ", "# Collective test starting: all_reduce_perf\n"+device+row+larger), 1, 4, schedule.AllReduce, 2, NCCLTests, "", 2 << 20},
	} {
		logs := Parse("pasted", []byte(c.text))
		if len(logs) != c.tables {
			t.Errorf("%s: %d tables; want %d", name, len(logs), c.tables)
			continue
		}
		l := logs[len(logs)-1]
		if l.Collective != c.collective || l.Ranks != c.ranks || l.Tool != c.tool || l.Library != c.library {
			t.Errorf("%s: %s on %d ranks, %s, %q", name, l.Collective, l.Ranks, l.Tool, l.Library)
		}
		if len(l.Rows) != c.rows || l.Rows[len(l.Rows)-1].Size != c.last || l.Rows[len(l.Rows)-1].Time <= 0 {
			t.Errorf("%s: %d rows, %+v", name, len(l.Rows), l.Rows)
		}
	}
}

// tagged puts a launcher's words before every line.
func tagged(tag, text string) string {
	return tag + strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "\n", "\n"+tag) + "\n"
}
