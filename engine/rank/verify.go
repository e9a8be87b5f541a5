package rank

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"

	"lockstep/engine/schedule"
)

// Claim is what a run left behind and how to look closer.
type Claim struct {
	Schedule *schedule.Schedule
	Elements int
	Width    int
	Window   int // of the rows
	Digests  [][]Digest
	Fill     Fill // the inputs that the ranks were given
	Combine  schedule.Combine
	Finish   func(data []byte) // of schedule.Finish; nil for nothing

	// Fetch returns bytes of a row of a rank's out from offset on, at least
	// one. It is called for a row whose digest is wrong.
	Fetch func(ctx context.Context, rank, row, offset int) ([]byte, error)
}

// Mismatch is the first element found that is not what the schedule gives.
type Mismatch struct {
	Rank, Chunk int
	Element     int // of the rank's out
	Want, Got   []byte
}

// Verify plays the schedule on the reference interpreter and compares every
// element of every rank's out, bit for bit, by the digests of its rows. It
// returns nil only if every row of every rank was compared and is right.
func Verify(ctx context.Context, c Claim) (*Mismatch, error) {
	v := &verification{ctx: ctx, Claim: c, rank: -1}
	want := 0
	for rank := range c.Schedule.Ranks {
		rows := NewRows(c.Schedule, rank, c.Elements, c.Width, c.Window)
		if len(c.Digests) != c.Schedule.Ranks || len(c.Digests[rank]) != rows.Count() {
			return nil, fmt.Errorf("verify: rank %d did not send the digests of all its %d rows", rank, rows.Count())
		}
		want += rows.Count()
	}
	err := v.interpret()
	switch {
	case v.err != nil:
		return nil, v.err
	case v.mismatch != nil:
		return v.mismatch, nil
	case err != nil:
		return nil, err
	case v.compared != want:
		return nil, fmt.Errorf("verify: compared %d of %d rows", v.compared, want)
	}
	return nil, nil
}

type verification struct {
	Claim
	ctx      context.Context
	rank     int // whose row is being gathered, -1 for none
	row      int
	data     []byte // the reference's row, as far as it came
	compared int
	mismatch *Mismatch
	err      error
}

// stopped unwinds the interpreter, which has no way to be told to stop.
type stopped struct{}

func (v *verification) interpret() (err error) {
	defer func() {
		if r := recover(); r != nil {
			if _, ours := r.(stopped); !ours {
				panic(r)
			}
		}
	}()
	err = schedule.Interpret(v.Schedule, schedule.Data{
		Elements: v.Elements, Width: v.Width, Window: v.Window,
		Combine: v.Combine, Finish: v.Finish, Input: v.input, Output: v.output,
	})
	if err == nil {
		v.close()
	}
	return err
}

func (v *verification) input(rank, first int, dst []byte) {
	if v.err = v.ctx.Err(); v.err != nil {
		panic(stopped{})
	}
	v.Fill(rank, first, dst)
}

// output gathers a rank's row: its pieces come one behind the other.
func (v *verification) output(rank, chunk, first int, data []byte) {
	row := (first - v.Schedule.ChunkStart(v.Elements, chunk)) / v.Window
	if rank != v.rank || row != v.row {
		v.close()
		v.rank, v.row = rank, row
	}
	v.data = append(v.data, data...)
}

// close compares the row that has been gathered.
func (v *verification) close() {
	if v.rank < 0 {
		return
	}
	if Digest(sha256.Sum256(v.data)) != v.Digests[v.rank][v.row] {
		v.mismatch, v.err = v.locate()
		panic(stopped{})
	}
	v.compared++
	v.data = v.data[:0]
}

// locate finds the first element of the row that differs.
func (v *verification) locate() (*Mismatch, error) {
	for offset := 0; offset < len(v.data); {
		got, err := v.Fetch(v.ctx, v.rank, v.row, offset)
		if err != nil {
			return nil, err
		}
		if len(got) == 0 || len(got) > len(v.data)-offset || len(got)%v.Width != 0 {
			return nil, fmt.Errorf("verify: rank %d answered %d bytes of row %d from byte %d", v.rank, len(got), v.row, offset)
		}
		want := v.data[offset : offset+len(got)]
		for i := 0; i < len(got); i += v.Width {
			if a, b := want[i:i+v.Width], got[i:i+v.Width]; !bytes.Equal(a, b) {
				chunk, element := NewRows(v.Schedule, v.rank, v.Elements, v.Width, v.Window).at(v.row, offset+i)
				return &Mismatch{v.rank, chunk, element, bytes.Clone(a), bytes.Clone(b)}, nil
			}
		}
		offset += len(got)
	}
	return nil, fmt.Errorf("verify: rank %d's digest of row %d is not that of its bytes", v.rank, v.row)
}
