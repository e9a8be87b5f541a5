package link

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"
	"unsafe"

	"lockstep/engine/rank"
)

// heap returns zero memory that begins where a cache line does.
func heap(size int) []byte {
	memory := make([]byte, size+line)
	skip := int(-uintptr(unsafe.Pointer(unsafe.SliceData(memory))) % line)
	return memory[skip : skip+size]
}

// pairOver returns both ends of one edge.
func pairOver(t testing.TB, longest, piece int) (out *Shm, in *Shm) {
	t.Helper()
	plan := PlanShm(2, []rank.Edge{{Src: 0, Dst: 1, Longest: longest}}, piece)
	memory := heap(plan.Size)
	ends := make([]*Shm, 2)
	for r := range ends {
		s, err := NewShm(ShmConfig{Plan: plan, Memory: memory, Rank: r, Crowded: true})
		if err != nil {
			t.Fatal(err)
		}
		ends[r] = s
	}
	return ends[0], ends[1]
}

// Whatever the lengths, messages come in order and whole.
func TestRingKeepsOrderAndBytes(t *testing.T) {
	for _, longest := range []int{0, 4, inlineBytes, inlineBytes + 1, 4096, mostPayload, 3 << 20} {
		a, b := pairOver(t, longest, 0)
		out, in := a.To(1), b.From(0)
		if out.Most() != in.Most() || out.Most() < min(longest, mostPayload) {
			t.Fatalf("longest %d: %d and %d", longest, out.Most(), in.Most())
		}
		const count = 2000
		r := rand.New(rand.NewPCG(1, 2))
		lengths := make([]int, count)
		for i := range lengths {
			lengths[i] = r.IntN(min(out.Most(), 9000) + 1)
		}
		lengths[7] = out.Most()
		var wait sync.WaitGroup
		wait.Go(func() {
			payload := make([]byte, out.Most())
			for i, n := range lengths {
				h := rank.Header{Tag: 3, Step: uint32(i), Slice: uint32(i % 5), Part: uint32(i % 3), Length: uint32(n)}
				for k := range payload[:n] {
					payload[k] = byte(i + k)
				}
				for turn := 1; ; turn++ {
					done, err := out.Send(&h, payload[:n])
					if err != nil {
						t.Error(err)
						return
					}
					if done {
						break
					}
					if err := a.Idle(turn, math.MaxInt64); err != nil {
						t.Error(err)
						return
					}
				}
			}
		})
		want := make([]byte, in.Most())
		for i, n := range lengths {
			due := rank.Header{Tag: 3, Step: uint32(i), Slice: uint32(i % 5), Part: uint32(i % 3), Length: uint32(n)}
			for turn := 1; ; turn++ {
				payload, err := in.View(&due, n)
				if err != nil {
					t.Fatal(err)
				}
				if payload == nil {
					if err := b.Idle(turn, math.MaxInt64); err != nil {
						t.Fatal(err)
					}
					continue
				}
				for k := range want[:n] {
					want[k] = byte(i + k)
				}
				if !bytes.Equal(payload, want[:n]) {
					t.Fatalf("message %d of %d bytes is another", i, n)
				}
				break
			}
			in.Release()
		}
		wait.Wait()
	}
}

