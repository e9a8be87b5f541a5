package present

import (
	"fmt"

	"lockstep/engine/schedule"
)

// The facts of libraryRows are read off the sources of these releases; they
// hold for commutative operations unless a row says otherwise:
//
//   - NCCL 2.29.7: src/graph/tuning.cc, src/graph/connect.cc, src/enqueue.cc,
//     src/sym_kernels.cc
//   - Open MPI 5.0.7: ompi/mca/coll/tuned/coll_tuned_decision_fixed.c and
//     coll_tuned_*_decision.c, ompi/mca/coll/base, ompi/mca/coll/han
//   - MPICH 4.0.2: the selection rules and the control variables built into
//     libmpich; names of later versions from src/mpi/coll/coll_algorithms.txt
//
// Open MPI's fixed decisions are long tables, of which a row tells one case.
// What such a size measures differs by collective: the vector of broadcast,
// reduce and all-reduce, one rank's block of most others, all of a
// reduce-scatter.

const (
	kib = 1 << 10
	mib = 1 << 20
)

// Choices that several pairs share.
var (
	noAlgorithm   = libraryChoice{when: "chosen.none"}
	ncclNoBarrier = libraryChoice{when: "chosen.none.collective"}
	ncclOnlySends = libraryChoice{when: "chosen.none.sends"}
	ncclOnlyChain = libraryChoice{when: "chosen.none.chain"}
	ncclSends     = libraryChoice{name: "ncclSend, ncclRecv", when: "chosen.sends"}
	ncclChain     = libraryChoice{name: "Ring", when: "chosen.only"}
	openMPIHan    = libraryChoice{name: "coll/han", when: "chosen.han", set: "--mca coll_han_priority 100"}
	openMPIUCC    = libraryChoice{name: "coll/ucc", when: "chosen.ucc", set: "--mca coll_ucc_enable 1 --mca coll_ucc_priority 100"}
)

// ncclAlgo is an algorithm of NCCL and when its model takes it.
func ncclAlgo(name, when string) libraryChoice {
	return libraryChoice{name: name, when: when, set: "NCCL_ALGO=" + name}
}

// ncclKernel is a kernel of NCCL on symmetric memory.
func ncclKernel(kernel, when string) libraryChoice {
	return libraryChoice{name: kernel, when: when, set: "NCCL_SYM_KERNEL=" + kernel}
}

// openMPITuned is an algorithm of Open MPI's component tuned, by the number it has
// for a collective, with a case of the table that takes it. Without a case the
// table never does.
func openMPITuned(collective string, number int, name string, cases ...libraryCase) libraryChoice {
	c := libraryChoice{name: name, when: "chosen.table", cases: cases,
		set: fmt.Sprintf("--mca coll_tuned_use_dynamic_rules 1 --mca coll_tuned_%s_algorithm %d", collective, number)}
	if len(cases) == 0 {
		c.when = "chosen.never"
	}
	return c
}

// mpichRule is an algorithm of MPICH by the value that its control variable takes,
// with the cases that take it by default. Without a case it is always taken.
func mpichRule(variable, name string, cases ...libraryCase) libraryChoice {
	c := libraryChoice{name: name, when: "chosen.rule", cases: cases, set: "MPIR_CVAR_" + variable + "_INTRA_ALGORITHM=" + name}
	if len(cases) == 0 {
		c.when = "chosen.always"
	}
	return c
}

// instead is a choice with another message for when it is taken.
func (c libraryChoice) instead(when string) libraryChoice {
	c.when = when
	return c
}

// but is a choice with a note, which may name calls.
func (c libraryChoice) but(note, calls string) libraryChoice {
	c.note, c.calls = note, calls
	return c
}

// Sizes of a case, in bytes.
func vectorCase(min, max, from, below int) libraryCase {
	return libraryCase{min: min, max: max, of: "chosen.of.vector", from: from, below: below}
}

func blockCase(min, max, from, below int) libraryCase {
	return libraryCase{min: min, max: max, of: "chosen.of.block", from: from, below: below}
}

