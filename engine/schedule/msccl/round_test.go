package msccl

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"testing"

	"lockstep/engine/schedule"
)

// requests is every pair that hosts can run and the format knows, in all the
// ways that change a schedule.
func requests(sizes ...int) []schedule.Request {
	var all []schedule.Request
	for _, e := range schedule.Catalog() {
		if !e.Executable || e.Collective == schedule.Barrier || e.Collective == schedule.SendRecv {
			continue
		}
		for _, n := range sizes {
			if n < e.MinRanks || n > e.MaxRanks {
				continue
			}
			roots, nodes := []int{0}, []int{0}
			if e.Collective.Rooted() && n > 1 {
				roots = []int{0, n - 1}
			}
			if e.Nodes {
				nodes = []int{0, 2, 3}
			}
			for _, root := range roots {
				for _, perNode := range nodes {
					for _, chunks := range []int{0, 3} {
						all = append(all, schedule.Request{Collective: e.Collective, Algorithm: e.Algorithm, Ranks: n, Root: root, RanksPerNode: perNode, Chunks: chunks})
					}
				}
			}
		}
	}
	return all
}

func build(t testing.TB, r schedule.Request) *schedule.Schedule {
	t.Helper()
	s, err := schedule.Build(r)
	if err != nil {
		t.Fatalf("%+v: %v", r, err)
	}
	return s
}

func export(t testing.TB, s *schedule.Schedule) string {
	t.Helper()
	var b bytes.Buffer
	if err := Export(&b, s); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestExportComesBackToTheSameHash(t *testing.T) {
	for _, r := range requests(1, 2, 3, 4, 5, 8, 13) {
		s := build(t, r)
		back, err := Import(strings.NewReader(export(t, s)))
		if err != nil {
			t.Fatalf("%+v: %v", r, err)
		}
		if back.Hash() != s.Hash() || back.Algorithm != s.Algorithm || back.Root != s.Root {
			t.Errorf("%+v: comes back as another schedule", r)
		}
	}
}

var own = regexp.MustCompile(` (id="\d+" round="\d+"|name="[^"]*")`)

// Without the attributes that are ours alone the file says the same, if less
// exactly.
func TestExportIsProvedWithoutOurAttributes(t *testing.T) {
	for _, r := range requests(1, 2, 3, 4, 5, 8) {
		s := build(t, r)
		bare := own.ReplaceAllString(export(t, s), "")
		back, err := Import(strings.NewReader(bare))
		if err != nil {
			t.Errorf("%+v: %v", r, err)
			continue
		}
		want, got := s.Traffic(), back.Traffic()
		if !slices.Equal(got.Sent, want.Sent) || !slices.Equal(got.Received, want.Received) {
			t.Errorf("%+v: traffic %v, want %v", r, got, want)
		}
	}
}

func TestExportRefusesWhatTheFormatLacks(t *testing.T) {
	for _, test := range []struct {
		r    schedule.Request
		want string
	}{
		{schedule.Request{Collective: schedule.Barrier, Algorithm: "central", Ranks: 3}, "MSCCL XML has no barrier; accepted: allreduce, "},
		{schedule.Request{Collective: schedule.SendRecv, Algorithm: "direct", Ranks: 3}, "MSCCL XML has no send-recv; accepted: allreduce, "},
		{schedule.Request{Collective: schedule.AllReduce, Algorithm: "in-network", Ranks: 3}, "the network's own work"},
	} {
		var b bytes.Buffer
		if err := Export(&b, build(t, test.r)); err == nil || !strings.Contains(err.Error(), test.want) || b.Len() > 0 {
			t.Errorf("%+v: %v after %d bytes, want %q", test.r, err, b.Len(), test.want)
		}
	}
}

// No rank has more peers of a direction on a channel than MSCCL allows.
func TestExportKeepsToThirtyTwoPeersPerChannel(t *testing.T) {
	text := export(t, build(t, schedule.Request{Collective: schedule.AllToAll, Algorithm: "direct", Ranks: 70}))
	a, err := read(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	for id, g := range a.gpus {
		sends := map[int]int{}
		for _, b := range g.blocks {
			if b.send >= 0 && b.recv >= 0 {
				t.Fatalf("gpu %d has a thread block for both directions", id)
			}
			if b.send >= 0 {
				sends[b.channel]++
			}
		}
		for channel, n := range sends {
			if n > perChannel {
				t.Errorf("gpu %d sends to %d peers over channel %d", id, n, channel)
			}
		}
	}
}

// The text is what other programs read: it changes on purpose only.
func TestExportAsText(t *testing.T) {
	const want = `<algo name="direct" proto="Simple" nchannels="1" nchunksperloop="1" ngpus="3" coll="reduce" inplace="0" outofplace="1" minBytes="0" maxBytes="9223372036854775807" root="0">
  <gpu id="0" i_chunks="1" o_chunks="1" s_chunks="0">
    <tb id="0" send="-1" recv="-1" chan="0">
      <step s="0" type="cpy" srcbuf="i" srcoff="0" dstbuf="o" dstoff="0" cnt="1" depid="-1" deps="-1" hasdep="1" id="0" round="1"/>
    </tb>
    <tb id="1" send="-1" recv="1" chan="0">
      <step s="0" type="rrc" srcbuf="o" srcoff="0" dstbuf="o" dstoff="0" cnt="1" depid="0" deps="0" hasdep="1" id="1" round="2"/>
    </tb>
    <tb id="2" send="-1" recv="2" chan="0">
      <step s="0" type="rrc" srcbuf="o" srcoff="0" dstbuf="o" dstoff="0" cnt="1" depid="1" deps="0" hasdep="0" id="2" round="2"/>
    </tb>
  </gpu>
  <gpu id="1" i_chunks="1" o_chunks="0" s_chunks="0">
    <tb id="0" send="0" recv="-1" chan="0">
      <step s="0" type="s" srcbuf="i" srcoff="0" dstbuf="o" dstoff="0" cnt="1" depid="-1" deps="-1" hasdep="0" id="1" round="2"/>
    </tb>
  </gpu>
  <gpu id="2" i_chunks="1" o_chunks="0" s_chunks="0">
    <tb id="0" send="0" recv="-1" chan="0">
      <step s="0" type="s" srcbuf="i" srcoff="0" dstbuf="o" dstoff="0" cnt="1" depid="-1" deps="-1" hasdep="0" id="2" round="2"/>
    </tb>
  </gpu>
</algo>
`
	if got := export(t, build(t, schedule.Request{Collective: schedule.ReduceTo, Algorithm: "direct", Ranks: 3})); got != want {
		t.Errorf("\n%s\nwant\n%s", got, want)
	}
}
