package msccl

import (
	"fmt"
	"strings"
	"testing"

	"lockstep/engine/schedule"
)

// sheetText writes a thread block in the style of other people's files.
type sheetText struct {
	send, recv, channel int
	steps               []string
}

func (b *sheetText) step(kind, src string, srcOff int, dst string, dstOff, count int, dep ...int) {
	block, line := -1, -1
	if len(dep) == 2 {
		block, line = dep[0], dep[1]
	}
	b.steps = append(b.steps, fmt.Sprintf(`<step s="%d" type="%s" srcbuf="%s" srcoff="%d" dstbuf="%s" dstoff="%d" cnt="%d" depid="%d" deps="%d" hasdep="0"/>`,
		len(b.steps), kind, src, srcOff, dst, dstOff, count, block, line))
}

func gpuText(id int, chunks string, blocks ...*sheetText) string {
	var b strings.Builder
	fmt.Fprintf(&b, "<gpu id=\"%d\" %s>\n", id, chunks)
	for tb, s := range blocks {
		fmt.Fprintf(&b, "<tb id=\"%d\" send=\"%d\" recv=\"%d\" chan=\"%d\">\n%s\n</tb>\n", tb, s.send, s.recv, s.channel, strings.Join(s.steps, "\n"))
	}
	return b.String() + "</gpu>\n"
}

func algoText(coll string, n, chunks int, more string, gpus ...string) string {
	return fmt.Sprintf("<algo name=\"mine\" proto=\"LL\" nchannels=\"1\" nchunksperloop=\"%d\" ngpus=\"%d\" coll=\"%s\" %s minBytes=\"0\" maxBytes=\"0\">\n%s</algo>\n",
		chunks, n, coll, more, strings.Join(gpus, ""))
}

func chunkText(i, o, s int) string {
	return fmt.Sprintf(`i_chunks="%d" o_chunks="%d" s_chunks="%d"`, i, o, s)
}

const (
	inPlace  = `inplace="1" outofplace="0"`
	apart    = `inplace="0" outofplace="1"`
	bothWays = `inplace="1" outofplace="1"`
)

// chainRing is a ring of rrs, rrcs, rcs and r on several channels, as
// msccl-tools fuses it.
func chainRing(n, channels int, more, out string) string {
	var gpus []string
	for r := range n {
		var blocks []*sheetText
		for ch := range channels {
			b := &sheetText{send: (r + 1) % n, recv: (r + n - 1) % n, channel: ch}
			at := func(hop int) int { return ch*n + ((r-hop)%n+n)%n }
			b.step("s", "i", at(0), "i", at(0), 1)
			for hop := 1; hop < n-1; hop++ {
				b.step("rrs", "i", at(hop), "i", at(hop), 1)
			}
			b.step("rrcs", "i", at(n-1), out, at(n-1), 1)
			for hop := range n - 2 {
				b.step("rcs", "i", at(hop), out, at(hop), 1)
			}
			b.step("r", "i", at(n-2), out, at(n-2), 1)
			blocks = append(blocks, b)
		}
		gpus = append(gpus, gpuText(r, chunkText(n*channels, n*channels, 0), blocks...))
	}
	return algoText("allreduce", n, n*channels, more, gpus...)
}

// plainRing keeps every partial sum in place.
func plainRing(n int) string {
	var gpus []string
	for r := range n {
		b := &sheetText{send: (r + 1) % n, recv: (r + n - 1) % n}
		at := func(hop int) int { return ((r-hop)%n + n) % n }
		b.step("s", "i", at(0), "i", at(0), 1)
		for hop := 1; hop < n; hop++ {
			b.step("rrc", "i", at(hop), "i", at(hop), 1)
			b.step("s", "i", at(hop), "i", at(hop), 1)
		}
		for hop := range n - 1 {
			b.step("r", "i", at(hop), "i", at(hop), 1)
			if hop < n-2 {
				b.step("s", "i", at(hop), "i", at(hop), 1)
			}
		}
		gpus = append(gpus, gpuText(r, chunkText(n, 0, 0), b))
	}
	return algoText("allreduce", n, n, inPlace, gpus...)
}

// allPairs is the two rounds of all to all: scratch, waits by nop, a run of re.
// Scratch places are numbered by sender, not by chunk.
func allPairs(n int) string {
	var gpus []string
	for r := range n {
		var blocks []*sheetText
		for p := range n {
			if p == r {
				continue
			}
			b := &sheetText{send: p, recv: p}
			b.step("s", "i", p, "s", r, 1)
			b.step("r", "i", r, "s", p, 1)
			blocks = append(blocks, b)
		}
		for tb := 1; tb < len(blocks); tb++ {
			blocks[0].step("nop", "i", -1, "o", -1, 0, tb, 1)
		}
		for p := range n {
			if p != r {
				blocks[0].step("re", "s", p, "i", r, 1)
			}
		}
		reduced := len(blocks[0].steps) - 1
		for tb, b := range blocks {
			if tb > 0 {
				b.step("nop", "i", -1, "o", -1, 0, 0, reduced)
			}
			b.step("s", "i", r, "i", r, 1)
			b.step("r", "i", b.recv, "i", b.recv, 1)
		}
		gpus = append(gpus, gpuText(r, chunkText(n, 0, n), blocks...))
	}
	return algoText("allreduce", n, n, inPlace, gpus...)
}

