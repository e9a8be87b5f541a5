package span

import (
	"bytes"
	"encoding/json"
	"testing"

	"lockstep/cluster/inventory"
	"lockstep/engine/schedule"
	"lockstep/engine/unit"
)

// FuzzFrames reads whatever may come on a control stream.
func FuzzFrames(f *testing.F) {
	for k, v := range map[kind]any{
		kindShare: good(f), kindAccept: accept{true}, kindRefuse: refuse{because{Why: "why", Code: inventory.OverRanks, Values: map[string]string{"most": "1"}}}, kindBeat: beat{}, kindGone: gone{1, "exit status 1"},
		kindSignal: order{1, "kill"}, kindLeave: leave{because{Why: "why"}}, kindEnd: nil,
	} {
		frame, err := newFrame(k, v)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(frame)
	}
	f.Add([]byte{byte(kindShare), 0xff, 0xff, 0xff, 0xff})
	f.Add([]byte{byte(kindShare), 0x03, 0xff, 0xff, 0xff, '{'})
	f.Fuzz(func(t *testing.T, text []byte) {
		r := bytes.NewReader(text)
		for {
			k, body, err := readFrame(r)
			if err != nil {
				return
			}
			if len(body) > len(text) || len(body) > k.limit() {
				t.Fatalf("%d bytes of %d", len(body), len(text))
			}
			_, _ = parse[accept](k, body)
			_, _ = parse[refuse](k, body)
			_, _ = parse[beat](k, body)
			_, _ = parse[gone](k, body)
			_, _ = parse[order](k, body)
			_, _ = parse[leave](k, body)
		}
	})
}

// FuzzShare holds whatever a console may ask for against what an agent takes: a
// share that is taken is within the limits, and its schedule is proved.
func FuzzShare(f *testing.F) {
	s := good(f)
	plain, err := json.Marshal(s)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(plain)
	s.Schedule = document(f, s)
	imported, err := json.Marshal(s)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(imported)
	limits := inventory.Limits{Ranks: 8, Bytes: 64 * unit.MiB}
	agent := newAgent(f, limits)
	f.Fuzz(func(t *testing.T, text []byte) {
		ask, err := parse[share](kindShare, text)
		if err != nil || ask.Spec.Chunks > 16 || ask.Spec.Ranks > 16 {
			return // what is larger only takes longer
		}
		plan, err := agent.check(ask)
		if err != nil {
			return
		}
		first, end := plan.Spec.RanksOn(ask.Node)
		if end-first > limits.Ranks || first < 0 || end > plan.Spec.Ranks {
			t.Fatalf("ranks %d to %d", first, end)
		}
		if err := schedule.Check(plan.Schedule); err != nil {
			t.Fatal(err)
		}
	})
}
