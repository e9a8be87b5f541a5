package worker

import (
	"bytes"
	"encoding/binary"
	"strings"
	"testing"
)

// said is a frame as a console sends it.
func said(k kind, body string) []byte {
	return append(binary.BigEndian.AppendUint32([]byte{byte(k)}, uint32(len(body))), body...)
}

func TestWhatIsPassedOnToAWorker(t *testing.T) {
	peers := said(kindPeers, `{"addresses":["10.0.0.1:4"]}`)
	long := said(kindPeers, strings.Repeat(" ", maxOrder+1))
	for name, c := range map[string]struct {
		said, passed []byte
		bad          bool
	}{
		"nothing":          {nil, nil, false},
		"peers":            {peers, peers, false},
		"brake, then quit": {append(said(kindBrake, `{"factor":2}`), said(kindQuit, "")...), append(said(kindBrake, `{"factor":2}`), said(kindQuit, "")...), false},
		"a cut frame":      {peers[:9], nil, false},
		"a job":            {append(bytes.Clone(peers), said(kindJob, `{}`)...), peers, true},
		"a worker's":       {said(kindHello, `{}`), nil, true},
		"none":             {said(200, ""), nil, true},
		"too long":         {long, nil, true},
	} {
		var passed bytes.Buffer
		err := Pass(&passed, bytes.NewReader(c.said))
		if (err != nil) != c.bad || !bytes.Equal(passed.Bytes(), c.passed) {
			t.Errorf("%s: %v, %q passed on", name, err, passed.Bytes())
		}
	}
}

// FuzzPass: whatever a console says, a worker gets only whole frames that a
// console may send.
func FuzzPass(f *testing.F) {
	f.Add(said(kindPeers, `{"addresses":["10.0.0.1:4"]}`))
	f.Add(append(said(kindFetch, `{"row":1}`), said(kindJob, `{}`)...))
	f.Add([]byte{byte(kindQuit), 0xff, 0xff, 0xff, 0xff})
	f.Fuzz(func(t *testing.T, text []byte) {
		var passed bytes.Buffer
		_ = Pass(&passed, bytes.NewReader(text))
		if !bytes.HasPrefix(text, passed.Bytes()) {
			t.Fatal("something else is passed on than was said")
		}
		for passed.Len() > 0 {
			k, body, err := readFrame(&passed)
			if err != nil || k != kindPeers && k != kindFetch && k != kindQuit && k != kindBrake || len(body) > maxOrder {
				t.Fatalf("message %d of %d bytes, %v", k, len(body), err)
			}
		}
	})
}
