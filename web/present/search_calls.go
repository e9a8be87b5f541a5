package present

import (
	"slices"
	"strings"

	"lockstep/engine/schedule"
)

// libraryCalls are the names by which libraries offer a collective. Those of
// torch.distributed stand without the module.
type libraryCalls struct {
	collective schedule.Collective
	mpi        []string // MPI 4.1, blocking and not, of equal and of unequal parts
	nccl       []string // NCCL and RCCL; from 2.28 on also scatter, gather and all-to-all
	hccl       []string
	torch      []string
}

var callsByCollective = []libraryCalls{
	{schedule.AllReduce, []string{"MPI_Allreduce", "MPI_Iallreduce"}, []string{"ncclAllReduce"}, []string{"HcclAllReduce"}, []string{"all_reduce"}},
	{schedule.ReduceScatter, []string{"MPI_Reduce_scatter_block", "MPI_Reduce_scatter", "MPI_Ireduce_scatter_block", "MPI_Ireduce_scatter"},
		[]string{"ncclReduceScatter"}, []string{"HcclReduceScatter"}, []string{"reduce_scatter_tensor", "reduce_scatter"}},
	{schedule.AllGather, []string{"MPI_Allgather", "MPI_Allgatherv", "MPI_Iallgather", "MPI_Iallgatherv"},
		[]string{"ncclAllGather"}, []string{"HcclAllGather"}, []string{"all_gather_into_tensor", "all_gather"}},
	{schedule.ReduceTo, []string{"MPI_Reduce", "MPI_Ireduce"}, []string{"ncclReduce"}, []string{"HcclReduce"}, []string{"reduce"}},
	{schedule.Broadcast, []string{"MPI_Bcast", "MPI_Ibcast"}, []string{"ncclBroadcast", "ncclBcast"}, []string{"HcclBroadcast"}, []string{"broadcast"}},
	{schedule.Scatter, []string{"MPI_Scatter", "MPI_Scatterv", "MPI_Iscatter", "MPI_Iscatterv"}, []string{"ncclScatter"}, []string{"HcclScatter"}, []string{"scatter"}},
	{schedule.Gather, []string{"MPI_Gather", "MPI_Gatherv", "MPI_Igather", "MPI_Igatherv"}, []string{"ncclGather"}, nil, []string{"gather"}},
	{schedule.AllToAll, []string{"MPI_Alltoall", "MPI_Alltoallv", "MPI_Alltoallw", "MPI_Ialltoall", "MPI_Ialltoallv"},
		[]string{"ncclAlltoAll"}, []string{"HcclAlltoAll", "HcclAlltoAllV"}, []string{"all_to_all_single", "all_to_all"}},
	{schedule.Barrier, []string{"MPI_Barrier", "MPI_Ibarrier"}, nil, []string{"HcclBarrier"}, []string{"barrier"}},
	{schedule.SendRecv, []string{"MPI_Send", "MPI_Recv", "MPI_Isend", "MPI_Irecv", "MPI_Sendrecv"},
		[]string{"ncclSend", "ncclRecv", "ncclGroupStart", "ncclGroupEnd"}, []string{"HcclSend", "HcclRecv"}, []string{"send", "recv", "isend", "irecv", "batch_isend_irecv"}},
}

// call is the name of a library's call as searches compare it.
type call struct {
	folded
	name  string
	tail  string // folded, without what is alike in all calls of the library
	least int    // characters of the query that find a thing by the beginning of the name
}

// leastOfCall is how much of a call's name says which one is meant.
const leastOfCall = 4

// libraryPrefixes are what is alike in all calls of a library.
var libraryPrefixes = []string{"MPI_", "nccl", "Hccl", "torch.distributed.", "dist."}

// callsOf lists the calls that are a collective. Where own is set, the name of a
// library alone is no beginning of one.
func callsOf(c schedule.Collective, own bool) []call {
	var all []call
	for _, row := range callsByCollective {
		if row.collective != c {
			continue
		}
		names := slices.Concat(row.mpi, row.nccl, row.hccl)
		for _, name := range row.torch {
			names = append(names, "torch.distributed."+name, "dist."+name)
		}
		for _, name := range names {
			all = append(all, newCall(name, own))
		}
	}
	return all
}

func newCall(name string, own bool) call {
	whole := call{folded: fold(name), name: name, least: leastOfCall}
	for _, prefix := range libraryPrefixes {
		if rest, cut := strings.CutPrefix(name, prefix); cut {
			whole.tail = fold(rest).tight
			if own {
				whole.least = max(whole.least, len(fold(prefix).tight)+1)
			}
			return whole
		}
	}
	return whole
}

// meetsCall grades how well a query meets the calls of a thing, with the one
// that is met; 0 for none.
func (t findable) meetsCall(q folded) (int, string) {
	best, met := 0, ""
	for _, call := range t.calls {
		grade := 0
		switch {
		case q.tight == call.tight:
			grade = gradeSame - 1
		case q.mentions(call.folded):
			grade = gradeWords + 10*len(call.tight)/len(q.tight)
		case len(q.tight) >= call.least && strings.HasPrefix(call.tight, q.tight),
			len(q.tight) >= leastOfCall && strings.HasPrefix(call.tail, q.tight):
			grade = gradeCall
		}
		if grade > best {
			best, met = grade, call.name
		}
	}
	return best, met
}