// onePass sends everything to everyone; every rank adds in an order of its own.
func onePass(n int) string {
	var gpus []string
	for r := range n {
		var blocks []*sheetText
		for p := range n {
			if p == r {
				continue
			}
			b := &sheetText{send: p, recv: p}
			b.step("s", "i", 0, "s", r, 1)
			b.step("r", "i", 0, "s", p, 1)
			blocks = append(blocks, b)
		}
		for tb := 1; tb < len(blocks); tb++ {
			blocks[0].step("nop", "i", 0, "i", 0, 1, tb, 1)
		}
		for p := range n {
			if p != r {
				blocks[0].step("re", "s", p, "i", 0, 1)
			}
		}
		gpus = append(gpus, gpuText(r, chunkText(1, 1, n), blocks...))
	}
	return algoText("allreduce", n, 1, `inplace="1"`, gpus...)
}

// swaps is recursive doubling where both partners send what they then add to:
// only what is under way keeps it apart.
func swaps(n int) string {
	var gpus []string
	for r := range n {
		var blocks []*sheetText
		for bit := 1; bit < n; bit *= 2 {
			b := &sheetText{send: r ^ bit, recv: r ^ bit}
			if before := len(blocks) - 1; before >= 0 {
				b.step("s", "i", 0, "i", 0, 2, before, 1)
			} else {
				b.step("s", "i", 0, "i", 0, 2)
			}
			b.step("rrc", "i", 0, "i", 0, 2)
			blocks = append(blocks, b)
		}
		gpus = append(gpus, gpuText(r, chunkText(2, 2, 0), blocks...))
	}
	return algoText("allreduce", n, 2, inPlace, gpus...)
}

// gatherInPlace writes down no i at all: what a rank gives lies in its o.
func gatherInPlace(n, k int) string {
	var gpus []string
	for r := range n {
		var blocks []*sheetText
		for p := range n {
			if p != r {
				b := &sheetText{send: -1, recv: p}
				b.step("r", "o", p*k, "o", p*k, k)
				blocks = append(blocks, b)
			}
		}
		for p := range n {
			if p != r {
				b := &sheetText{send: p, recv: -1}
				b.step("s", "o", r*k, "o", r*k, k)
				blocks = append(blocks, b)
			}
		}
		gpus = append(gpus, gpuText(r, chunkText(0, n*k, 0), blocks...))
	}
	return algoText("allgather", n, n*k, inPlace, gpus...)
}

// scatterRing is a reduce-scatter in place: partial sums pass through i.
func scatterRing(n int, coll string) string {
	var gpus []string
	for r := range n {
		b := &sheetText{send: (r + 1) % n, recv: (r + n - 1) % n}
		at := func(hop int) int { return ((r-hop)%n + n) % n }
		b.step("s", "i", at(1), "i", at(1), 1)
		for hop := 2; hop < n; hop++ {
			b.step("rrs", "i", at(hop), "i", at(hop), 1)
		}
		b.step("rrc", "i", r, "o", 0, 1)
		gpus = append(gpus, gpuText(r, chunkText(n, 1, 0), b))
	}
	return algoText(coll, n, n, inPlace, gpus...)
}

// throughInput is not in place and yet adds up in its i.
func throughInput() string {
	one := &sheetText{send: 1, recv: 1}
	one.step("rrc", "i", 0, "i", 0, 1)
	one.step("s", "i", 0, "o", 0, 1)
	one.step("cpy", "i", 0, "o", 0, 1)
	two := &sheetText{send: 0, recv: 0}
	two.step("s", "i", 0, "i", 0, 1)
	two.step("r", "i", 0, "o", 0, 1)
	return algoText("allreduce", 2, 1, apart, gpuText(0, chunkText(1, 1, 0), one), gpuText(1, chunkText(1, 1, 0), two))
}

// chainDown is a broadcast without a root: only gpu 1 has an i. Scratch holds
// the chunks in the order of their coming, in one place each in turn.
func chainDown() string {
	first, middle, last := &sheetText{send: 2, recv: -1}, &sheetText{send: 0, recv: 1}, &sheetText{send: -1, recv: 2}
	for c := range 3 {
		first.step("s", "i", c, "s", 0, 1)
		middle.step("rcs", "i", c, "s", 0, 1)
		middle.step("cpy", "s", 0, "o", c, 1)
		last.step("r", "s", 0, "o", c, 1)
	}
	keep := &sheetText{send: -1, recv: -1}
	keep.step("cpy", "i", 0, "o", 0, 3)
	return algoText("broadcast", 3, 3, apart, gpuText(0, chunkText(0, 3, 0), last), gpuText(1, chunkText(3, 3, 0), first, keep), gpuText(2, chunkText(0, 3, 1), middle))
}

