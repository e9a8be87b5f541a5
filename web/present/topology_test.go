package present

import (
	"net/url"
	"strings"
	"testing"

	"lockstep/sizing"
	"lockstep/views"
)

func topologyOf(t *testing.T, lang, query string) views.Topology {
	t.Helper()
	values, err := url.ParseQuery(query)
	if err != nil {
		t.Fatal(err)
	}
	v, err := Topology(frames(t)[lang], ReadTopology(values))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestTopologySays(t *testing.T) {
	if got, want := topologyOf(t, "zh", "").Say, "4 个节点，各 4 张卡，对 1.2 GB 做全规约：分层最快，22.1 ms；环形（跨着节点排）最慢，90.3 ms，是它的 4.1 倍。"; got != want {
		t.Errorf("says %s\nwant %s", got, want)
	}
	v := topologyOf(t, "en", "")
	if want := "All-reduce of 1.2 GB on 4 nodes of 4 cards. Fastest: Hierarchical, 22.1 ms. Slowest: Ring, round the nodes, 90.3 ms, 4.1 times as long."; v.Say != want {
		t.Errorf("says %s\nwant %s", v.Say, want)
	}
	if !strings.Contains(v.Least, "takes 18 ms") {
		t.Errorf("the least: %s", v.Least)
	}
	for i, want := range []string{"the busiest NIC carries only 900 MB", "each node sends 4 times the bytes and it takes 2 times as long", "2 of them"} {
		if !strings.Contains(v.Why[i], want) {
			t.Errorf("reason %d lacks %q: %s", i, want, v.Why[i])
		}
	}
}

// The page shows what was played, and nothing else.
func TestTopologyShowsPlays(t *testing.T) {
	for _, query := range []string{"", "nodes=2&G=8&nics=8&over=4", "nodes=3&G=2&nics=1&inside=32GB/s&across=10Gb/s&size=64KB", "nodes=16&G=4&size=14GB"} {
		v := topologyOf(t, "en", query)
		values, _ := url.ParseQuery(query)
		ways, err := ReadTopology(values).Compare()
		if err != nil {
			t.Fatal(err)
		}
		fastest := 0
		for i, way := range ways {
			row := v.Rows[i]
			if row.Time != duration(way.Time) || row.Sent != sized(float64(way.MostSent()), 3, decimalBytes) || row.Busiest != sized(float64(way.Busiest()), 3, decimalBytes) {
				t.Errorf("%s: row %+v of %s in %v", query, row, way.Algorithm, way.Time)
			}
			if v.Pictures[i].Time != row.Time || v.Pictures[i].Name != row.Name {
				t.Errorf("%s: picture %d is of %s in %s, the row of %s in %s", query, i, v.Pictures[i].Name, v.Pictures[i].Time, row.Name, row.Time)
			}
			if way.Time < ways[fastest].Time {
				fastest = i
			}
		}
		for i, row := range v.Rows {
			if row.Fastest != (i == fastest) {
				t.Errorf("%s: row %d is marked %v as the fastest", query, i, row.Fastest)
			}
		}
	}
}

// Reasons fit what was played: bytes, rounds, and orders that make no
// difference in time.
func TestTopologyReasons(t *testing.T) {
	for query, want := range map[string]string{
		"size=64KB":                    "Most of the time here is latency",
		"nics=4":                       "yet takes about as long",
		"nics=1":                       "Only one NIC of a node",
		"nics=4&over=4":                "each node sends 4 times the bytes and it takes",
		"nodes=2&G=8&nics=8&size=14GB": "8 of them, each with a share",
	} {
		v := topologyOf(t, "en", query)
		if all := strings.Join(v.Why, "\n"); !strings.Contains(all, want) {
			t.Errorf("%s: no reason says %q:\n%s", query, want, all)
		}
	}
}

func TestTopologyTakesWhatExists(t *testing.T) {
	for query, want := range map[string]struct {
		asked []string
		shape sizing.Topology
	}{
		"":                  {nil, sizing.Topology{Nodes: 4, PerNode: 4, NICs: 2}},
		"nodes=99&G=99":     {[]string{"Nodes: 99 is out of range. Accepted: 2 – 16. Shown is the nearest, 16.", "Cards per node: 99 is out of range. Accepted: 2 – 4. Shown is the nearest, 4."}, sizing.Topology{Nodes: 16, PerNode: 4, NICs: 2}},
		"nodes=0&nics=many": {[]string{"Shown is the nearest, 2.", "\"many\" is not a whole number. Accepted: 1 – 16. Shown: 2."}, sizing.Topology{Nodes: 2, PerNode: 4, NICs: 2}},
		"nodes=5&G=3":       {nil, sizing.Topology{Nodes: 5, PerNode: 3, NICs: 2}},
		"inside=fast&across=1b/s&over=NaN&size=100G": {[]string{"\"fast\" cannot be read. Write it like 100Gb/s", "1b/s is out of range. Accepted: 1 MB/s – 10 TB/s.", "\"NaN\" cannot be read. Write it like 1, 1.5, 2. Shown: 1.", "\"100G\" can be read in two ways. Write 100GB / 100GiB. Shown: 1.2 GB."}, sizing.Topology{Nodes: 4, PerNode: 4, NICs: 2}},
		"size=0":     {[]string{"0 is out of range. Accepted: 4 B – 1 TiB. Shown is the nearest, 4 B."}, sizing.Topology{Nodes: 4, PerNode: 4, NICs: 2}},
		"size=6":     {[]string{"6 cannot be cut evenly. Accepted: multiples of 4 B. Shown is the nearest, 4 B."}, sizing.Topology{Nodes: 4, PerNode: 4, NICs: 2}},
		"size=1.2GB": {nil, sizing.Topology{Nodes: 4, PerNode: 4, NICs: 2}},
	} {
		values, err := url.ParseQuery(query)
		if err != nil {
			t.Fatal(err)
		}
		a := ReadTopology(values)
		if a.Nodes != want.shape.Nodes || a.PerNode != want.shape.PerNode || a.NICs != want.shape.NICs {
			t.Errorf("%s: %d nodes of %d ranks with %d NICs", query, a.Nodes, a.PerNode, a.NICs)
		}
		v := topologyOf(t, "en", query)
		if len(v.Asked) != len(want.asked) {
			t.Errorf("%s: notes %q, want %q", query, v.Asked, want.asked)
			continue
		}
		for i, note := range v.Asked {
			if !strings.Contains(note, want.asked[i]) {
				t.Errorf("%s: note %q, want %q", query, note, want.asked[i])
			}
		}
		for _, f := range v.Fields { // what is taken can be chosen
			chosen := 0
			for _, o := range f.Options {
				if o.Chosen {
					chosen++
				}
			}
			if chosen != 1 {
				t.Errorf("%s: %d of %s are chosen", query, chosen, f.Name)
			}
		}
	}
}

// A lesson does not know on which node a rank sits, so that only one of the
// two rings has one.
func TestEachLessonIsLedToOnce(t *testing.T) {
	seen := map[string]bool{}
	for _, row := range topologyOf(t, "en", "").Rows {
		if row.URL != "" && seen[row.URL] {
			t.Errorf("%s leads to %s once more", row.Name, row.URL)
		}
		seen[row.URL] = true
	}
}
