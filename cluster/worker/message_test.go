package worker

import (
	"bytes"
	"encoding/binary"
	"io"
	"reflect"
	"testing"
	"time"

	"lockstep/engine/rank"
)

func TestMessagesReadAsWritten(t *testing.T) {
	beat := Beat{Moved: 77}
	for k := range beat.Works {
		beat.Works[k] = rank.Work{Busy: time.Duration(k), Bytes: 1 << 40, Slices: int64(3 * k)}
	}
	for _, c := range []struct {
		kind kind
		body []byte
		want Message
	}{
		{kindMarks, appendMarks(nil, 3, []rank.Mark{{Move: 1, Slice: 2, At: time.Second}, {Move: 1 << 20, Slice: 4095, At: time.Hour}}),
			Marks{3, []rank.Mark{{Move: 1, Slice: 2, At: time.Second}, {Move: 1 << 20, Slice: 4095, At: time.Hour}}}},
		{kindTimes, appendTimes(nil, 7, []time.Duration{1, 2}), Times{7, []time.Duration{1, 2}}},
		{kindDigests, appendDigests(nil, 9, true, []rank.Digest{{1}, {2}}), Digests{9, true, []rank.Digest{{1}, {2}}}},
		{kindDigests, appendDigests(nil, 0, false, nil), Digests{}},
		{kindBeat, appendBeat(nil, beat), beat},
		{kindReady, nil, Ready{}},
	} {
		got, err := parse(c.kind, c.body)
		if err != nil || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%d: %+v, %v; want %+v", c.kind, got, err, c.want)
		}
	}
}

func TestLongFramesAreRefusedBeforeTheyAreRead(t *testing.T) {
	header := binary.BigEndian.AppendUint32([]byte{byte(kindMarks)}, maxBody+1)
	if _, _, err := readFrame(io.MultiReader(bytes.NewReader(header), neverRead{t})); err == nil {
		t.Error("accepted")
	}
}

type neverRead struct{ t *testing.T }

func (n neverRead) Read([]byte) (int, error) {
	n.t.Error("reads a body that is too long")
	return 0, io.EOF
}

func FuzzFrames(f *testing.F) {
	f.Add(append(binary.BigEndian.AppendUint32([]byte{byte(kindTimes)}, 12), appendTimes(nil, 0, []time.Duration{5})...))
	f.Add(append(binary.BigEndian.AppendUint32([]byte{byte(kindHello)}, 2), "{}"...))
	f.Add([]byte{byte(kindDigests), 0, 0, 0, 5, 0, 0, 0, 0, 1})
	f.Add([]byte("panic: oh no\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		r := bytes.NewReader(text)
		for {
			k, body, err := readFrame(r)
			if err != nil {
				return
			}
			if len(body) > k.limit() {
				t.Fatalf("kind %d with %d bytes", k, len(body))
			}
			m, err := parse(k, body)
			if (m == nil) != (err != nil) {
				t.Fatalf("%v, %v", m, err)
			}
		}
	})
}
