package span

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"

	"lockstep/cluster/conduct"
	"lockstep/cluster/inventory"
	"lockstep/engine/schedule"
	"lockstep/engine/trace"
	"lockstep/engine/unit"
)

// maxNames bounds the names of a run, in bytes.
const maxNames = 256

// check works a share out from what was asked, believing nothing, and holds it
// against the node's limits. The error is what the console is told.
func (a *Agent) check(ask share) (*conduct.Plan, error) {
	if ask.Protocol != Protocol {
		return nil, inventory.NewReason(inventory.OtherVersion,
			fmt.Sprintf("the console speaks protocol %d of runs, this agent %d: install the same version on both", ask.Protocol, Protocol))
	}
	if len(ask.ID) > maxNames || len(ask.Run) > maxNames || ask.Run == "" {
		return nil, errors.New("the run has no name, or one that is too long")
	}
	spec := ask.Spec
	if len(ask.Schedule) > 0 {
		sched, err := schedule.Read(bytes.NewReader(ask.Schedule)) // checks it, too
		if err != nil {
			return nil, fmt.Errorf("the schedule was refused: %w", err)
		}
		spec.Imported = sched
	}
	spec, err := spec.Resolve()
	if err != nil {
		return nil, fmt.Errorf("the run was refused: %w", err)
	}
	if ask.Node < 0 || ask.Node >= len(spec.Nodes) {
		return nil, fmt.Errorf("the run has %d nodes, and this is none of them", len(spec.Nodes))
	}
	name := spec.Nodes[ask.Node]
	if own := a.cfg.Name; own != "" && own != name {
		return nil, fmt.Errorf("this node is %s, and was asked for the ranks of %s", own, name)
	}
	first, end := spec.RanksOn(ask.Node)
	limits := a.cfg.Limits
	if limits.Ranks > 0 && end-first > limits.Ranks {
		return nil, inventory.NewReason(inventory.OverRanks,
			fmt.Sprintf("%d ranks, and no more than %d are accepted here (--max-ranks)", end-first, limits.Ranks),
			"asked", strconv.Itoa(end-first), "most", strconv.Itoa(limits.Ranks))
	}
	sched, err := a.schedule(spec)
	if err != nil {
		return nil, fmt.Errorf("the schedule was refused: %w", err)
	}
	if ask.Hash != sched.Hash() {
		return nil, inventory.NewReason(inventory.OtherVersion,
			fmt.Sprintf("%s/%s for %d ranks is another schedule here than at the console: install the same version on both", spec.Collective, spec.Algorithm, spec.Ranks))
	}
	plan, err := conduct.NewPlan(conduct.Task{Run: ask.Run, Key: ask.Key, Spec: spec, Schedule: sched})
	if err != nil {
		return nil, fmt.Errorf("the schedule was refused: %w", err)
	}
	need := unit.Bytes(0)
	for i := first; i < end; i++ {
		need += plan.Bytes(i)
	}
	if limits.Bytes > 0 && need > limits.Bytes {
		return nil, inventory.NewReason(inventory.OverBytes,
			fmt.Sprintf("the buffers of %d ranks take %s, and no more than %s are accepted here (--max-bytes)", end-first, need, limits.Bytes),
			"asked", need.String(), "most", limits.Bytes.String())
	}
	return plan, nil
}

// schedule returns the schedule of a resolved spec, proved right here.
func (a *Agent) schedule(spec trace.Spec) (*schedule.Schedule, error) {
	if spec.Imported != nil {
		return spec.Imported, nil // by schedule.Read
	}
	if most := spec.MostChunks(); spec.Chunks > most {
		return nil, fmt.Errorf("%d chunks with %d ranks; accepted: 1 to %d", spec.Chunks, spec.Ranks, most)
	}
	sched, err := spec.Schedule()
	if err != nil {
		return nil, err
	}
	return sched, schedule.Check(sched)
}
