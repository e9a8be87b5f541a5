package present

import (
	"slices"
	"strings"
	"testing"

	"lockstep/engine/trace"
	"lockstep/views/locale"
)

// onTwoNodes is a run of four ranks that failed, two of them on each of two
// nodes.
func onTwoNodes(t *testing.T, f trace.Failure) Watched {
	t.Helper()
	w := watchedRun(t, build(t, "ring", 4), trace.Failed)
	w.Run.Nodes, w.Run.NodeNames, w.Run.PerNode, w.Run.Link, w.Run.Encryption = 2, []string{"left", "right"}, 2, trace.TCP, trace.Sealed
	w.Run.Failure = &f
	return w
}

func TestARunSaysWhereItsRanksWere(t *testing.T) {
	want := map[string][]string{
		locale.English: {"left: Ranks 0, 1; right: Ranks 2, 3", "TCP between the nodes, encrypted"},
		locale.Chinese: {"left：Rank 0、1；right：Rank 2、3", "节点之间走 TCP，加密"},
	}
	over := map[string]string{locale.English: "TCP between 2 nodes", locale.Chinese: "2 个节点间走 TCP"}
	for _, frame := range frames(t) {
		s := &sight{Frame: frame, Watched: onTwoNodes(t, trace.Failure{Kind: trace.AgentLost, Culprit: trace.Culprit{Node: "right"}, Step: -1})}
		var all []string
		for _, fact := range s.facts() {
			all = append(all, fact.Values...)
		}
		lang := frame.Locale.Lang()
		for _, text := range want[lang] {
			if !slices.Contains(all, text) {
				t.Errorf("no fact %q in %q", text, all)
			}
		}
		if meta := s.meta(); !strings.Contains(meta, over[lang]) {
			t.Errorf("%q does not say %q", meta, over[lang])
		}
	}
}

// A lost node takes all its ranks with it, and of what is left there nobody
// says that it is freed.
func TestALostNodeIsBlamedWithItsRanks(t *testing.T) {
	lost := trace.Failure{Kind: trace.AgentLost, Culprit: trace.Culprit{Node: "right"}, Step: -1, DetectedAfter: 4, Message: "node right was lost: it has been silent for 4s"}
	for _, frame := range frames(t) {
		s := &sight{Frame: frame, Watched: onTwoNodes(t, lost)}
		for rank, to := range []bool{false, false, true, true} {
			if s.culprits()[rank] != to {
				t.Errorf("rank %d is to blame: %v", rank, !to)
			}
		}
		b := s.blame()
		if !strings.Contains(b.Verdict, "right") {
			t.Errorf("%q does not name the node", b.Verdict)
		}
		if freed := s.Locale.T("run.freed"); slices.Contains(b.What, freed) {
			t.Errorf("says %q", freed)
		}
	}
}

func TestARankIsNamedWithItsNode(t *testing.T) {
	rank := 3
	died := trace.Failure{Kind: trace.ProcessDied, Culprit: trace.Culprit{Rank: &rank, Node: "right"}, Step: -1, Message: "rank 3's process on right died"}
	for lang, want := range map[string]string{locale.English: "Rank 3 on right", locale.Chinese: "节点 right 上的 Rank 3"} {
		for _, frame := range frames(t) {
			if frame.Locale.Lang() != lang {
				continue
			}
			if got := (&sight{Frame: frame, Watched: onTwoNodes(t, died)}).who(); got != want {
				t.Errorf("%q, want %q", got, want)
			}
		}
	}
}
