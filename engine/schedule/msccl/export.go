package msccl

import (
	"bufio"
	"fmt"
	"io"
	"strconv"

	"lockstep/engine/schedule"
)

// Exportable returns nil if the format has words for s, else an error that
// says what it lacks: it does not know every collective, and no steps that are
// the network's own work.
func Exportable(s *schedule.Schedule) error {
	if collName(s.Collective) == "" {
		return fmt.Errorf("MSCCL XML has no %s; accepted: %s", s.Collective, acceptedColls)
	}
	if err := s.Runnable(); err != nil {
		return fmt.Errorf("MSCCL XML has no steps of the network: %w", err)
	}
	return nil
}

func collName(c schedule.Collective) string {
	for _, known := range colls {
		if known.collective == c {
			return known.name
		}
	}
	return ""
}

// Export writes s, which must have passed Check, as MSCCL XML: out of place,
// one thread block for each peer and direction and one for what stays local.
// Import gives a schedule with the same hash back. What is not Exportable is
// an error before anything is written.
func Export(w io.Writer, s *schedule.Schedule) error {
	if err := Exportable(s); err != nil {
		return err
	}
	channels, count := spread(s)
	out := bufio.NewWriterSize(w, 1<<16)
	fmt.Fprintf(out, `<algo name="%s" proto="Simple" nchannels="%d" nchunksperloop="%d" ngpus="%d" coll="%s" inplace="0" outofplace="1" minBytes="0" maxBytes="9223372036854775807"`,
		s.Algorithm, count, s.Chunks, s.Ranks, collName(s.Collective))
	if s.Root != schedule.NoRoot {
		fmt.Fprintf(out, ` root="%d"`, s.Root)
	}
	fmt.Fprintln(out, ">")
	for rank, program := range schedule.Programs(s) {
		fmt.Fprintf(out, `  <gpu id="%d" i_chunks="%d" o_chunks="%d" s_chunks="%d">`+"\n", rank, s.BufChunks(rank, schedule.In), s.BufChunks(rank, schedule.Out), s.TmpChunks)
		for number, b := range layOut(program, channels) {
			fmt.Fprintf(out, `    <tb id="%d" send="%d" recv="%d" chan="%d">`+"\n", number, b.send, b.recv, b.channel)
			for i := range b.lines {
				b.lines[i].write(out, program, i)
			}
			fmt.Fprintln(out, "    </tb>")
		}
		fmt.Fprintln(out, "  </gpu>")
	}
	fmt.Fprintln(out, "</algo>")
	if err := out.Flush(); err != nil {
		return fmt.Errorf("write MSCCL XML: %w", err)
	}
	return nil
}

// line is a step of the file. A line without a move only waits.
type line struct {
	move     int // index into the program, -1 for none
	dep      spot
	awaited  bool
	step, of int // the move's step and round
}

// noSpot is the dependency of a step that waits for nothing.
var noSpot = spot{-1, -1}

var bufferOf = [...]string{schedule.In: "i", schedule.Out: "o", schedule.Tmp: "s"}

func (l *line) write(out *bufio.Writer, p *schedule.Program, s int) {
	text := make([]byte, 0, 256)
	field := func(name, value string) {
		text = append(text, ' ')
		text = append(text, name...)
		text = append(text, '=', '"')
		text = append(text, value...)
		text = append(text, '"')
	}
	number := func(name string, value int) { field(name, strconv.Itoa(value)) }
	text = append(text, "      <step"...)
	number("s", s)
	if l.move < 0 {
		text = append(text, ` type="nop" srcbuf="i" srcoff="-1" dstbuf="o" dstoff="-1" cnt="0"`...)
	} else {
		m := &p.Moves[l.move]
		srcBuf, srcChunk := m.SrcBuf, m.SrcChunk
		var k kind
		switch {
		case m.Kind == schedule.Send:
			k = send
		case m.Kind == schedule.Recv && m.Op == schedule.Reduce:
			// What is received is combined with what is there.
			k, srcBuf, srcChunk = receiveReduceCopy, m.DstBuf, m.DstChunk
		case m.Kind == schedule.Recv:
			k = receive
		case m.Op == schedule.Reduce:
			k = localReduce
		default:
			k = localCopy
		}
		field("type", k.String())
		field("srcbuf", bufferOf[srcBuf])
		number("srcoff", srcChunk)
		field("dstbuf", bufferOf[m.DstBuf])
		number("dstoff", m.DstChunk)
		number("cnt", m.Count)
	}
	number("depid", l.dep.block)
	number("deps", l.dep.line)
	awaited := 0
	if l.awaited {
		awaited = 1
	}
	number("hasdep", awaited)
	if l.move >= 0 {
		number("id", l.step)
		number("round", l.of)
	}
	text = append(text, "/>\n"...)
	_, _ = out.Write(text) // an error comes again at the Flush
}
