package link

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"lockstep/engine/rank"
)

// variants are the ways to connect ranks; all meet the same contract.
var variants = map[string]func(*Config){
	"raw":                     func(*Config) {},
	"raw crowded":             func(c *Config) { c.Crowded = true },
	"raw shared":              func(c *Config) { c.Shared = true },
	"raw short":               func(c *Config) { c.Buffer = 64 << 10 },
	"portable":                func(c *Config) { c.Portable = true },
	"portable shared":         func(c *Config) { c.Portable, c.Shared = true, true },
	"mixed":                   func(c *Config) { c.Portable = c.Rank%2 == 0 },
	"mixed shared":            func(c *Config) { c.Portable, c.Shared = c.Rank%2 == 0, true },
	"mixed shared, otherwise": func(c *Config) { c.Portable, c.Shared = c.Rank%2 == 1, true },
	"sealed":                  func(c *Config) { c.Sealed = sealed(c.Ranks) },
	"sealed shared":           func(c *Config) { c.Sealed, c.Shared = sealed(c.Ranks), true },
	"sealed crowded":          func(c *Config) { c.Sealed, c.Crowded = sealed(c.Ranks), true },
	"sealed short":            func(c *Config) { c.Sealed, c.Buffer = sealed(c.Ranks), 64<<10 },
	"sealed portable":         func(c *Config) { c.Sealed, c.Portable = sealed(c.Ranks), true },
	"sealed mixed shared":     func(c *Config) { c.Sealed, c.Portable, c.Shared = sealed(c.Ranks), c.Rank%2 == 0, true },
	"sealed otherwise": func(c *Config) { // the dialler's choice counts
		c.Sealed, c.Shared, c.suite = sealed(c.Ranks), true, []suite{aesGCM, chaCha}[c.Rank%2]
	},
	"sealed between hosts": func(c *Config) { // of two ranks each
		c.Sealed = sealed(c.Ranks)
		for peer := range c.Ranks {
			c.Sealed[peer] = peer/2 != c.Rank/2
		}
	},
}

// sealed says that all of n ranks' edges are.
func sealed(n int) []bool { return slices.Repeat([]bool{true}, n) }

// overAll runs a test over every variant.
func overAll(t *testing.T, test func(t *testing.T, adjust func(*Config))) {
	for name, adjust := range variants {
		t.Run(name, func(t *testing.T) { test(t, adjust) })
	}
}

// connected returns n ranks with edges between all of them.
func connected(t testing.TB, n int, adjust func(*Config)) []rank.Link {
	t.Helper()
	listeners, addresses := listenAll(t, n, adjust)
	links, errs := connectAll(t, listeners, addresses)
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
	return links
}

// until calls try until it is done, as a rank does.
func until(l rank.Link, try func() (bool, error)) error {
	for turn := 1; ; turn++ {
		if done, err := try(); done || err != nil {
			return err
		}
		if err := l.Idle(turn, 10*time.Millisecond); err != nil {
			return err
		}
	}
}

// all carries on with several tasks until each is done.
func all(tasks ...func() (bool, error)) func() (bool, error) {
	return func() (bool, error) {
		left := tasks[:0]
		for _, task := range tasks {
			done, err := task()
			if err != nil {
				return false, err
			}
			if !done {
				left = append(left, task)
			}
		}
		tasks = left
		return len(tasks) == 0, nil
	}
}

func header(length, slice int) *rank.Header {
	return &rank.Header{Tag: 7, Iteration: 1, Step: 3, Slice: uint32(slice), Length: uint32(length)}
}

// noise is what payloads are cut from.
var noise = sync.OnceValue(func() []byte {
	b := make([]byte, 2*most)
	_, _ = rand.NewChaCha8([32]byte{1}).Read(b)
	return b
})

// letter is the payload that src sends to dst as its i-th.
func letter(src, dst, i, length int) []byte {
	return noise()[(src*7919+dst*104_729+i*1_299_709)%most:][:length]
}

// sending is a task that sends messages of these lengths.
func sending(out rank.Outlet, src, dst int, lengths []int) func() (bool, error) {
	i, space := 0, make([]byte, most)
	payload := space[:copy(space, letter(src, dst, 0, lengths[0]))]
	return func() (bool, error) {
		done, err := out.Send(header(len(payload), i), payload)
		if !done || err != nil {
			return false, err
		}
		clear(payload) // it may change now
		if i++; i == len(lengths) {
			return true, nil
		}
		payload = space[:copy(space, letter(src, dst, i, lengths[i]))]
		return false, nil
	}
}

// receiving is the task at the other end. Every third message is viewed.
func receiving(in rank.Inlet, src, dst int, lengths []int) func() (bool, error) {
	i, space := 0, make([]byte, most)
	return func() (bool, error) {
		length := lengths[i]
		got := space[:length]
		if i%3 == 2 {
			var err error
			if got, err = in.View(header(length, i), length); got == nil || err != nil {
				return false, err
			}
			if again, err := in.View(header(length, i), length); len(again) != length || err != nil {
				return false, fmt.Errorf("a second view shows %d bytes: %w", len(again), err)
			}
		} else if done, err := in.Receive(header(length, i), got); !done || err != nil {
			return false, err
		}
		if want := letter(src, dst, i, length); !bytes.Equal(got, want) {
			return false, fmt.Errorf("message %d from %d to %d, of %d bytes, is not what was sent", i, src, dst, length)
		}
		if i%3 == 2 {
			in.Release()
		}
		i++
		return i == len(lengths), nil
	}
}