func TestRingRefusesAnotherMessage(t *testing.T) {
	due := rank.Header{Tag: 3, Iteration: 1, Step: 4, Slice: 2, Part: 1, Length: 8}
	for name, change := range map[string]func(h *rank.Header){
		"step":   func(h *rank.Header) { h.Step++ },
		"slice":  func(h *rank.Header) { h.Slice++ },
		"part":   func(h *rank.Header) { h.Part++ },
		"length": func(h *rank.Header) { h.Length-- },
	} {
		a, b := pairOver(t, 100, 0)
		sent := due
		change(&sent)
		if done, err := a.To(1).Send(&sent, make([]byte, sent.Length)); !done || err != nil {
			t.Fatal(done, err)
		}
		if payload, err := b.From(0).View(&due, 8); payload != nil || !errors.Is(err, rank.ErrFrame) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Whatever lies in a slot, the receiver takes what is due, waits, or says that
// it is something else.
func FuzzSlot(f *testing.F) {
	f.Add(uint64(1|4<<32), uint64(2|8<<32|1<<52))
	f.Add(uint64(0), uint64(0))
	f.Add(uint64(math.MaxUint64), uint64(math.MaxUint64))
	due := rank.Header{Tag: 3, Iteration: 1, Step: 4, Slice: 2, Part: 1, Length: 8}
	f.Fuzz(func(t *testing.T, w, r uint64) {
		_, b := pairOver(t, 100, 0)
		in := b.from[0]
		s, _ := in.slot(0, 8)
		s.word, s.rest = w, r
		payload, err := in.View(&due, 8)
		right := w == word(1, &due) && r == rest(&due)
		switch {
		case uint32(w) != 1:
			if payload != nil || err != nil {
				t.Errorf("an old slot gives %v, %v", payload, err)
			}
		case right != (payload != nil) || right == errors.Is(err, rank.ErrFrame):
			t.Errorf("word %x, rest %x give %v, %v", w, r, payload, err)
		}
	})
}

func TestBarrierHoldsEverybody(t *testing.T) {
	for _, n := range []int{1, 2, 3, 5, 8} {
		plan := PlanShm(n, nil, 0)
		memory := heap(plan.Size)
		var mu sync.Mutex
		met := make([]int, n)
		var wait sync.WaitGroup
		for r := range n {
			s, err := NewShm(ShmConfig{Plan: plan, Memory: memory, Rank: r, Crowded: true})
			if err != nil {
				t.Fatal(err)
			}
			wait.Go(func() {
				for round := range 200 {
					if err := s.Barrier(func(turn int) error { return s.Idle(turn, math.MaxInt64) }); err != nil {
						t.Error(err)
						return
					}
					mu.Lock()
					met[r] = round + 1
					for other, has := range met {
						if has < round {
							t.Errorf("rank %d left barrier %d, rank %d has left %d", r, round, other, has)
						}
					}
					mu.Unlock()
				}
			})
		}
		wait.Wait()
	}
}

func TestInterruptEndsAWait(t *testing.T) {
	a, b := pairOver(t, 100, 0)
	ended := make(chan error)
	go func() { ended <- b.Barrier(func(turn int) error { return b.Idle(turn, math.MaxInt64) }) }()
	time.AfterFunc(20*time.Millisecond, a.Interrupt)
	select {
	case err := <-ended:
		if err == nil || !strings.Contains(err.Error(), "rank 0 has given up") {
			t.Error(err)
		}
	case <-time.After(5 * time.Second):
		t.Fatal("still waiting")
	}
	if err := a.Idle(spins+yields+1, math.MaxInt64); !errors.Is(err, errClosed) {
		t.Error(err)
	}
}

// A rank whose process is gone is missed by those who wait for it, also when
// nobody tells them.
func TestADeadProcessIsMissed(t *testing.T) {
	child := exec.Command(os.Args[0], "-test.run=^$")
	if err := child.Run(); err != nil {
		t.Fatal(err)
	}
	plan := PlanShm(2, []rank.Edge{{Src: 0, Dst: 1, Longest: 8}}, 0)
	memory := heap(plan.Size)
	if _, err := NewShm(ShmConfig{Plan: plan, Memory: memory, Rank: 0, Process: child.Process.Pid}); err != nil {
		t.Fatal(err)
	}
	b, err := NewShm(ShmConfig{Plan: plan, Memory: memory, Rank: 1, Process: os.Getpid()})
	if err != nil {
		t.Fatal(err)
	}
	begun := time.Now()
	for turn := 1; err == nil && time.Since(begun) < 10*time.Second; turn++ {
		err = b.Idle(turn, math.MaxInt64)
	}
	if err == nil || !strings.Contains(err.Error(), "rank 0's process is gone") {
		t.Error(err)
	}
}

func TestForeignPlansAreRefused(t *testing.T) {
	fresh := func() ShmPlan { return PlanShm(3, []rank.Edge{{Src: 0, Dst: 1, Longest: 4096}}, 0) }
	for name, spoil := range map[string]func(p *ShmPlan){
		"no ranks":   func(p *ShmPlan) { p.Ranks = 0 },
		"many ranks": func(p *ShmPlan) { p.Ranks = 1 << 20 },
		"size":       func(p *ShmPlan) { p.Size = 64 },
		"huge":       func(p *ShmPlan) { p.Size = maxSegment + 1 },
		"source":     func(p *ShmPlan) { p.Rings[0].Src = 3 },
		"to itself":  func(p *ShmPlan) { p.Rings[0].Dst = 0 },
		"before":     func(p *ShmPlan) { p.Rings[0].At = 0 },
		"negative":   func(p *ShmPlan) { p.Rings[0].At = -64 },
		"behind":     func(p *ShmPlan) { p.Rings[0].At = p.Size },
		"askew":      func(p *ShmPlan) { p.Rings[0].At++ },
		"no slots":   func(p *ShmPlan) { p.Rings[0].Slots = 0 },
		"many slots": func(p *ShmPlan) { p.Rings[0].Slots = 1 << 30 },
		"payload":    func(p *ShmPlan) { p.Rings[0].Payload = 1 << 30 },
	} {
		p := fresh()
		spoil(&p)
		if _, err := NewShm(ShmConfig{Plan: p, Memory: heap(1 << 20), Rank: 0}); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}

// Rings shrink where a rank has many.
func TestRingsFitIntoMemory(t *testing.T) {
	var edges []rank.Edge
	for src := range 64 {
		for dst := range 64 {
			if src != dst {
				edges = append(edges, rank.Edge{Src: src, Dst: dst, Longest: 1 << 20})
			}
		}
	}
	if p := PlanShm(64, edges, 0); p.Size > 64*rankBytes+8<<20 {
		t.Errorf("%d MiB", p.Size>>20)
	}
	if p := PlanShm(2, edges[:1], 0); p.Rings[0].Payload != mostPayload || p.Rings[0].Slots*p.Rings[0].Payload != ringBytes {
		t.Errorf("%+v", p.Rings[0])
	}
	if p := PlanShm(2, edges[:1], 5000); p.Rings[0].Payload != 5056 || p.Rings[0].Slots != 2 {
		t.Errorf("paced: %+v", p.Rings[0])
	}
}

func TestSegmentIsShared(t *testing.T) {
	if !SharesMemory {
		t.Skip("no shared memory on this system")
	}
	f, err := NewSegment(10_000)
	if err != nil {
		t.Fatal(err)
	}
	again, err := os.OpenFile(fmt.Sprintf("/proc/self/fd/%d", f.Fd()), os.O_RDWR, 0)
	if err != nil {
		t.Skip("no second way to open it: ", err)
	}
	if _, err := OpenSegment(again, 20_000); err == nil {
		t.Error("more than there is")
	}
	s, err := OpenSegment(f, 10_000)
	if err != nil {
		t.Fatal(err)
	}
	s.Memory[9_999] = 7
	if err := s.Close(); err != nil || s.Close() != nil {
		t.Error(err)
	}
}
