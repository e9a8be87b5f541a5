package msccl

import (
	"errors"
	"io"
	"slices"
	"strings"

	"lockstep/engine/schedule"
)

// Bounds of what is read.
const (
	maxSteps    = 1 << 22
	maxBlocks   = 4096 // of one gpu
	maxChannels = 1024
	maxID       = 1<<31 - 2
)

// reader builds an algo out of tags.
type reader struct {
	tags   *elements
	algo   *algo
	chunks int // declared so far, of all gpus
}

func read(r io.Reader) (*algo, error) {
	rd := &reader{tags: newElements(r)}
	tag, _, err := rd.tags.next()
	switch {
	case errors.Is(err, io.EOF):
		return nil, refuse(Unreadable, 1, "the file is empty; accepted: <algo>")
	case err != nil:
		return nil, err
	case tag.name != "algo":
		return nil, refuse(Unreadable, tag.line, "<%s> at the top; accepted: <algo>", tag.name)
	}
	if bad := rd.head(tag); bad != nil {
		return nil, bad
	}
	if err := rd.children("gpu", rd.gpu); err != nil {
		return nil, err
	}
	switch tag, _, err := rd.tags.next(); {
	case err == nil:
		return nil, refuse(Unreadable, tag.line, "<%s> behind </algo>; accepted: one <algo>", tag.name)
	case !errors.Is(err, io.EOF):
		return nil, err
	}
	for id, g := range rd.algo.gpus {
		if g.line == 0 {
			return nil, refuse(Unreadable, rd.algo.line, "gpu %d of %d is missing; accepted: every gpu once", id, rd.algo.ranks)
		}
	}
	rd.settle()
	return rd.algo, nil
}

// children reads the elements of one name inside the current one; without each
// there may be none.
func (rd *reader) children(name string, each func(*element) error) error {
	parent := rd.tags.open[len(rd.tags.open)-1]
	for {
		tag, _, err := rd.tags.next()
		if err != nil {
			return err
		}
		if tag == nil {
			return nil
		}
		if each == nil {
			return refuse(Unreadable, tag.line, "<%s> inside <%s>; accepted: nothing inside", tag.name, parent)
		}
		if tag.name != name {
			return refuse(Unreadable, tag.line, "<%s> inside <%s>; accepted: <%s>", tag.name, parent, name)
		}
		if err := each(tag); err != nil {
			return err
		}
	}
}

func (rd *reader) head(tag *element) *Error {
	names := make([]string, len(colls))
	for i, c := range colls {
		names[i] = c.name
	}
	a := &algo{line: tag.line}
	rd.algo = a
	coll, found, bad := tag.text("coll")
	if bad != nil {
		return bad
	}
	at := slices.Index(names, coll)
	if at < 0 {
		what := "coll=" + short(coll)
		if !found {
			what = "<algo> has no coll"
		}
		return refuse(Unreadable, tag.line, "%s; accepted: %s", what, acceptedColls)
	}
	a.collective = colls[at].collective
	if a.ranks, bad = tag.number("ngpus", 1, schedule.MaxRanks); bad != nil {
		return bad
	}
	if a.chunks, bad = tag.number("nchunksperloop", 1, schedule.MaxCells/(2*a.ranks)); bad != nil {
		return bad
	}
	if a.collective.Blocks() && a.chunks%a.ranks != 0 {
		return refuse(Unreadable, tag.line, "nchunksperloop=%d; accepted for %s: a multiple of the %d gpus", a.chunks, coll, a.ranks)
	}
	if a.root, bad = tag.optional("root", 0, a.ranks-1, -1); bad != nil {
		return bad
	}
	inPlace, bad := tag.optional("inplace", 0, 1, 0)
	if bad != nil {
		return bad
	}
	outOfPlace, bad := tag.optional("outofplace", 0, 1, 1-inPlace)
	if bad != nil {
		return bad
	}
	// A file for both ways must leave i alone: it is read as out of place.
	a.inPlace = inPlace == 1 && outOfPlace == 0
	name, _, bad := tag.text("name")
	a.name = plainName(name)
	a.gpus = make([]gpu, a.ranks)
	return bad
}

// plainName makes an algorithm's name of any text.
func plainName(text string) string {
	name := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '-', r == '_', r == '.':
			return r
		}
		return '-'
	}, text)
	if name == "" {
		return "imported"
	}
	return name[:min(len(name), 100)]
}

func (rd *reader) gpu(tag *element) error {
	a := rd.algo
	id, bad := tag.number("id", 0, a.ranks-1)
	if bad != nil {
		return bad
	}
	g := &a.gpus[id]
	if g.line != 0 {
		return refuse(Unreadable, tag.line, "gpu %d again, after line %d; accepted: every gpu once", id, g.line)
	}
	g.line = tag.line
	for buffer, name := range []string{"i_chunks", "o_chunks", "s_chunks"} {
		if g.chunks[buffer], bad = tag.number(name, 0, schedule.MaxCells); bad != nil {
			return bad
		}
		if rd.chunks += g.chunks[buffer]; rd.chunks > schedule.MaxCells {
			return refuse("size", tag.line, "the gpus have more than %d chunks together; accepted: up to there", schedule.MaxCells)
		}
	}
	if err := rd.children("tb", func(tag *element) error { return rd.block(tag, id) }); err != nil {
		return err
	}
	for i := range g.blocks {
		if g.blocks[i].line == 0 {
			return refuse(Unreadable, g.line, "gpu %d has no thread block %d, but a later one; accepted: numbers without gaps", id, i)
		}
	}
	return rd.dependencies(id)
}

func (rd *reader) block(tag *element, id int) error {
	a, g := rd.algo, &rd.algo.gpus[id]
	number, bad := tag.number("id", 0, maxBlocks-1)
	if bad != nil {
		return bad
	}
	for number >= len(g.blocks) {
		g.blocks = append(g.blocks, block{})
	}
	if line := g.blocks[number].line; line != 0 {
		return refuse(Unreadable, tag.line, "thread block %d of gpu %d again, after line %d; accepted: every number once", number, id, line)
	}
	b := block{line: tag.line, first: len(a.steps)}
	for _, peer := range []struct {
		name string
		into *int
	}{{"send", &b.send}, {"recv", &b.recv}} {
		if *peer.into, bad = tag.number(peer.name, -1, a.ranks-1); bad != nil {
			return bad
		}
		if *peer.into == id {
			return refuse(Unreadable, tag.line, "%s=\"%d\" is the gpu itself; accepted: another gpu, or -1", peer.name, id)
		}
	}
	if b.channel, bad = tag.number("chan", 0, maxChannels-1); bad != nil {
		return bad
	}
	err := rd.children("step", func(tag *element) error {
		if err := rd.step(tag, id, number, b); err != nil {
			return err
		}
		return rd.children("", nil)
	})
	b.last = len(a.steps)
	g.blocks[number] = b
	return err
}

// settle decides what depends on the whole file.
func (rd *reader) settle() {
	a := rd.algo
	if a.collective.Rooted() && a.root < 0 {
		// MSCCL has no roots. The root is the only one that has an i, or an o.
		side := input
		if a.collective == schedule.ReduceTo || a.collective == schedule.Gather {
			side = output
		}
		a.root = 0
		alone := 0
		for id := range a.gpus {
			if a.gpus[id].chunks[side] > 0 {
				a.root = id
				alone++
			}
		}
		if alone != 1 {
			a.root = 0
		}
	}
	if !a.collective.Rooted() {
		a.root = schedule.NoRoot
	}
}
