package present

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"lockstep/cluster/inventory"
	"lockstep/engine/trace"
	"lockstep/engine/unit"
	"lockstep/views"
	"lockstep/web/account"
)

// buttons lists what a card offers to do.
func buttons(c views.NodeCard) (labels []string) {
	for _, act := range c.Acts {
		labels = append(labels, act.Label)
	}
	for _, ask := range c.Asks {
		labels = append(labels, ask.Label+"?")
	}
	return labels
}

func TestWhatCanBeDoneWithANode(t *testing.T) {
	f := frames(t)["en"]
	f.Session = true
	for standing, want := range map[inventory.Standing][]string{
		inventory.Ready:    {"Drain", "Revoke?"},
		inventory.Draining: {"Resume", "Revoke?"},
		inventory.Offline:  {"Revoke?", "Forget?"},
		inventory.Revoked:  {"Forget?"},
	} {
		c := Cluster{Listening: true, Members: []inventory.Member{{Name: "alpha", Standing: standing}}}
		f.Actor.Role = account.Admin
		admin := Nodes(f, c)
		if diff := cmp.Diff(want, buttons(admin.Cards[1])); diff != "" {
			t.Errorf("%s, for an admin (-want +got):\n%s", standing, diff)
		}
		if len(buttons(admin.Cards[0])) > 0 || admin.Add == nil {
			t.Errorf("%s: the console's own card offers %v, adding %v", standing, buttons(admin.Cards[0]), admin.Add)
		}
		f.Actor.Role = account.Presenter
		presenter := Nodes(f, c)
		if got := buttons(presenter.Cards[1]); len(got) > 0 || presenter.Add != nil {
			t.Errorf("%s: a presenter is offered %v, adding %v", standing, got, presenter.Add)
		}
	}
}

func TestQuestionsAreAskedOfWhatCannotBeUndone(t *testing.T) {
	f := frames(t)["zh"]
	c := Cluster{Members: []inventory.Member{{Name: "a b/c"}}, Running: []trace.Run{{ID: "0042", NodeNames: []string{"a b/c"}}}}
	if _, asked := NodeQuestion(f, c, "omega", inventory.Revoke); asked {
		t.Error("a node that is not there is asked about")
	}
	for _, change := range inventory.Changes() {
		q, asked := NodeQuestion(f, c, "a b/c", change)
		if want := change == inventory.Revoke || change == inventory.Forget; asked != want {
			t.Errorf("%s: asked %v", change, asked)
		}
		if asked && (q.Act.URL != "/zh/nodes/a%20b%2Fc/"+string(change) || !strings.Contains(strings.Join(q.Lines, ""), "0042")) {
			t.Errorf("%s: %+v", change, q)
		}
	}
}

// connected makes a cluster of so many nodes.
func connected(n int) Cluster {
	c := Cluster{Listening: true}
	for i := range n {
		c.Members = append(c.Members, inventory.Member{Name: fmt.Sprintf("node-%02d", i), Standing: inventory.Ready})
	}
	return c
}

func TestLinksBetweenNodes(t *testing.T) {
	f := frames(t)["en"]
	f.Actor.Role = account.Admin
	if got := Nodes(f, connected(1)).Links; got != nil {
		t.Error("one node has ways to others")
	}
	c := connected(3)
	at := time.Date(2026, 5, 1, 12, 0, 0, 0, time.Local)
	c.Links = []inventory.Link{
		{From: "node-00", To: "node-01", Latency: 28.4e-6, Rate: 12.15e9, Time: at},
		{From: "node-01", To: "node-00", Latency: 412e-6, Rate: 1.18e8, Time: at, Slow: true},
		{From: "node-02", To: "node-00", Fault: "no route to host", Time: at},
		{From: "node-00", To: "gone", Latency: 1e-6, Rate: 1e9, Time: at},
	}
	links := Nodes(f, c).Links
	if diff := cmp.Diff([]string{"node-00", "node-01", "node-02"}, links.Names); diff != "" {
		t.Errorf("names (-want +got):\n%s", diff)
	}
	want := []views.NodeLinkCell{{Self: true}, {Latency: "28.4 us", Bits: "97.2 Gb/s", Bytes: "12.2 GB/s"}, {Latency: "not measured"}}
	if diff := cmp.Diff(want, links.Rows[0].Cells); diff != "" {
		t.Errorf("ways from node-00 (-want +got):\n%s", diff)
	}
	if first, second := links.Pairs[0], links.Pairs[1]; first.From != "node-02" || first.Cell.Detail != "no route to host" || second.Cell.Slow != "slow" {
		t.Errorf("the list begins with %+v and %+v", first, second)
	}
	if links.Note == "" || links.Probe == nil || !strings.Contains(links.Text, "2026-05-01 12:00:00") {
		t.Errorf("note %q, probe %v, text %q", links.Note, links.Probe, links.Text)
	}
	if many := Nodes(f, connected(maxLinkColumns+1)).Links; len(many.Rows) > 0 || len(many.Pairs) != (maxLinkColumns+1)*maxLinkColumns {
		t.Errorf("of too many nodes there are %d rows and %d pairs", len(many.Rows), len(many.Pairs))
	}
}

