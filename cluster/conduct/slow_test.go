package conduct

import (
	"strings"
	"testing"
	"time"

	"lockstep/engine/rank"
)

// work lets ranks work, second by second: each says what rank i adds to its
// work in second s.
func (r *Conductor) work(seconds int, each func(i, s int) rank.Works) {
	for s := range seconds {
		added := make([]rank.Works, len(r.members))
		for i := range r.members {
			added[i] = each(i, s)
		}
		for range 10 { // as beats come
			now := r.tickAt.Add(100 * time.Millisecond)
			for i, m := range r.members {
				m.seen = now
				for k := range m.works {
					m.works[k].Busy += added[i][k].Busy / 10
					m.works[k].Bytes += added[i][k].Bytes / 10
					m.works[k].Slices += added[i][k].Slices / 10
				}
			}
			r.movedAt = now
			r.watch(now)
		}
	}
}

// did is so much work of one kind.
func did(k rank.WorkKind, busy time.Duration, bytes int64) rank.Works {
	var all rank.Works
	all[k] = rank.Work{Busy: busy, Bytes: bytes, Slices: bytes >> 19}
	return all
}

const second = time.Second

func TestWhoIsSlow(t *testing.T) {
	const mb = 1e6
	for name, c := range map[string]struct {
		each func(i, s int) rank.Works
		want string // how the warning begins, "" for none
	}{
		"all alike": {func(i, _ int) rank.Works { return did(rank.Reducing, 900*time.Millisecond, 1000*mb) }, ""},
		"one takes six times as long": {func(i, _ int) rank.Works {
			if i == 2 {
				return did(rank.Reducing, 900*time.Millisecond, 150*mb)
			}
			return did(rank.Reducing, 150*time.Millisecond, 150*mb)
		}, "rank 2 is slow: for 3 s its own work has taken 90 % of the time and that of the other ranks about 15 %"},
		"one takes four times as long": {func(i, _ int) rank.Works {
			if i == 2 {
				return did(rank.Reducing, 800*time.Millisecond, 150*mb)
			}
			return did(rank.Reducing, 200*time.Millisecond, 150*mb)
		}, ""},
		"ten times as long, and nobody waits": {func(i, _ int) rank.Works {
			if i == 2 {
				return did(rank.Reducing, 100*time.Millisecond, 10*mb)
			}
			return did(rank.Reducing, 10*time.Millisecond, 10*mb)
		}, ""},
		"the only one who adds": {func(i, _ int) rank.Works {
			if i == 0 {
				return did(rank.Reducing, second, 300*mb)
			}
			return did(rank.Sending, 0, 100*mb)
		}, ""},
		"a pause of a second": {func(i, s int) rank.Works {
			if i == 1 && (s == 4 || s == 5) { // it stretches over two
				return did(rank.Reducing, second, 1*mb)
			}
			return did(rank.Reducing, 100*time.Millisecond, 100*mb)
		}, ""},
		"slow every other second": {func(i, s int) rank.Works {
			if i == 1 && s%2 == 0 {
				return did(rank.Reducing, second, 1*mb)
			}
			return did(rank.Reducing, 100*time.Millisecond, 100*mb)
		}, ""},
		"rests in the middle of a slice": {func(i, s int) rank.Works {
			if i == 3 && s > 0 {
				return did(rank.Sending, second, 0)
			}
			return did(rank.Sending, 0, 10*mb)
		}, "rank 3 is slow: for 3 s its own work has taken 100 % of the time and that of the other ranks about 0 %"},
		"nothing moves": {func(int, int) rank.Works { return rank.Works{} }, ""},
	} {
		t.Run(name, func(t *testing.T) {
			r := underWay(t, 4)
			r.work(12, c.each)
			if r.ended {
				t.Fatalf("%+v", r.failure)
			}
			doubts := r.log.Warnings()
			switch {
			case c.want == "" && len(doubts) > 0:
				t.Errorf("%s", doubts[0].Message)
			case c.want != "" && (len(doubts) != 1 || doubts[0].Code != "slow-rank" || !strings.HasPrefix(doubts[0].Message, c.want)):
				t.Errorf("%+v; want one: %s", doubts, c.want)
			}
		})
	}
}

func TestOneRankAloneIsNotSlow(t *testing.T) {
	r := underWay(t, 1)
	r.work(6, func(int, int) rank.Works { return did(rank.Copying, second, 1) })
	if doubts := r.log.Warnings(); len(doubts) > 0 {
		t.Errorf("%+v", doubts)
	}
}