func totalCase(min, max, from, below int) libraryCase {
	return libraryCase{min: min, max: max, of: "chosen.of.total", from: from, below: below}
}

var libraryRows = []libraryRow{
	{schedule.Broadcast, "direct", ncclOnlyChain, openMPITuned("bcast", 1, "basic_linear", vectorCase(4, 7, 8*kib, mib)), noAlgorithm},
	{schedule.Broadcast, "binomial-tree", ncclOnlyChain, openMPITuned("bcast", 6, "binomial", vectorCase(16, 31, 4*kib, mib)),
		mpichRule("BCAST", "binomial", libraryCase{max: 7}, libraryCase{of: "chosen.of.vector", upto: 12 * kib})},
	{schedule.Broadcast, "chain", ncclChain, openMPITuned("bcast", 3, "pipeline", vectorCase(2, 3, 0, 32)), noAlgorithm},
	{schedule.Broadcast, "double-binary-tree", ncclOnlyChain, noAlgorithm, noAlgorithm},
	{schedule.Broadcast, "scatter-all-gather", ncclOnlyChain, openMPITuned("bcast", 9, "scatter_allgather_ring").but("chosen.note.doubling", "scatter_allgather (8)"),
		mpichRule("BCAST", "scatter_ring_allgather", libraryCase{min: 8, ranks: "chosen.ranks.power", of: "chosen.of.vector", over: 512 * kib},
			libraryCase{min: 8, ranks: "chosen.ranks.other", of: "chosen.of.vector", over: 12 * kib})},
	{schedule.Broadcast, "hierarchical", ncclOnlyChain, openMPIHan,
		mpichRule("BCAST", "smp", libraryCase{max: 7}, libraryCase{of: "chosen.of.vector", below: 12 * kib}).instead("chosen.smp.cases")},
	{schedule.Broadcast, "in-network", ncclOnlyChain, openMPIUCC, noAlgorithm},

	{schedule.ReduceTo, "direct", ncclOnlyChain, openMPITuned("reduce", 1, "linear", vectorCase(4, 7, mib, 0)), noAlgorithm},
	{schedule.ReduceTo, "binomial-tree", ncclOnlyChain, openMPITuned("reduce", 5, "binomial", vectorCase(32, 255, 0, 0)),
		mpichRule("REDUCE", "binomial", libraryCase{of: "chosen.of.vector", upto: 2 * kib}, libraryCase{op: "chosen.op.user"})},
	{schedule.ReduceTo, "chain", ncclChain, openMPITuned("reduce", 3, "pipeline", vectorCase(2, 3, mib, 0)), noAlgorithm},
	{schedule.ReduceTo, "double-binary-tree", ncclOnlyChain, noAlgorithm, noAlgorithm},
	{schedule.ReduceTo, "reduce-scatter-gather", ncclOnlyChain, openMPITuned("reduce", 7, "rabenseifner", vectorCase(2, 3, 0, 8)).but("chosen.note.halving", ""),
		mpichRule("REDUCE", "reduce_scatter_gather", libraryCase{of: "chosen.of.vector", over: 2 * kib, op: "chosen.op.builtin"}).but("chosen.note.halving", "")},
	{schedule.ReduceTo, "hierarchical", ncclOnlyChain, openMPIHan, mpichRule("REDUCE", "smp").instead("chosen.smp")},
	{schedule.ReduceTo, "in-network", ncclOnlyChain, openMPIUCC, noAlgorithm},

	{schedule.Scatter, "direct", ncclSends, openMPITuned("scatter", 3, "linear_nb", blockCase(64, 0, 512, 0)), noAlgorithm},
	{schedule.Scatter, "binomial-tree", ncclOnlySends, openMPITuned("scatter", 2, "binomial", blockCase(64, 0, 0, 512)), mpichRule("SCATTER", "binomial")},
	{schedule.Gather, "direct", ncclSends, openMPITuned("gather", 1, "basic_linear", blockCase(4, 7, kib, 8*kib)), noAlgorithm},
	{schedule.Gather, "binomial-tree", ncclOnlySends, openMPITuned("gather", 2, "binomial", blockCase(8, 255, 0, 0)), mpichRule("GATHER", "binomial")},

	{schedule.AllGather, "direct", ncclKernel("AllGather_ST", "chosen.symmetric"), noAlgorithm, noAlgorithm},
	{schedule.AllGather, "ring", ncclAlgo("Ring", "chosen.model.ring"), openMPITuned("allgather", 4, "ring", blockCase(32, 127, 64*kib, 0)),
		mpichRule("ALLGATHER", "ring", libraryCase{ranks: "chosen.ranks.power", of: "chosen.of.total", from: 512 * kib},
			libraryCase{ranks: "chosen.ranks.other", of: "chosen.of.total", from: 80 * kib})},
	{schedule.AllGather, "recursive-doubling", noAlgorithm, openMPITuned("allgather", 3, "recursive_doubling", blockCase(3, 31, 0, 0)).but("chosen.note.power", "bruck (2)"),
		mpichRule("ALLGATHER", "recursive_doubling", libraryCase{ranks: "chosen.ranks.power", of: "chosen.of.total", below: 512 * kib})},
	{schedule.AllGather, "bruck", noAlgorithm, openMPITuned("allgather", 2, "bruck", blockCase(256, 511, 32, 128)),
		mpichRule("ALLGATHER", "brucks", libraryCase{ranks: "chosen.ranks.other", of: "chosen.of.total", below: 80 * kib})},
	{schedule.AllGather, "pat", ncclAlgo("PAT", "chosen.model.pat"), noAlgorithm, noAlgorithm},
	{schedule.AllGather, "gather-broadcast", noAlgorithm, openMPITuned("allgather", 1, "linear").but("chosen.note.calls", "MPI_Gather, MPI_Bcast"), noAlgorithm},
	{schedule.AllGather, "hierarchical", ncclKernel("AllGather_RailRing_LsaSTMC", "chosen.rails"), openMPIHan, noAlgorithm},
	{schedule.AllGather, "in-network", ncclAlgo("NVLS", "chosen.switch.blocks"), openMPIUCC, noAlgorithm},

	{schedule.ReduceScatter, "ring", ncclAlgo("Ring", "chosen.model.ring"), openMPITuned("reduce_scatter", 3, "ring", totalCase(8, 31, 256*kib, 0)), noAlgorithm},
	{schedule.ReduceScatter, "recursive-halving", noAlgorithm, openMPITuned("reduce_scatter", 2, "recursive_halving", totalCase(8, 31, 0, 256*kib)),
		mpichRule("REDUCE_SCATTER", "recursive_halving", libraryCase{of: "chosen.of.total", below: 512 * kib})},
	{schedule.ReduceScatter, "pairwise", noAlgorithm, noAlgorithm, mpichRule("REDUCE_SCATTER", "pairwise", libraryCase{of: "chosen.of.total", from: 512 * kib})},
	{schedule.ReduceScatter, "pat", ncclAlgo("PAT", "chosen.model.pat"), noAlgorithm, noAlgorithm},
	{schedule.ReduceScatter, "reduce-scatter-by-root", noAlgorithm,
		openMPITuned("reduce_scatter", 1, "non-overlapping", libraryCase{op: "chosen.op.ordered"}).but("chosen.note.calls", "MPI_Reduce, MPI_Scatterv"), noAlgorithm},
	{schedule.ReduceScatter, "hierarchical", ncclKernel("ReduceScatter_RailA2A_LsaLD", "chosen.rails"), noAlgorithm, noAlgorithm},
	{schedule.ReduceScatter, "in-network", ncclAlgo("NVLS", "chosen.switch.blocks"), openMPIUCC, noAlgorithm},

	{schedule.AllReduce, "central", noAlgorithm,
		openMPITuned("allreduce", 1, "basic_linear", libraryCase{min: 2, max: 3, of: "chosen.of.vector", from: 128 * kib, op: "chosen.op.ordered"}), noAlgorithm},
	{schedule.AllReduce, "direct", ncclKernel("AllReduce_AGxLL_R", "chosen.symmetric"), noAlgorithm, noAlgorithm},
	{schedule.AllReduce, "ring", ncclAlgo("Ring", "chosen.model.ring"), openMPITuned("allreduce", 4, "ring", vectorCase(2, 3, 16*kib, 64*kib)),
		mpichRule("ALLREDUCE", "ring").instead("chosen.later")},
	{schedule.AllReduce, "recursive-doubling", noAlgorithm, openMPITuned("allreduce", 3, "recursive_doubling", vectorCase(64, 127, 0, 256*kib)),
		mpichRule("ALLREDUCE", "recursive_doubling", libraryCase{of: "chosen.of.vector", upto: 8}, libraryCase{op: "chosen.op.user"})},
	{schedule.AllReduce, "halving-doubling", noAlgorithm, openMPITuned("allreduce", 6, "rabenseifner", vectorCase(8, 15, 8*kib, 0)),
		mpichRule("ALLREDUCE", "reduce_scatter_allgather", libraryCase{of: "chosen.of.vector", over: 8, op: "chosen.op.builtin"})},
	{schedule.AllReduce, "binomial-tree", noAlgorithm,
		openMPITuned("allreduce", 2, "nonoverlapping", vectorCase(128, 255, 0, 128*kib)).but("chosen.note.calls", "MPI_Reduce, MPI_Bcast"),
		mpichRule("ALLREDUCE", "tree").instead("chosen.later")},
	{schedule.AllReduce, "double-binary-tree", ncclAlgo("Tree", "chosen.model.tree"), noAlgorithm, noAlgorithm},
	{schedule.AllReduce, "hierarchical", ncclAlgo("NVLSTree", "chosen.model.nodes"), openMPIHan, mpichRule("ALLREDUCE", "smp").instead("chosen.smp")},
	{schedule.AllReduce, "in-network", ncclAlgo("NVLS", "chosen.switch"), openMPIUCC, noAlgorithm},

	{schedule.AllToAll, "direct", ncclSends, openMPITuned("alltoall", 1, "linear", blockCase(32, 63, 512, 512*kib)),
		mpichRule("ALLTOALL", "scattered", libraryCase{max: 7, of: "chosen.of.block", upto: 32 * kib},
			libraryCase{min: 8, of: "chosen.of.block", over: 256, upto: 32 * kib})},
	{schedule.AllToAll, "pairwise", ncclOnlySends, openMPITuned("alltoall", 2, "pairwise", blockCase(64, 255, 256*kib, 0)),
		mpichRule("ALLTOALL", "pairwise", libraryCase{of: "chosen.of.block", over: 32 * kib})},
	{schedule.AllToAll, "bruck", ncclOnlySends, openMPITuned("alltoall", 3, "modified_bruck", blockCase(64, 127, 0, kib)),
		mpichRule("ALLTOALL", "brucks", libraryCase{min: 8, of: "chosen.of.block", upto: 256})},
	{schedule.AllToAll, "hierarchical", ncclOnlySends, noAlgorithm, noAlgorithm},

	{schedule.Barrier, "dissemination", ncclNoBarrier, openMPITuned("barrier", 4, "bruck", libraryCase{min: 64, max: 255}), mpichRule("BARRIER", "dissemination")},
	{schedule.Barrier, "central", ncclNoBarrier, openMPITuned("barrier", 1, "linear", libraryCase{min: 4, max: 7}), noAlgorithm},

	{schedule.SendRecv, "direct", libraryChoice{name: "ncclSend, ncclRecv", when: "chosen.point"},
		libraryChoice{name: "MPI_Send, MPI_Recv", when: "chosen.point"}, libraryChoice{name: "MPI_Send, MPI_Recv", when: "chosen.point"}},
}