func TestForeignFilesAreProved(t *testing.T) {
	for name, test := range map[string]struct {
		text           string
		rounds, sent   int // sent by rank 0; 0 where it is not looked at
		tmp            int
		collective     schedule.Collective
		root, messages int
	}{
		"chain ring":              {chainRing(4, 1, apart, "o"), 6, 6, 4, schedule.AllReduce, -1, 24},
		"chain ring, both ways":   {chainRing(4, 3, bothWays, "o"), 6, 18, 12, schedule.AllReduce, -1, 24},
		"chain ring, in place":    {chainRing(5, 2, inPlace, "i"), 8, 16, 10, schedule.AllReduce, -1, 40},
		"ring of two":             {chainRing(2, 1, inPlace, "i"), 2, 2, 0, schedule.AllReduce, -1, 4},
		"plain ring":              {plainRing(4), 6, 6, 0, schedule.AllReduce, -1, 24},
		"all pairs":               {allPairs(8), 2, 14, -1, schedule.AllReduce, -1, 112},
		"all pairs of two":        {onePass(2), 1, 1, -1, schedule.AllReduce, -1, 2},
		"swaps":                   {swaps(8), 0, 6, -1, schedule.AllReduce, -1, 24},
		"gather in place":         {gatherInPlace(8, 2), 1, 14, 0, schedule.AllGather, -1, 56},
		"scatter ring":            {scatterRing(5, "reduce_scatter"), 4, 4, -1, schedule.ReduceScatter, -1, 20},
		"the other spelling":      {scatterRing(3, "reducescatter"), 2, 2, -1, schedule.ReduceScatter, -1, 6},
		"through the input":       {throughInput(), 2, 1, 1, schedule.AllReduce, -1, 2},
		"chain, root found":       {chainDown(), 0, 0, -1, schedule.Broadcast, 1, 0},
		"in place and alone":      {algoText("allreduce", 1, 4, inPlace, gpuText(0, chunkText(0, 0, 0))), 0, 0, 0, schedule.AllReduce, -1, 0},
		"gather in place, alone":  {algoText("gather", 1, 4, inPlace, gpuText(0, chunkText(0, 0, 0))), 0, 0, 0, schedule.Gather, 0, 0},
		"scatter in place, alone": {algoText("scatter", 1, 4, inPlace, gpuText(0, chunkText(0, 0, 0))), 0, 0, 0, schedule.Scatter, 0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			s, err := Import(strings.NewReader(test.text))
			if err != nil {
				t.Fatal(err)
			}
			traffic := s.Traffic()
			if s.Collective != test.collective || s.Root != test.root {
				t.Errorf("%s with root %d", s.Collective, s.Root)
			}
			if test.rounds > 0 && s.Rounds() != test.rounds || test.sent > 0 && traffic.Sent[0] != test.sent || test.messages > 0 && traffic.Messages != test.messages {
				t.Errorf("%d rounds, %d messages, rank 0 sends %d; want %d, %d, %d", s.Rounds(), traffic.Messages, traffic.Sent[0], test.rounds, test.messages, test.sent)
			}
			if test.tmp >= 0 && s.TmpChunks != test.tmp {
				t.Errorf("%d chunks of tmp, want %d", s.TmpChunks, test.tmp)
			}
			if again, err := Import(strings.NewReader(export(t, s))); err != nil || again.Hash() != s.Hash() {
				t.Errorf("does not come back from our own file: %v", err)
			}
		})
	}
}

// What does not add up is a fault of the schedule, with the line of its step.
func TestForeignFilesThatDoNotAddUp(t *testing.T) {
	for name, test := range map[string]struct{ text, want string }{
		"another order on every rank": {onePass(3), "combined in another order than on rank 0"},
		"a chunk is not sent":         {strings.Replace(plainRing(3), `type="rrc" srcbuf="i" srcoff="2" dstbuf="i" dstoff="2"`, `type="rrc" srcbuf="i" srcoff="1" dstbuf="i" dstoff="1"`, 1), "combines chunk 1 of a block with chunk 2, in i[1] of gpu "},
		"counted twice":               {strings.Replace(throughInput(), "</tb>", `<step s="3" type="re" srcbuf="i" srcoff="0" dstbuf="o" dstoff="0" cnt="1" depid="-1" deps="-1" hasdep="0"/></tb>`, 1), "counted 2 times"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Import(strings.NewReader(test.text))
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("%v, want %q", err, test.want)
			}
		})
	}
}
