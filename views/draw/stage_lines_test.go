package draw

import (
	"fmt"
	"math/bits"
	"regexp"
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

// The trees of two chunks stand beside their ranks, at any size; one stands
// tidily as long as its cards can be told apart. Beside their ranks no two
// edges of a tree cross.
func TestTreesHaveALayoutThatHoldsThem(t *testing.T) {
	for _, c := range []struct {
		name        string
		stage       Stage
		tidy, cells bool
	}{
		{name: "binomial, 16", stage: treeStage(16, 1, false, 0, binomial(16, 0)), tidy: true, cells: true},
		{name: "binomial, 64", stage: treeStage(64, 1, false, 0, binomial(64, 0)), tidy: true, cells: true},
		{name: "binomial, 64 blocks", stage: treeStage(64, 64, false, 0, binomial(64, 0)), tidy: true},
		{name: "chain, 33", stage: treeStage(33, 1, false, 0, chain(33)), cells: true},
		{name: "double, 8", stage: treeStage(8, 4, false, 0, inOrder(8), mirrored(inOrder(8))), cells: true},
		{name: "double, 64", stage: treeStage(64, 4, false, 0, inOrder(64), mirrored(inOrder(64)))},
		{name: "phone, binomial, 16", stage: treeStage(16, 1, true, 0, binomial(16, 0)), tidy: true, cells: true},
		{name: "phone, binomial, 64", stage: treeStage(64, 1, true, 0, binomial(64, 0))},
		{name: "phone, double, 16", stage: treeStage(16, 4, true, 0, inOrder(16), mirrored(inOrder(16))), cells: true},
		{name: "phone, double, 64", stage: treeStage(64, 4, true, 0, inOrder(64), mirrored(inOrder(64)))},
	} {
		f := c.stage.form()
		if tidy := f.joints == nil; tidy != c.tidy || f.dots == c.cells {
			t.Errorf("%s: tidy %v, dots %v", c.name, tidy, f.dots)
		}
		if f.joints != nil && c.stage.tangles(f.beside.order) > 0 {
			t.Errorf("%s: edges cross", c.name)
		}
		if f.dots && f.cardWidth < 12 {
			t.Errorf("%s: cards are %v wide", c.name, f.cardWidth)
		}
	}
}

// No message of a tree hides a card, and none hides another.
func TestMessagesOfTreesKeepClear(t *testing.T) {
	for _, n := range []int{2, 3, 5, 8, 13, 16, 17, 24, 33, 48, 64} {
		for _, rows := range []int{1, 4, n} {
			for _, narrow := range []bool{false, true} {
				for level := range 3 {
					for name, s := range map[string]Stage{
						"binomial tree": treeStage(n, rows, narrow, level, binomial(n, n/2)),
						"double tree":   treeStage(n, rows, narrow, level, inOrder(n), mirrored(inOrder(n))),
					} {
						up := s
						up.Moves = append([]Move(nil), s.Moves...)
						for i := range up.Moves {
							up.Moves[i].From, up.Moves[i].To = s.Moves[i].To, s.Moves[i].From
						}
						for _, s := range []Stage{s, up} {
							f := s.form()
							var chips []area
							for _, p := range s.Paths() {
								chip := area{p.X - f.token.width/2, p.Y - f.token.height/2, f.token.width, f.token.height}
								if f.token.width == 0 {
									continue
								}
								if chip.left < 0 || chip.right() > f.width || chip.top < 0 || chip.bottom() > f.height {
									t.Errorf("%s, %d ranks, %d rows, narrow %v, level %d: the message at %v leaves the drawing", name, n, rows, narrow, level, chip)
								}
								for rank := range n {
									if chip.meets(f.card(rank)) {
										t.Errorf("%s, %d ranks, %d rows, narrow %v, level %d: the message at %v lies on rank %d at %v", name, n, rows, narrow, level, chip, rank, f.card(rank))
									}
								}
								for _, other := range chips { // a binomial tree never sends to two children at once
									if name == "double tree" && chip.meets(other) {
										t.Errorf("%s, %d ranks, %d rows, narrow %v, level %d: messages at %v and %v", name, n, rows, narrow, level, chip, other)
									}
								}
								chips = append(chips, chip)
							}
						}
					}
				}
			}
		}
	}
}

// Where a node's ranks stand in several lines, no move inside it runs through
// a card: it keeps to the gaps. The same holds beside an upright switch.
func TestMovesKeepOffCards(t *testing.T) {
	for _, n := range []int{24, 33, 48, 64} {
		for _, rows := range []int{1, n} {
			s := nodesStage(n, rows, (n+1)/2, true, false)
			s.Moves = nil
			f := s.form()
			for _, hop := range []int{1, 5, 8, (n+1)/2 - 1} {
				for from := range (n + 1) / 2 {
					for _, to := range []int{from + hop, from - hop} {
						if to >= 0 && to < (n+1)/2 && f.card(from).top != f.card(to).top {
							s.Moves = append(s.Moves, Move{From: from, To: to})
						}
					}
				}
			}
			keepOff(t, fmt.Sprintf("%d ranks in 2 nodes, %d rows", n, rows), s)
			keepOff(t, fmt.Sprintf("%d ranks at a switch, %d rows", n, rows), switchStage(n, rows, true, false))
		}
	}
}

// keepOff fails where a move of straight pieces runs through a card.
func keepOff(t *testing.T, name string, s Stage) {
	t.Helper()
	f := s.form()
	for i, p := range s.Paths() {
		at := spot{}
		for _, part := range regexp.MustCompile(`([MVHL])([\d. -]+)`).FindAllStringSubmatch(p.D, -1) {
			next, err := at, error(nil)
			switch part[1] {
			case "V":
				_, err = fmt.Sscan(part[2], &next.y)
			case "H":
				_, err = fmt.Sscan(part[2], &next.x)
			default:
				_, err = fmt.Sscan(part[2], &next.x, &next.y)
			}
			if err != nil {
				t.Fatal(err)
			}
			for rank := range s.Cards {
				if part[1] != "M" && (segment{at, next}).crosses(f.card(rank)) {
					t.Errorf("%s: the move from %d to %d runs through rank %d", name, s.Moves[i].From, s.Moves[i].To, rank)
				}
			}
			at = next
		}
	}
}
