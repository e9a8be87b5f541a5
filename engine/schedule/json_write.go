package schedule

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"strconv"
)

// MarshalJSON returns the document, with rounds, hash and traffic computed.
func (s *Schedule) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	if err := s.WriteJSON(&b); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// WriteJSON writes the document on one line, step by step: a ring of 1,024
// ranks is 600 MB of text that should never lie in memory.
func (s *Schedule) WriteJSON(w io.Writer) error {
	out := bufio.NewWriterSize(w, 1<<16)
	d := jsonLine{out: out, buf: make([]byte, 0, 512)}
	d.head(s)
	for i := range s.Steps {
		if i > 0 {
			d.raw(",")
		}
		d.step(&s.Steps[i])
		d.flush()
	}
	traffic, err := json.Marshal(s.Traffic())
	if err != nil {
		return err
	}
	d.raw(`],"traffic":`)
	d.raw(string(traffic))
	d.raw("}")
	d.flush()
	return out.Flush()
}

// jsonLine appends to a buffer that is reused from step to step. Errors of the
// writer surface at the final Flush of out.
type jsonLine struct {
	out *bufio.Writer
	buf []byte
}

func (d *jsonLine) raw(text string) { d.buf = append(d.buf, text...) }

func (d *jsonLine) flush() {
	_, _ = d.out.Write(d.buf)
	d.buf = d.buf[:0]
}

// text writes "key":"value". Only names that were read from outside can need
// escaping, so the slow way is no loss.
func (d *jsonLine) text(key, value string) {
	quoted, _ := json.Marshal(value) // a string always has a JSON form
	d.key(key)
	d.buf = append(d.buf, quoted...)
}

func (d *jsonLine) key(key string) {
	if last := d.buf[len(d.buf)-1]; last != '{' {
		d.raw(",")
	}
	d.raw(`"`)
	d.raw(key)
	d.raw(`":`)
}

func (d *jsonLine) number(key string, value int) {
	d.key(key)
	d.buf = strconv.AppendInt(d.buf, int64(value), 10)
}

// word writes a value that is known to need no escaping.
func (d *jsonLine) word(key, value string) {
	d.key(key)
	d.raw(`"`)
	d.raw(value)
	d.raw(`"`)
}

func (d *jsonLine) list(key string, values []int) {
	d.key(key)
	d.raw("[")
	for i, v := range values {
		if i > 0 {
			d.raw(",")
		}
		d.buf = strconv.AppendInt(d.buf, int64(v), 10)
	}
	d.raw("]")
}

func (d *jsonLine) head(s *Schedule) {
	d.raw("{")
	d.number("version", 1)
	d.text("collective", string(s.Collective))
	d.text("algorithm", s.Algorithm)
	d.number("ranks", s.Ranks)
	if s.Root != NoRoot {
		d.number("root", s.Root)
	}
	if s.RanksPerNode > 0 {
		d.number("ranks_per_node", s.RanksPerNode)
	}
	d.number("chunks", s.Chunks)
	d.number("tmp_chunks", s.TmpChunks)
	d.number("rounds", s.Rounds())
	d.word("hash", s.Hash())
	d.word("layout", s.Layout.String())
	d.raw(`,"phases":[`)
	for i, p := range s.Phases {
		if i > 0 {
			d.raw(",")
		}
		d.raw("{")
		d.text("key", p.Key)
		d.number("first_round", p.First)
		d.number("last_round", p.Last)
		d.word("invariant", p.Invariant.String())
		d.raw("}")
	}
	d.raw(`],"steps":[`)
	d.flush()
}

func (d *jsonLine) step(st *Step) {
	d.raw("{")
	d.number("id", st.ID)
	d.number("round", st.Round)
	if st.Op == NetReduce {
		d.list("srcs", st.Group)
	} else {
		d.number("src", st.Src)
	}
	if st.Op == Multicast {
		d.list("dsts", st.Group)
	} else {
		d.number("dst", st.Dst)
	}
	d.word("op", st.Op.String())
	d.word("src_buf", st.SrcBuf.String())
	d.number("src_chunk", st.SrcChunk)
	d.word("dst_buf", st.DstBuf.String())
	d.number("dst_chunk", st.DstChunk)
	d.number("count", st.Count)
	d.list("deps", st.Deps)
	d.raw("}")
}
