package present

import (
	"fmt"
	"slices"
	"strings"

	"lockstep/engine/schedule"
	"lockstep/views"
	"lockstep/views/locale"
)

// apiCall is a call of a library; what stands between « and » is a buffer.
type apiCall string

// pieces cuts a call at its buffers.
func (c apiCall) pieces() []views.CodePiece {
	var all []views.CodePiece
	for i, part := range strings.Split(string(c), "«") {
		buffer, rest, found := strings.Cut(part, "»")
		if i > 0 && found {
			all = append(all, views.CodePiece{Text: buffer, Buffer: true})
			part = rest
		}
		if part != "" {
			all = append(all, views.CodePiece{Text: part})
		}
	}
	return all
}

// library is where a lesson's moment stands in code.
type library struct {
	id, name string
	comment  string // how a comment begins
	calls    map[schedule.Collective]apiCall
	without  []schedule.Collective // for which there is no call in every version
}

// libraries are the three that training code meets. Signatures: MPI 4.1
// chapters 3 and 6, NCCL 2 "Collective Communication Functions" and "Point To
// Point Communication Functions", torch.distributed. Scatter, gather and
// all-to-all are calls of NCCL only in its newest versions; the grouped form
// works in all since 2.7.
func libraries() []library {
	return []library{
		{id: "mpi", name: "MPI", comment: "// ", calls: map[schedule.Collective]apiCall{
			schedule.AllReduce:     "MPI_Allreduce(«sendbuf», «recvbuf», count,\n    MPI_FLOAT, MPI_SUM, comm);",
			schedule.ReduceScatter: "MPI_Reduce_scatter_block(«sendbuf»,\n    «recvbuf», recvcount, MPI_FLOAT, MPI_SUM, comm);",
			schedule.AllGather:     "MPI_Allgather(«sendbuf», sendcount, MPI_FLOAT,\n    «recvbuf», recvcount, MPI_FLOAT, comm);",
			schedule.ReduceTo:      "MPI_Reduce(«sendbuf», «recvbuf», count,\n    MPI_FLOAT, MPI_SUM, root, comm);",
			schedule.Broadcast:     "MPI_Bcast(«buffer», count, MPI_FLOAT,\n    root, comm);",
			schedule.Scatter:       "MPI_Scatter(«sendbuf», sendcount, MPI_FLOAT,\n    «recvbuf», recvcount, MPI_FLOAT, root, comm);",
			schedule.Gather:        "MPI_Gather(«sendbuf», sendcount, MPI_FLOAT,\n    «recvbuf», recvcount, MPI_FLOAT, root, comm);",
			schedule.AllToAll:      "MPI_Alltoall(«sendbuf», sendcount, MPI_FLOAT,\n    «recvbuf», recvcount, MPI_FLOAT, comm);",
			schedule.Barrier:       "MPI_Barrier(comm);",
			schedule.SendRecv:      "MPI_Sendrecv(«sendbuf», count, MPI_FLOAT, right, 0,\n    «recvbuf», count, MPI_FLOAT, left, 0,\n    comm, MPI_STATUS_IGNORE);",
		}},
		{id: "nccl", name: "NCCL", comment: "// ", calls: map[schedule.Collective]apiCall{
			schedule.AllReduce:     "ncclAllReduce(«sendbuff», «recvbuff», count,\n    ncclFloat, ncclSum, comm, stream);",
			schedule.ReduceScatter: "ncclReduceScatter(«sendbuff», «recvbuff»,\n    recvcount, ncclFloat, ncclSum, comm, stream);",
			schedule.AllGather:     "ncclAllGather(«sendbuff», «recvbuff»,\n    sendcount, ncclFloat, comm, stream);",
			schedule.ReduceTo:      "ncclReduce(«sendbuff», «recvbuff», count,\n    ncclFloat, ncclSum, root, comm, stream);",
			schedule.Broadcast:     "ncclBroadcast(«sendbuff», «recvbuff», count,\n    ncclFloat, root, comm, stream);",
			schedule.Scatter: "ncclGroupStart();\nif (rank == root)\n  for (int r = 0; r < n; r++)\n    ncclSend(«sendbuff + r*count», count,\n        ncclFloat, r, comm, stream);\n" +
				"ncclRecv(«recvbuff», count, ncclFloat,\n    root, comm, stream);\nncclGroupEnd();",
			schedule.Gather: "ncclGroupStart();\nncclSend(«sendbuff», count, ncclFloat,\n    root, comm, stream);\nif (rank == root)\n  for (int r = 0; r < n; r++)\n" +
				"    ncclRecv(«recvbuff + r*count», count,\n        ncclFloat, r, comm, stream);\nncclGroupEnd();",
			schedule.AllToAll: "ncclGroupStart();\nfor (int r = 0; r < n; r++) {\n  ncclSend(«sendbuff + r*count», count,\n      ncclFloat, r, comm, stream);\n" +
				"  ncclRecv(«recvbuff + r*count», count,\n      ncclFloat, r, comm, stream);\n}\nncclGroupEnd();",
			schedule.Barrier: "ncclAllReduce(«one», «one», 1,\n    ncclFloat, ncclSum, comm, stream);\ncudaStreamSynchronize(stream);",
			schedule.SendRecv: "ncclGroupStart();\nncclSend(«sendbuff», count, ncclFloat,\n    right, comm, stream);\n" +
				"ncclRecv(«recvbuff», count, ncclFloat,\n    left, comm, stream);\nncclGroupEnd();",
		}, without: []schedule.Collective{schedule.Scatter, schedule.Gather, schedule.AllToAll}},
		{id: "pytorch", name: "PyTorch", comment: "# ", calls: map[schedule.Collective]apiCall{
			schedule.AllReduce:     "dist.all_reduce(«tensor»,\n    op=dist.ReduceOp.SUM)",
			schedule.ReduceScatter: "dist.reduce_scatter_tensor(«output», «input»,\n    op=dist.ReduceOp.SUM)",
			schedule.AllGather:     "dist.all_gather_into_tensor(«output», «input»)",
			schedule.ReduceTo:      "dist.reduce(«tensor», dst=root,\n    op=dist.ReduceOp.SUM)",
			schedule.Broadcast:     "dist.broadcast(«tensor», src=root)",
			schedule.Scatter:       "dist.scatter(«tensor»,\n    «scatter_list» if rank == root else None,\n    src=root)",
			schedule.Gather:        "dist.gather(«tensor»,\n    «gather_list» if rank == root else None,\n    dst=root)",
			schedule.AllToAll:      "dist.all_to_all_single(«output», «input»)",
			schedule.Barrier:       "dist.barrier()",
			schedule.SendRecv: "for work in dist.batch_isend_irecv([\n    dist.P2POp(dist.isend, «output», right),\n" +
				"    dist.P2POp(dist.irecv, «input», left)]):\n  work.wait()",
		}},
	}
}

