package present

import (
	"fmt"
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
}

// libraries are the three that training code meets. Signatures: MPI 4.1
// chapter 6, NCCL 2 "Collective Communication Functions", torch.distributed.
func libraries() []library {
	return []library{
		{"mpi", "MPI", "// ", map[schedule.Collective]apiCall{
			schedule.AllReduce:     "MPI_Allreduce(«sendbuf», «recvbuf», count,\n    MPI_FLOAT, MPI_SUM, comm);",
			schedule.ReduceScatter: "MPI_Reduce_scatter_block(«sendbuf», «recvbuf», recvcount, MPI_FLOAT, MPI_SUM, comm);",
			schedule.AllGather:     "MPI_Allgather(«sendbuf», sendcount, MPI_FLOAT, «recvbuf», recvcount, MPI_FLOAT, comm);",
			schedule.ReduceTo:      "MPI_Reduce(«sendbuf», «recvbuf», count, MPI_FLOAT, MPI_SUM, 0, comm);",
			schedule.Broadcast:     "MPI_Bcast(«buffer», count, MPI_FLOAT, 0, comm);",
		}},
		{"nccl", "NCCL", "// ", map[schedule.Collective]apiCall{
			schedule.AllReduce:     "ncclAllReduce(«sendbuff», «recvbuff», count,\n    ncclFloat, ncclSum, comm, stream);",
			schedule.ReduceScatter: "ncclReduceScatter(«sendbuff», «recvbuff», recvcount, ncclFloat, ncclSum, comm, stream);",
			schedule.AllGather:     "ncclAllGather(«sendbuff», «recvbuff», sendcount, ncclFloat, comm, stream);",
			schedule.ReduceTo:      "ncclReduce(«sendbuff», «recvbuff», count, ncclFloat, ncclSum, 0, comm, stream);",
			schedule.Broadcast:     "ncclBroadcast(«sendbuff», «recvbuff», count, ncclFloat, 0, comm, stream);",
		}},
		{"pytorch", "PyTorch", "# ", map[schedule.Collective]apiCall{
			schedule.AllReduce:     "dist.all_reduce(«tensor»,\n    op=dist.ReduceOp.SUM)",
			schedule.ReduceScatter: "dist.reduce_scatter_tensor(«output», «input», op=dist.ReduceOp.SUM)",
			schedule.AllGather:     "dist.all_gather_into_tensor(«output», «input»)",
			schedule.ReduceTo:      "dist.reduce(«tensor», dst=0, op=dist.ReduceOp.SUM)",
			schedule.Broadcast:     "dist.broadcast(«tensor», src=0)",
		}},
	}
}

// phaseCollectives says which collective a phase is by itself.
var phaseCollectives = map[string]schedule.Collective{
	"reduce-scatter": schedule.ReduceScatter, "all-gather": schedule.AllGather,
	"collect": schedule.ReduceTo, "return": schedule.Broadcast,
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
			Comment: lib.comment + t.l.T("lesson.code.count", locale.Values{"Size": t.c.size.String(), "Elements": grouped(int(t.c.size) / elementSize)})}
		for i, phase := range t.f.phases {
			if call, known := lib.calls[phaseCollectives[phase.key]]; known && t.f.schedule.Ranks > 1 {
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
