package present

import (
	"net/url"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lockstep/cluster/inventory"
	"lockstep/engine/trace"
)

func TestRunOnNodesIsRead(t *testing.T) {
	base := func(more url.Values) url.Values {
		values := url.Values{"collective": {"all-reduce"}, "algorithm": {"ring"}, "n": {"16"}, "size": {"64MiB"}, "pace": {"none"}}
		for name, value := range more {
			values[name] = value
		}
		return values
	}
	for name, c := range map[string]struct {
		form       url.Values
		nodes      []string
		encryption trace.Encryption
		perNode    int
		wrong      []string
	}{
		"boxes":                 {url.Values{"where": {"nodes"}, "node": {"alpha", "beta"}}, []string{"alpha", "beta"}, "", 0, nil},
		"as the command has it": {url.Values{"nodes": {"alpha, beta"}, "encryption": {"off"}}, []string{"alpha", "beta"}, trace.Plain, 0, nil},
		"ranks per node":        {url.Values{"where": {"nodes"}, "node": {"alpha", "beta"}, "ranks-per-node": {"8"}}, []string{"alpha", "beta"}, "", 8, nil},
		"boxes left ticked":     {url.Values{"where": {"here"}, "node": {"alpha"}, "n": {"4"}}, nil, "", 0, nil},
		"none ticked":           {url.Values{"where": {"nodes"}}, nil, "", 0, []string{"nodes"}},
		"unknown place":         {url.Values{"where": {"moon"}, "n": {"4"}}, nil, "", 0, []string{"nodes"}},
		"unknown encryption":    {url.Values{"where": {"nodes"}, "node": {"alpha"}, "encryption": {"rot13"}}, []string{"alpha"}, "rot13", 0, []string{"encryption"}},
		"too many here":         {url.Values{}, nil, "", 0, []string{"ranks"}},
	} {
		t.Run(name, func(t *testing.T) {
			spec, wrong := ReadRunRequest(base(c.form)).Spec(4)
			if diff := cmp.Diff(c.nodes, spec.Nodes); diff != "" || spec.Encryption != c.encryption || spec.PerNode != c.perNode {
				t.Errorf("encryption %q, %d ranks per node, nodes (-want +got):\n%s", spec.Encryption, spec.PerNode, diff)
			}
			var fields []string
			for field := range wrong {
				fields = append(fields, field)
			}
			if !cmp.Equal(c.wrong, fields) {
				t.Errorf("wrong are %v, want %v", fields, c.wrong)
			}
			// A preview asks the same again.
			again, _ := ReadRunRequest(ReadRunRequest(base(c.form)).query()).Spec(4)
			if diff := cmp.Diff(spec, again); diff != "" {
				t.Errorf("read again (-want +got):\n%s", diff)
			}
		})
	}
}

func TestFormOffersNodes(t *testing.T) {
	f := frames(t)["en"]
	if form := NewRun(f, RunDraft{LocalRanks: 4}); form.Where != nil {
		t.Error("the form asks where although there is one machine")
	}
	members := []inventory.Member{{Name: "alpha", Standing: inventory.Ready}, {Name: "beta", Standing: inventory.Offline}}
	asked := ReadRunRequest(url.Values{"node": {"alpha", "omega"}})
	form := NewRun(f, RunDraft{Request: asked, LocalRanks: 4, Nodes: members})
	var got []string
	for _, c := range form.Where.Nodes {
		word := c.Label
		if c.Chosen {
			word += " chosen"
		}
		if c.Barred {
			word += " barred"
		}
		got = append(got, word)
	}
	if want := []string{"alpha chosen", "beta barred", "omega chosen"}; !slices.Equal(got, want) {
		t.Errorf("the form offers %q, want %q", got, want)
	}
}

// The same once more is the same nodes, too.
func TestAgainIsOnTheSameNodes(t *testing.T) {
	s, err := stageRun(4, trace.Done)
	if err != nil {
		t.Fatal(err)
	}
	s.watched.Run.NodeNames, s.watched.Run.Encryption = []string{"alpha", "beta"}, trace.Plain
	page := RunPage(frames(t)["zh"], s.watched)
	form := url.Values{}
	for _, field := range page.Again.Action.Fields {
		form.Add(field.Name, field.Value)
	}
	change, err := url.Parse(page.Again.Change)
	if err != nil {
		t.Fatal(err)
	}
	for name, values := range map[string]url.Values{"again": form, "change": change.Query()} {
		spec, _ := ReadRunRequest(values).Spec(4)
		if !slices.Equal(spec.Nodes, []string{"alpha", "beta"}) || spec.Encryption != trace.Plain {
			t.Errorf("%s: nodes %v, encryption %q", name, spec.Nodes, spec.Encryption)
		}
	}
}