// note says what is out of the ordinary about a library's call.
func (lib library) note(t teller) string {
	switch c := t.f.schedule.Collective; {
	case lib.id == "nccl" && c == schedule.Barrier:
		return t.l.T("lesson.code.barrier.nccl")
	case slices.Contains(lib.without, c):
		return t.l.T("lesson.code.none")
	case !t.c.entry.Executable:
		return t.l.T("lesson.code.network")
	}
	return ""
}

// phaseCollectives says which collective a phase is by itself.
var phaseCollectives = map[string]schedule.Collective{
	"reduce-scatter": schedule.ReduceScatter, "all-gather": schedule.AllGather,
	"collect": schedule.ReduceTo, "return": schedule.Broadcast,
	"reduce": schedule.ReduceTo, "broadcast": schedule.Broadcast, "scatter": schedule.Scatter, "gather": schedule.Gather,
}

// apis is the lesson in the calls of each library, the current phase marked.
func (t teller) apis(f Frame, at int) []views.API {
	var all []views.API
	for _, lib := range libraries() {
		call, known := lib.calls[t.f.schedule.Collective]
		if !known {
			continue
		}
		choice := t.c.at(at)
		choice.api = lib.id
		api := views.API{ID: lib.id, Name: lib.name, URL: choice.url(f, "") + "#code", Open: lib.id == t.c.api, Code: call.pieces(),
			Comment: lib.comment + t.l.T("lesson.code.count", locale.Values{"Size": sizeName(t.c.size), "Elements": grouped(t.c.elements())}), Note: lib.note(t)}
		if t.f.schedule.Collective == schedule.Barrier {
			api.Comment = lib.comment + t.l.T("lesson.code.barrier")
		}
		for i, phase := range t.f.phases {
			if call, known := lib.calls[phaseCollectives[phase.key]]; known && t.f.schedule.Ranks > 1 && len(t.f.phases) > 1 && !slices.Contains(lib.without, phaseCollectives[phase.key]) {
				api.Phases = append(api.Phases, views.PhaseCode{Name: t.phaseName(t.l, i), Current: at > 0 && i == t.f.steps[at].phase, Code: call.pieces()})
			}
		}
		all = append(all, api)
	}
	return all
}

// grouped prints a whole number with a comma between groups of three digits.
func grouped(v int) string {
	text := fmt.Sprint(v)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}