func TestMachinesInWords(t *testing.T) {
	f := frames(t)["en"]
	eight := nvlink(galleryMachine("eight", 2, 8, 8), 8, 18)
	uneven := nvlink(galleryMachine("uneven", 1, 4, 0), 4, 2)
	uneven.GPULinks[0].NVLinks = 1
	silent := galleryMachine("silent", 1, 1, 0)
	silent.GPUsWhy, silent.GPUsFault = inventory.NVMLRefused, "nvmlInit: GPU is lost"
	for name, c := range map[string]struct {
		node inventory.Node
		want []string
	}{
		"eight GPUs on a switch": {eight, []string{"8 × NVIDIA H100 80GB HBM3, 80 GiB.", "Any two of GPUs 0 to 7 share 18 NVLinks, 478 GB/s each way in all."}},
		"pairs": {nvlink(galleryMachine("pairs", 1, 4, 0), 2, 4), []string{"4 × NVIDIA H100 80GB HBM3, 80 GiB.",
			"Any two of GPUs 0 to 1 share 4 NVLinks, 106 GB/s each way in all.", "Any two of GPUs 2 to 3 share 4 NVLinks, 106 GB/s each way in all."}},
		"unequal": {uneven, []string{"4 × NVIDIA H100 80GB HBM3, 80 GiB.",
			"GPUs 0 to 3 are joined by NVLink, unequally: 1 at the least where there is any."}},
		"a driver that fails": {silent, []string{"1 × NVIDIA H100 80GB HBM3, 80 GiB.", "The driver's NVML failed; the kernel alone has told what stands here: nvmlInit: GPU is lost"}},
		"no GPUs":             {inventory.Node{GPUsWhy: inventory.OtherSystem}, []string{"GPUs are not looked for on this system."}},
	} {
		if diff := cmp.Diff(c.want, gpuNotes(f.Locale, c.node)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	if got := pathNote(f.Locale, eight); got != "Over PCIe, between GPUs: 28 pairs across NUMA nodes (SYS)." {
		t.Error(got)
	}
}

// What the system places nowhere is drawn all the same.
func TestPicturesLeaveNothingOut(t *testing.T) {
	l := frames(t)["en"].Locale
	n := inventory.Node{CPUs: 8, Memory: 16 * unit.GiB, GPUs: make([]inventory.GPU, 2), NICs: make([]inventory.NIC, maxDrawnPorts+3)}
	picture := topology(l, "laptop", n)
	if len(picture.Domains) != 1 || len(picture.Domains[0].GPUs) != 2 || len(picture.Domains[0].Ports) != maxDrawnPorts || picture.Domains[0].More != "3 ports more" {
		t.Errorf("drawn are %+v", picture.Domains)
	}
	elsewhere := 7
	n.Domains = []inventory.Domain{{Number: 0, CPUs: 8}}
	n.GPUs[1].NUMA = &elsewhere
	if picture := topology(l, "odd", n); len(picture.Domains[0].GPUs) != 2 {
		t.Errorf("a GPU next to a NUMA node that is not there is left out: %+v", picture.Domains)
	}
	if picture := topology(l, "nothing", inventory.Node{}); len(picture.Domains) > 0 {
		t.Errorf("of nothing there is a picture: %+v", picture.Domains)
	}
}

func TestAddressesAreForAdmins(t *testing.T) {
	f := frames(t)["en"]
	n := inventory.Node{NICs: []inventory.NIC{{Name: "eth0", Up: true, Addresses: []string{"192.0.2.7/24"}}}}
	shown := func(role account.Role) bool {
		f.Actor.Role = role
		return strings.Contains(fmt.Sprint(Nodes(f, Cluster{Machine: n}).Cards[0].Ports.Rows), "192.0.2.7")
	}
	if shown(account.Viewer) || !shown(account.Admin) {
		t.Errorf("a viewer sees addresses: %v; an admin: %v", shown(account.Viewer), shown(account.Admin))
	}
}
