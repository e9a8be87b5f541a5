package draw

import (
	"fmt"
	"math/bits"
	"testing"
)

// binomial is the tree in which every rank's parent, counted from the root,
// lacks its last bit.
func binomial(n, root int) []int {
	parents := make([]int, n)
	for rank := range parents {
		parents[rank] = NoParent
		if from := (rank - root + n) % n; from > 0 {
			parents[rank] = (from&(from-1) + root) % n
		}
	}
	return parents
}

// inOrder is the binary tree whose leaves are the even ranks, and mirrored is
// its complement, in which they are inside.
func inOrder(n int) []int {
	parents := make([]int, n)
	for rank := range parents {
		at := rank + 1 // the level is the number of zeros at its end
		level := bits.TrailingZeros(uint(at))
		parents[rank] = NoParent
		for {
			at = at&^(1<<(level+1)) | 1<<(level+1)
			if at&(1<<level) != 0 {
				at &^= 1 << level
			}
			level++
			if at <= n {
				parents[rank] = at - 1
				break
			}
			if 1<<level > 2*n {
				break
			}
		}
	}
	return parents
}

func mirrored(parents []int) []int {
	n := len(parents)
	all := make([]int, n)
	for rank, parent := range parents {
		all[n-1-rank] = NoParent
		if parent != NoParent {
			all[n-1-rank] = n - 1 - parent
		}
	}
	return all
}

func chain(n int) []int {
	parents := make([]int, n)
	for rank := range parents {
		parents[rank] = rank - 1
	}
	return parents
}

// down makes a message along every edge of a tree whose parent's level is as
// given.
func (s *Stage) down(tree, level int) {
	for rank := range s.Cards {
		parent := s.parent(tree, rank)
		depth := 0
		for at := parent; at != NoParent; at = s.parent(tree, at) {
			depth++
		}
		if parent != NoParent && depth == level+1 {
			s.Moves = append(s.Moves, Move{From: parent, To: rank, Block: tree, FromCell: tree % len(s.Cards[0].Cells), ToCell: tree % len(s.Cards[0].Cells), Value: "0100", Tree: tree})
		}
	}
	s.idle()
}

// idle marks who neither sends nor receives.
func (s *Stage) idle() {
	busy := map[int]bool{}
	for _, m := range s.Moves {
		busy[m.From], busy[m.To] = true, true
	}
	for rank := range s.Cards {
		s.Cards[rank].Idle = !busy[rank]
	}
	s.Slots = len(s.Moves)
}

func treeStage(n, rows int, narrow bool, level int, parents ...[]int) Stage {
	s := stage(RowLayout, n, rows, narrow)
	s.Layout, s.Parents, s.Moves, s.WrapWord = TreeLayout, parents, nil, "a card is a rank, a dot is a block"
	if len(parents) > 1 {
		s.EdgeWords = []string{"tree 1", "tree 2"}
	}
	for tree := range parents {
		s.down(tree, level)
	}
	return s
}

// nodesStage has a ring in every node, or one along every rail.
func nodesStage(n, rows, per int, narrow, across bool) Stage {
	s := stage(RowLayout, n, rows, narrow)
	s.Layout, s.PerNode, s.Moves, s.WrapWord = NodesLayout, per, nil, "a card is a rank, a dot is a block"
	s.EdgeWords = []string{"inside a node", "from node to node", "rail: same place in every node"}
	for node := range (n + per - 1) / per {
		s.Nodes = append(s.Nodes, fmt.Sprintf("node %d", node))
	}
	for rail := range per {
		s.Rails = append(s.Rails, fmt.Sprint(rail))
	}
	for rank := range n {
		first := rank / per * per
		to := first + (rank-first+1)%min(per, n-first)
		if across {
			if to = rank + per; to >= n {
				to = rank % per
			}
		}
		if to != rank {
			s.Moves = append(s.Moves, Move{From: rank, To: to, FromCell: rank % rows, ToCell: rank % rows, Block: rank % rows, Value: "0100"})
		}
	}
	s.idle()
	return s
}

// switchStage has everyone's block added up for one rank, or one rank's block
// copied to everyone.
func switchStage(n, rows int, narrow, copies bool) Stage {
	s := stage(RowLayout, n, rows, narrow)
	s.Layout, s.PortWord, s.Moves, s.WrapWord = SwitchLayout, "Switch", nil, "a card is a rank, a dot is a block"
	one := min(2, n-1)
	for rank := range n {
		switch {
		case copies && rank == one:
			s.Moves = append(s.Moves, Move{From: rank, To: Fabric, Value: "3333"})
		case copies:
			s.Moves = append(s.Moves, Move{From: Fabric, To: rank, Value: "3333"})
		case rank == one:
			s.Moves = append(s.Moves, Move{From: rank, To: Fabric, Value: "0030"}, Move{From: Fabric, To: rank, Value: "3333"})
		default:
			s.Moves = append(s.Moves, Move{From: rank, To: Fabric, Value: "0030"})
		}
	}
	s.idle()
	return s
}

