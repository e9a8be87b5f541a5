package schedule

import (
	"errors"
	"slices"
	"testing"
)

func TestAssembleCompletesWhatABuilderMade(t *testing.T) {
	built := mustBuild(t, Request{Collective: AllToAll, Algorithm: "bruck", Ranks: 6})
	bare := *built
	bare.TmpChunks, bare.Phases = 99, nil
	bare.Steps = slices.Clone(built.Steps)
	for i := range bare.Steps {
		bare.Steps[i].Deps = []int{7, 7}
	}
	if err := Assemble(&bare); err != nil {
		t.Fatal(err)
	}
	if bare.Hash() != built.Hash() || bare.TmpChunks != built.TmpChunks {
		t.Errorf("hash %s with %d tmp chunks, want %s with %d", bare.Hash(), bare.TmpChunks, built.Hash(), built.TmpChunks)
	}
}

func TestAssembleRefusesWhatCannotBe(t *testing.T) {
	frame := Schedule{Collective: AllReduce, Algorithm: "x", Ranks: 2, Root: NoRoot, Chunks: 1}
	for _, test := range []struct {
		code string
		step Step
	}{
		{"size", Step{Round: 1, DstBuf: Tmp, DstChunk: MaxCells + 1, Count: 1}},
		{"size", Step{Round: 1, DstBuf: Tmp, Count: 1 << 40}},
		{"chunk-range", Step{Round: 1, DstBuf: Tmp, DstChunk: -1, Count: 1}},
		{"rank-range", Step{Round: 1, Src: 9, DstBuf: Out, Count: 1}},
		{"missing-data", Step{Round: 1, DstBuf: Out, Count: 1}},
	} {
		s := frame
		s.Steps = []Step{test.step}
		var f *Fault
		if err := Assemble(&s); !errors.As(err, &f) || f.Code != test.code {
			t.Errorf("%+v: %v, want %s", test.step, err, test.code)
		}
	}
}
