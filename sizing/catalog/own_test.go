package catalog

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lockstep/sizing/hardware"
)

const (
	npu = `{"id": "npu-x1", "name": "NPU X1", "vendor": "Acme", "memory_gb": 96, "memory_bandwidth_gbytes_per_s": 3200, "bf16_dense_tflops": 640,
		"scaleup_link": "mesh of 7 links", "scaleup_bandwidth_gbytes_per_s_per_direction": 210, "source": "data sheet 2026-11", "basis": "stated"}`
	node = `{"id": "lab-8x1", "name": "Lab node", "accelerator": "npu-x1", "accelerators_per_node": 8, "scaleup_domain_size": 8,
		"nics_per_node": 8, "nic_gbits_per_s_each": 200, "nic_type": "RoCE", "source": "offer", "basis": "assumed", "unverified_fields": ["nics_per_node"]}`
	tiny = `{"id": "tiny", "name": "Tiny", "kind": "decoder", "layers": 2, "hidden_size": 8, "ffn_hidden_size": 16, "attention_heads": 2,
		"vocab_size": 10, "gated_ffn": true, "tie_embeddings": true, "source": "ours", "basis": "stated"}`
	link = `{"id": "lab-roce", "generation": "RoCE 200", "family": "roce", "line_rate_gbits_per_s": 200, "typical_effective_fraction": 0.9,
		"effective_fraction_kind": "measured_p2p", "one_way_latency_us": 2.5, "source": "ib_write_bw in the lab", "basis": "measured"}`
)

