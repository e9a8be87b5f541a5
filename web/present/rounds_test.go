package present

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"lockstep/engine/schedule"
	"lockstep/views/locale"
)

// The picture of every schedule is well formed, and has an arrow for every
// message of every round as long as it draws arrows.
func TestSchedulePictures(t *testing.T) {
	texts, err := locale.Load()
	if err != nil {
		t.Fatal(err)
	}
	english, _ := texts.In(locale.English)
	for _, e := range schedule.Catalog() {
		for _, n := range []int{1, 2, 5, 8, 16} {
			name := fmt.Sprintf("%s/%s over %d ranks", e.Collective, e.Algorithm, n)
			if n < e.MinRanks || n > e.MaxRanks {
				continue
			}
			s, err := schedule.Build(schedule.Request{Collective: e.Collective, Algorithm: e.Algorithm, Ranks: n})
			if err != nil {
				t.Fatal(err)
			}
			messages := map[[4]int]bool{}
			for i := range s.Steps {
				step := &s.Steps[i]
				for _, src := range step.Sources() {
					for _, dst := range step.Destinations() {
						if src != dst {
							messages[[4]int{step.Round, src, dst, int(step.Op)}] = true
						}
					}
				}
			}
			svg := SchedulePicture(english, s, "console schedule")
			parser := xml.NewDecoder(strings.NewReader(svg))
			for err == nil {
				_, err = parser.Token()
			}
			if !errors.Is(err, io.EOF) {
				t.Fatalf("%s: %v", name, err)
			}
			if arrows := strings.Count(svg, `class="from"`); arrows != len(messages) && !strings.Contains(svg, "too many for arrows") {
				t.Errorf("%s: %d arrows for %d messages", name, arrows, len(messages))
			}
			for _, p := range s.Phases {
				if s.Rounds() > 0 && p.Last >= p.First && !strings.Contains(svg, ">"+p.Key+"<") {
					t.Logf("%s: phase %s has only local steps", name, p.Key)
				}
			}
		}
	}
}
