package wire

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"io"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lockstep/cluster/inventory"
)

func TestFramesCarryMessages(t *testing.T) {
	var b bytes.Buffer
	hello := Hello{Name: "gpu-a", Limits: inventory.Limits{Ranks: 8}, Node: inventory.Node{Host: "a"}}
	greeting := Greeting{Protocol: Protocol, Build: "test", Join: &Join{Secret: "s", Name: "gpu-a", Request: []byte{1, 2}}}
	if err := errors.Join(WriteGreeting(&b, greeting), WriteHello(&b, hello)); err != nil {
		t.Fatal(err)
	}
	gotGreeting, err := ReadGreeting(&b)
	if diff := cmp.Diff(greeting, gotGreeting); err != nil || diff != "" {
		t.Errorf("greeting: %v (-want +got):\n%s", err, diff)
	}
	gotHello, err := ReadHello(&b)
	if diff := cmp.Diff(hello, gotHello); err != nil || diff != "" {
		t.Errorf("hello: %v (-want +got):\n%s", err, diff)
	}
	if _, err := ReadHello(&b); err != io.EOF {
		t.Errorf("the end is read as %v", err)
	}
}

func TestFramesAreBounded(t *testing.T) {
	for name, frame := range map[string]struct {
		bytes []byte
		want  error
	}{
		"too long":     {[]byte{0, 0, 0x20, 1}, ErrFrame},
		"endless":      {[]byte{0xff, 0xff, 0xff, 0xff}, ErrFrame},
		"cut short":    {[]byte{0, 0, 0, 10, '{'}, io.ErrUnexpectedEOF},
		"cut at once":  {[]byte{0, 0, 0, 10}, io.ErrUnexpectedEOF},
		"half a size":  {[]byte{0, 0}, io.ErrUnexpectedEOF},
		"empty":        {[]byte{0, 0, 0, 0}, ErrFrame},
		"not JSON":     {[]byte{0, 0, 0, 1, 'x'}, ErrFrame},
		"another type": {[]byte{0, 0, 0, 2, '[', ']'}, ErrFrame},
	} {
		if _, err := ReadGreeting(bytes.NewReader(frame.bytes)); !errors.Is(err, frame.want) {
			t.Errorf("%s: %v, want %v", name, err, frame.want)
		}
	}
	if err := WriteGreeting(io.Discard, Greeting{Build: strings.Repeat("x", greetingLimit)}); err == nil {
		t.Error("a frame that nobody would read is written")
	}
}

func TestLongFramesAllocateNothing(t *testing.T) {
	frame := []byte{0x7f, 0xff, 0xff, 0xff}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range 100 {
		_, _ = ReadGreeting(bytes.NewReader(frame))
	}
	runtime.ReadMemStats(&after)
	if got := after.TotalAlloc - before.TotalAlloc; got > 1<<20 {
		t.Errorf("a hundred frames of 2 GiB have allocated %d bytes", got)
	}
}

func TestRefusalsAreErrors(t *testing.T) {
	var b bytes.Buffer
	if err := WriteAnswer(&b, Answer{Refusal: Greeting{Protocol: 2}.CheckProtocol()}); err != nil {
		t.Fatal(err)
	}
	_, err := ReadAnswer(&b)
	var refusal *Refusal
	if !errors.As(err, &refusal) || refusal.Code != BadProtocol || !refusal.Final() ||
		err.Error() != "the console speaks protocol 1, this agent 2: install the same version on both" {
		t.Errorf("refusal = %v", err)
	}
	if Refuse(TooMany, "later").Final() {
		t.Error("whoever should come later is told to stay away")
	}
}

// FuzzRead reads frames of strangers: whatever they hold, there is a message
// within its bounds or an error.
func FuzzRead(f *testing.F) {
	for _, v := range []any{
		Greeting{Protocol: Protocol, Build: "b"}, Greeting{Protocol: 1, Join: &Join{"s", "n", []byte{1}}},
		Hello{Name: "n", Limits: inventory.Limits{Ranks: 1}}, AgentBeat{Renew: []byte{1}}, ConsoleBeat{Leave: Refuse(BadName, "x")},
		ProbeOrder{Pings: 1, Transfer: 1}, ProbeReport{Fault: "x"},
	} {
		body, err := json.Marshal(v)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(append(binary.BigEndian.AppendUint32(nil, uint32(len(body))), body...))
	}
	f.Add([]byte{})
	f.Add([]byte{0xff, 0xff, 0xff, 0xff, '{'})
	f.Fuzz(func(t *testing.T, b []byte) {
		if g, err := ReadGreeting(bytes.NewReader(b)); err == nil {
			if err := WriteGreeting(io.Discard, g); err != nil && len(b) < greetingLimit/8 {
				t.Errorf("a greeting that was read cannot be written: %v", err)
			}
		}
		_, _ = ReadHello(bytes.NewReader(b))
		_, _ = ReadAnswer(bytes.NewReader(b))
		var agent AgentBeat
		_ = ReadBeat(bytes.NewReader(b), &agent)
		var console ConsoleBeat
		_ = ReadBeat(bytes.NewReader(b), &console)
		if o, err := ReadProbeOrder(bytes.NewReader(b)); err == nil && (o.Pings <= 0 || o.Transfer > MaxTransfer) {
			t.Errorf("order beyond its bounds: %+v", o)
		}
		_, _ = ReadProbeReport(bytes.NewReader(b))
	})
}

func FuzzParseToken(f *testing.F) {
	f.Add("lockstep-join-abc." + Pin{1}.String())
	f.Add("a.b")
	f.Add(".")
	f.Add("")
	f.Fuzz(func(t *testing.T, text string) {
		token, err := ParseToken(text)
		if err != nil {
			return
		}
		again, err := ParseToken(token.String())
		if err != nil || again != token {
			t.Errorf("%q is read as %+v, and that as %+v, %v", text, token, again, err)
		}
	})
}
