package benchlog

import (
	"regexp"
	"strconv"
	"strings"

	"lockstep/engine/schedule"
)

// command is what a line with the benchmark's own call says.
type command struct {
	collective      schedule.Collective
	processes       int // of the launcher
	nodes, perNode  int
	threads, gpus   int // of one process
	rccl, hccl, osu bool
}

var (
	binary    = regexp.MustCompile(`(?:^|[\s/"'])([a-z_]+)_(perf|test)(?:_mpi)?\b`)
	osuBinary = regexp.MustCompile(`(?:^|[\s/"'])osu_(i?[a-z_]+?)(?:_persistent)?(?:\s|$)`)
	asked     = regexp.MustCompile(`(?:^|\s)(-np|-n|--n|-c|--ntasks|--np|-N|--nodes|-npernode|--npernode|--ntasks-per-node|--map-by\s+ppr|-ppn|-g|--ngpus|-t|--nthreads)[= :]+(\d+)`)
	slurm     = newMark("SLURM_", `\bSLURM_(NTASKS|NPROCS|NNODES|JOB_NUM_NODES)=(\d+)`)
)

// read takes in a line, and reports whether it said anything. What a launcher
// takes stands in front of the benchmark's name, what the benchmark takes
// behind it: -n is the processes of the one and the iterations of the other.
func (c *command) read(line string) bool {
	held := false
	for _, m := range slurm.all(line, 8) {
		n, err := strconv.Atoi(m[2])
		if err != nil || n < 1 || n > maxRanks {
			continue
		}
		held = true
		if m[1] == "NTASKS" || m[1] == "NPROCS" {
			c.processes = n
		} else {
			c.nodes = n
		}
	}
	if !strings.Contains(line, "_perf") && !strings.Contains(line, "_test") && !strings.Contains(line, "osu_") {
		return held
	}
	at := binary.FindStringSubmatchIndex(line)
	name, kind := "", ""
	if at != nil {
		name, kind = line[at[2]:at[3]], line[at[4]:at[5]]
	} else if at = osuBinary.FindStringSubmatchIndex(line); at != nil {
		name, kind = line[at[2]:at[3]], "osu"
	}
	if at == nil {
		return held
	}
	found, known := collectiveOf(name)
	if !known {
		return held
	}
	c.collective = found
	c.rccl = c.rccl || strings.Contains(line, "rccl")
	c.hccl, c.osu = kind == "test", kind == "osu"
	for _, m := range asked.FindAllStringSubmatch(line[:at[0]+1], 16) {
		n, err := strconv.Atoi(m[2])
		if err != nil || n < 1 || n > maxRanks {
			continue
		}
		switch m[1] {
		case "-np", "-n", "--n", "-c", "--ntasks", "--np":
			c.processes = n
		case "-N", "--nodes":
			c.nodes = n
		case "-npernode", "--npernode", "--ntasks-per-node", "-ppn":
			c.perNode = n
		}
	}
	for _, m := range asked.FindAllStringSubmatch(line[at[1]:], 16) {
		n, err := strconv.Atoi(m[2])
		if err != nil || n < 1 || n > maxRanks {
			continue
		}
		switch m[1] {
		case "-g", "--ngpus":
			c.gpus = n
		case "-t", "--nthreads":
			c.threads = n
		}
	}
	return true
}

// ranks is what the launcher and the benchmark were asked for; 0 where one of
// them is not known.
func (c command) ranks() int {
	processes := c.processes
	if processes == 0 && c.nodes > 0 && c.perNode > 0 {
		processes = c.nodes * c.perNode
	}
	if processes == 0 && c.threads*c.gpus > 1 {
		processes = 1 // no launcher is named, and one process drives several
	}
	n := processes * max(c.threads, 1) * max(c.gpus, 1)
	if n > maxRanks {
		return 0
	}
	return n
}

// words are spellings of collectives, without what separates their parts; the
// longer before those that they contain.
var words = []struct {
	text       string
	collective schedule.Collective
}{
	{"reducescatter", schedule.ReduceScatter}, {"allreduce", schedule.AllReduce}, {"allgather", schedule.AllGather}, {"alltoall", schedule.AllToAll},
	{"all2all", schedule.AllToAll}, {"a2a", schedule.AllToAll}, {"sendrecv", schedule.SendRecv}, {"broadcast", schedule.Broadcast}, {"bcast", schedule.Broadcast},
	{"scatter", schedule.Scatter}, {"gather", schedule.Gather}, {"reduce", schedule.ReduceTo}, {"barrier", schedule.Barrier},
	{"personalizedexchange", schedule.AllToAll},
}

// collectiveOf finds the collective that a text names: all_reduce_perf,
// "MPI_Allgather", "All-to-All Personalized Exchange".
func collectiveOf(text string) (schedule.Collective, bool) {
	var plain strings.Builder
	for _, r := range strings.ToLower(text) {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			plain.WriteRune(r)
		}
	}
	for _, w := range words {
		if strings.Contains(plain.String(), w.text) {
			return w.collective, true
		}
	}
	return "", false
}