// with changes keys of an entry; "" takes one away.
func with(t *testing.T, document string, change ...string) []byte {
	t.Helper()
	var entry map[string]json.RawMessage
	if err := json.Unmarshal([]byte(document), &entry); err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(change); i += 2 {
		entry[change[i]] = json.RawMessage(change[i+1])
		if change[i+1] == "" {
			delete(entry, change[i])
		}
	}
	text, err := json.Marshal(entry)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// kept reads entries, each with the help of those before it.
func kept(t *testing.T, documents ...string) []Entry {
	t.Helper()
	kinds := map[string]Kind{npu: Accelerators, node: Systems, tiny: Models, link: Fabrics}
	var own []Entry
	for _, d := range documents {
		e, err := carried(t).With(own).Read(kinds[d], []byte(d))
		if err != nil {
			t.Fatal(err)
		}
		if err := Add(own, e, false); err != nil {
			t.Fatal(err)
		}
		own = append(own, e)
	}
	return own
}

func TestOwnEntriesJoinTheOthers(t *testing.T) {
	own := kept(t, npu, node, tiny, link)
	slices.Reverse(own) // in no order that matters
	before := len(carried(t).Systems)
	c := carried(t).With(own)
	if len(c.Unusable) > 0 || len(carried(t).Systems) != before || len(c.Systems) != before+1 {
		t.Fatalf("%d systems, unusable %v", len(c.Systems), c.Unusable)
	}
	s, err := c.System("lab-8x1")
	if err != nil || !s.Own || s.Verified || s.Rests() != Assumed || s.NodeRate != 1600 || s.Share != 25 || s.ID != c.Systems[before].ID {
		t.Errorf("%+v, %v", s, err)
	}
	a, err := c.Accelerator("npu-x1")
	if err != nil || !a.Own || !a.Verified || a.Rests() != Stated || a.Unverified == nil {
		t.Errorf("%+v, %v", a, err)
	}
	f := c.Fabrics[len(c.Fabrics)-1]
	if f.ByteRate != 25 || f.Rests() != Measured {
		t.Errorf("%+v", f)
	}
	m := c.Models[len(c.Models)-1]
	want := float64(2*(4*8*8+3*8*16+2*8) + 8 + 10*8)
	if m.Params != want || m.HeadDim != 4 || m.KVHeads != 2 || m.Attends != "mha" || m.Parameters() != want {
		t.Errorf("%+v; want %g parameters", m, want)
	}
	words, err := c.Words(s, 2)
	if err != nil {
		t.Fatal(err)
	}
	if is := hardware.Read(words); is.Rate != 210 || is.NIC != 25 || is.Ranks != 16 || is.Network != hardware.RoCE {
		t.Errorf("such nodes are read as %+v", is)
	}
}

// What a listing prints of an own entry can be read again.
func TestReadTakesWhatIsPrinted(t *testing.T) {
	for _, own := range kept(t, npu, node, tiny, link) {
		again, err := carried(t).With(kept(t, npu)).Read(own.Kind, own.Document)
		if err != nil {
			t.Errorf("%s: %v", own.ID, err)
		}
		if diff := cmp.Diff(string(own.Document), string(again.Document)); diff != "" {
			t.Errorf("%s (-first +again):\n%s", own.ID, diff)
		}
	}
}

func TestReadSaysWhatIsWrong(t *testing.T) {
	c := carried(t).With(kept(t, npu, node))
	for _, test := range []struct {
		kind     Kind
		document string
		change   []string
		field    string
		why      Why
		says     string
	}{
		{Accelerators, npu, []string{"memory_gb", `"lots"`}, "memory_gb", WrongType, "lots; accepted is a number in GB from 1 to 10000"},
		{Accelerators, npu, []string{"memory_gb", `96000000000`}, "memory_gb", Outside, "96000000000; accepted is a number in GB from 1 to 10000"},
		{Accelerators, npu, []string{"memory_gb", `-1`}, "memory_gb", Outside, "-1"},
		{Accelerators, npu, []string{"memory_gb", ``}, "memory_gb", Missing, "not given"},
		{Accelerators, npu, []string{"memory_gb", `null`}, "memory_gb", Missing, "not given"},
		{Accelerators, npu, []string{"name", `"  "`}, "name", Missing, "not given"},
		{Accelerators, npu, []string{"name", `"` + strings.Repeat("长", 81) + `"`}, "name", Outside, "1 to 80 characters"},
		{Accelerators, npu, []string{"name", `"a\u0007b"`}, "name", Outside, "characters"},
		{Accelerators, npu, []string{"name", `7`}, "name", WrongType, "7"},
		{Accelerators, npu, []string{"year", `2026.5`}, "year", WrongType, "a whole number from 2000 to 2100"},
		{Accelerators, npu, []string{"speed", `1`}, "speed", Unknown, "accepted are id, name"},
		{Accelerators, npu, []string{"id", `"h100-sxm5"`}, "id", BuiltIn, "program carries"},
		{Accelerators, npu, []string{"id", `"NPU X1"`}, "id", BadID, "a-z"},
		{Accelerators, npu, []string{"id", ``}, "id", Missing, "not given"},
		{Accelerators, npu, []string{"source", ``}, "source", Missing, "not given"},
		{Accelerators, npu, []string{"basis", `"rumour"`}, "basis", NoWord, "one of measured, stated, assumed"},
		{Accelerators, npu, []string{"unverified_fields", `["memory"]`}, "unverified_fields", NoWord, "this entry's fields"},
		{Accelerators, npu, []string{"unverified_fields", `"all"`}, "unverified_fields", WrongType, "a list"},
		{Accelerators, npu, []string{"scaleup_peer_bandwidth_gbytes_per_s_per_direction", `211`}, "scaleup_peer_bandwidth_gbytes_per_s_per_direction", TooMuch, "at most 210"},
		{Accelerators, npu, []string{"measured_max_bf16_matmul_tflops", `641`}, "measured_max_bf16_matmul_tflops", TooMuch, "bf16_dense_tflops"},
		{Systems, node, []string{"accelerator", `"npu-x2"`}, "accelerator", NoEntry, `"npu-x2" is none of the accelerators`},
		{Systems, node, []string{"accelerators_per_node", `0`}, "accelerators_per_node", Outside, "1 to 1024"},
		{Systems, node, []string{"scaleup_bandwidth_gbytes_per_s_per_direction", `420`}, "scaleup_bandwidth_gbytes_per_s_per_direction", TooMuch, "210 GB/s of npu-x1"},
		{Systems, node, []string{"id", `"p5.48xlarge"`}, "id", BuiltIn, "program carries"},
		{Systems, node, []string{"cloud_instances", `["p5.48xlarge"]`}, "cloud_instances", BuiltIn, "program carries"},
		{Systems, node, []string{"id", `"lab-2"`, "cloud_instances", `["lab-8x1"]`}, "cloud_instances", Taken, "another entry"},
		{Fabrics, link, []string{"typical_effective_fraction", `90`}, "typical_effective_fraction", Outside, "from 0.01 to 1"},
		{Fabrics, link, []string{"effective_fraction_kind", ``}, "effective_fraction_kind", Needs, "typical_effective_fraction asks for it"},
		{Fabrics, link, []string{"supports_sharp", `"yes"`}, "supports_sharp", WrongType, "true or false"},
		{Models, tiny, []string{"vocab_size", ``}, "total_params", Countless, "counted from"},
		{Models, tiny, []string{"kind", `"cnn"`}, "total_params", Countless, "counted from"},
		{Models, tiny, []string{"kv_heads", `4`}, "kv_heads", TooMuch, "at most 2"},
		{Models, tiny, []string{"attention_heads", `6`, "head_dim", `8`, "kv_heads", `4`}, "kv_heads", Conflict, "a divisor of 6"},
		{Models, tiny, []string{"attention_heads", `3`}, "head_dim", Needs, "attention_heads"},
		{Models, tiny, []string{"experts", `8`}, "experts_per_token", Needs, "experts"},
		{Models, tiny, []string{"experts", `8`, "experts_per_token", `9`}, "experts_per_token", TooMuch, "at most 8"},
		{Models, tiny, []string{"attention_type", `"mla"`, "kv_lora_rank", `4`, "qk_nope_head_dim", `4`, "qk_rope_head_dim", `2`}, "v_head_dim", Needs, "attention_type"},
	} {
		_, err := c.Read(test.kind, with(t, test.document, test.change...))
		var all FieldErrors
		if !errors.As(err, &all) || len(all) != 1 {
			t.Errorf("%s: %v", test.change, err)
			continue
		}
		if e := all[0]; e.Field.Key != test.field || e.Why != test.why || !strings.Contains(e.Message(), test.says) {
			t.Errorf("%s: %s because of %s: %s; want %s because of %s and %q", test.change, e.Field.Key, e.Why, e, test.field, test.why, test.says)
		}
	}
	for _, document := range []string{"", "[]", "null", "7", `{"id": `, `{"id": "a"} {}`, "{" + strings.Repeat(" ", MaxEntry) + "}"} {
		if _, err := c.Read(Models, []byte(document)); err == nil || !strings.Contains(err.Error(), "accepted is one JSON object") && !strings.Contains(err.Error(), "accepted is one") {
			t.Errorf("%.20q: %v", document, err)
		}
	}
}

// Everything that is wrong is said at once.
func TestReadSaysAllThatIsWrong(t *testing.T) {
	_, err := carried(t).Read(Accelerators, with(t, npu, "memory_gb", `0`, "name", ``, "tdp_w", `"hot"`))
	var all FieldErrors
	if !errors.As(err, &all) || len(all) != 3 || !strings.HasPrefix(err.Error(), "accelerators npu-x1: name: not given") {
		t.Errorf("%v", err)
	}
}

func TestAddAndRemoveKeepReferences(t *testing.T) {
	own := kept(t, npu, node)
	if err := Add(own, own[0], false); !errors.Is(err, ErrTaken) {
		t.Errorf("add twice: %v", err)
	}
	if err := Add(own, own[0], true); err != nil {
		t.Errorf("replace: %v", err)
	}
	if err := Add(nil, own[1], false); err == nil || !strings.Contains(err.Error(), "npu-x1") {
		t.Errorf("a system without its accelerator: %v", err)
	}
	inUse := new(InUseError)
	if err := Remove(own, Accelerators, "npu-x1"); !errors.As(err, &inUse) || !slices.Equal(inUse.By, []string{"lab-8x1"}) {
		t.Errorf("remove what is in use: %v", err)
	}
	if err := Remove(own, Systems, "lab-8x1"); err != nil {
		t.Errorf("remove: %v", err)
	}
	if err := Remove(own[:1], Accelerators, "npu-x1"); err != nil {
		t.Errorf("remove: %v", err)
	}
	if err := Remove(own, Systems, "dgx-h100"); !errors.Is(err, ErrNone) {
		t.Errorf("remove what the program carries: %v", err)
	}
	full := make([]Entry, MaxOwn)
	for i := range full {
		full[i] = Entry{Kind: Fabrics, ID: fmt.Sprint("f", i)}
	}
	if err := Add(full, own[0], false); !errors.Is(err, ErrFull) {
		t.Errorf("add to a full catalogue: %v", err)
	}
}

// An own entry whose ID a newer program carries must not take the others along.
func TestUnusableEntriesAreLeftOut(t *testing.T) {
	own := kept(t, npu, node)
	shadow := own[0]
	shadow.ID, shadow.Document = "h100-sxm5", with(t, npu, "id", `"h100-sxm5"`)
	c := carried(t).With([]Entry{shadow, own[1], {Kind: Models, ID: "broken", Document: []byte("{")}})
	var left []string
	for _, u := range c.Unusable {
		left = append(left, u.ID)
	}
	if diff := cmp.Diff([]string{"h100-sxm5", "lab-8x1", "broken"}, left); diff != "" { // the node lacks its accelerator
		t.Errorf("left out (-want +got):\n%s", diff)
	}
	if a, err := c.Accelerator("h100-sxm5"); err != nil || a.Own {
		t.Errorf("%+v, %v", a, err)
	}
}

func FuzzRead(f *testing.F) {
	for _, seed := range []string{npu, node, tiny, link, `{"id":1,"unverified_fields":[[],{}]}`, `{"experts":1e300}`} {
		f.Add(seed)
	}
	c, err := Embedded()
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, document string) {
		for _, kind := range Kinds() {
			e, err := c.Read(kind, []byte(document))
			if err != nil {
				continue
			}
			again, err := c.Read(kind, e.Document)
			if err != nil || string(again.Document) != string(e.Document) {
				t.Errorf("%s: %s is read as %s, %v", kind, e.Document, again.Document, err)
			}
		}
		if text, _, err := FromConfig([]byte(document)); err == nil && !json.Valid(text) {
			t.Errorf("no JSON: %s", text)
		}
	})
}