func lineStages() map[string]Stage {
	all := map[string]Stage{}
	for _, narrow := range []bool{false, true} {
		end := ""
		if narrow {
			end = "-narrow"
		}
		for _, n := range []int{2, 4, 8, 16, 33, 64} {
			name := fmt.Sprintf("%d%s", n, end)
			all["stage-tree-"+name] = treeStage(n, 1, narrow, 1, binomial(n, 0))
			all["stage-nodes-"+name] = nodesStage(n, min(n, 8), max(2, min(8, n/2)), narrow, n%16 == 0)
			all["stage-switch-"+name] = switchStage(n, 1, narrow, n >= 16)
		}
		all["stage-tree-root-8"+end] = treeStage(8, 1, narrow, 0, binomial(8, 5))
		all["stage-tree-binary-8"+end] = treeStage(8, 4, narrow, 0, inOrder(8))
		all["stage-tree-double-8"+end] = treeStage(8, 2, narrow, 1, inOrder(8), mirrored(inOrder(8)))
		all["stage-tree-double-16"+end] = treeStage(16, 2, narrow, 1, inOrder(16), mirrored(inOrder(16)))
		all["stage-tree-double-33"+end] = treeStage(33, 2, narrow, 1, inOrder(33), mirrored(inOrder(33)))
		all["stage-tree-chain-33"+end] = treeStage(33, 1, narrow, 3, chain(33))
		all["stage-nodes-8-by-4"+end] = nodesStage(8, 8, 4, narrow, true)
		all["stage-nodes-7-by-4"+end] = nodesStage(7, 1, 4, narrow, true)
		all["stage-switch-8-of-8"+end] = switchStage(8, 8, narrow, false)
	}
	return all
}

func TestStagesInLines(t *testing.T) {
	for name, s := range lineStages() {
		golden(t, name, s.SVG())
	}
}

// Whatever the layout, the number of ranks and of blocks, every card stands
// inside the view box and on no other, and every message rests inside it.
func TestStagesInLinesFit(t *testing.T) {
	for _, n := range []int{2, 3, 5, 8, 13, 16, 17, 24, 33, 48, 63, 64} {
		for _, rows := range []int{1, 4, n} {
			for _, narrow := range []bool{false, true} {
				for name, s := range map[string]Stage{
					"binomial tree":  treeStage(n, rows, narrow, 0, binomial(n, n/2)),
					"double tree":    treeStage(n, rows, narrow, 1, inOrder(n), mirrored(inOrder(n))),
					"chain":          treeStage(n, rows, narrow, 0, chain(n)),
					"no tree at all": treeStage(n, rows, narrow, 0),
					"two nodes":      nodesStage(n, rows, (n+1)/2, narrow, true),
					"nodes of 3":     nodesStage(n, rows, 3, narrow, false),
					"nodes of 8":     nodesStage(n, rows, 8, narrow, true),
					"nodes of 1":     nodesStage(n, rows, 1, narrow, true),
					"switch":         switchStage(n, rows, narrow, false),
				} {
					at := fmt.Sprintf("%s, %d ranks, %d rows, narrow %v", name, n, rows, narrow)
					f := s.form()
					for rank := range n {
						card := f.card(rank)
						if card.left < -0.01 || card.right() > f.width+0.01 || card.top < 0 || card.bottom() > f.height {
							t.Fatalf("%s: rank %d stands at %v of %v by %v", at, rank, card, f.width, f.height)
						}
						if last := f.cellAt(rank, rows-1); last.x+f.cell.Width > card.right()+0.01 || last.y+f.cell.Height > card.bottom()+0.01 {
							t.Fatalf("%s: the last cell of rank %d ends at %v, its card at %v", at, rank, last, card)
						}
						for other := range rank {
							if card.meets(f.card(other)) {
								t.Fatalf("%s: ranks %d and %d stand on each other", at, other, rank)
							}
						}
					}
					for i, p := range s.Paths() {
						if p.X < 0 || p.X > f.width || p.Y < 0 || p.Y > f.height {
							t.Fatalf("%s: message %d rests at %v, %v of %v by %v", at, i, p.X, p.Y, f.width, f.height)
						}
					}
				}
			}
		}
	}
}
