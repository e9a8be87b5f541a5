package schedule

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"strconv"
)

// Hash returns the hex SHA-256 of what the schedule does: one line
// `collective ranks root chunks`, then one line per step, `id round src dst op
// src_buf src_chunk dst_buf dst_chunk count deps`, fields separated by one
// blank, lists by commas, absent or empty as "-", every line ended by \n.
// Names and phases are left out: equal hashes move equal data.
func (s *Schedule) Hash() string {
	sum := sha256.New()
	w := bufio.NewWriterSize(sum, 1<<16)
	s.writeCanonical(w)
	_ = w.Flush() // a hash does not fail
	return hex.EncodeToString(sum.Sum(nil))
}

func (s *Schedule) writeCanonical(w io.Writer) {
	root := "-"
	if s.Root != NoRoot {
		root = strconv.Itoa(s.Root)
	}
	line := make([]byte, 0, 256)
	line = append(line, s.Collective...)
	line = append(line, ' ')
	line = strconv.AppendInt(line, int64(s.Ranks), 10)
	line = append(line, ' ')
	line = append(line, root...)
	line = append(line, ' ')
	line = strconv.AppendInt(line, int64(s.Chunks), 10)
	line = append(line, '\n')
	_, _ = w.Write(line)
	for i := range s.Steps {
		step := &s.Steps[i]
		line = strconv.AppendInt(line[:0], int64(step.ID), 10)
		line = appendInt(line, step.Round)
		line = appendList(append(line, ' '), step.Sources())
		line = appendList(append(line, ' '), step.Destinations())
		line = append(append(line, ' '), step.Op.String()...)
		line = append(append(line, ' '), step.SrcBuf.String()...)
		line = appendInt(line, step.SrcChunk)
		line = append(append(line, ' '), step.DstBuf.String()...)
		line = appendInt(line, step.DstChunk)
		line = appendInt(line, step.Count)
		line = appendList(append(line, ' '), step.Deps)
		_, _ = w.Write(append(line, '\n'))
	}
}

func appendInt(line []byte, v int) []byte { return strconv.AppendInt(append(line, ' '), int64(v), 10) }

func appendList(line []byte, list []int) []byte {
	if len(list) == 0 {
		return append(line, '-')
	}
	for i, v := range list {
		if i > 0 {
			line = append(line, ',')
		}
		line = strconv.AppendInt(line, int64(v), 10)
	}
	return line
}
