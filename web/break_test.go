package web

import (
	"encoding/json"
	"html"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"lockstep/engine/schedule"
	"lockstep/web/present"
)

// A broken lesson is a page of its own in both languages: it says what is
// broken and where it does not hold, its links and documents are broken too,
// and one leads back.
func TestALessonBreaksAndIsRepaired(t *testing.T) {
	c := newConsole(t)
	right, err := schedule.Build(schedule.Request{Collective: schedule.AllReduce, Algorithm: "ring", Ranks: 4})
	if err != nil {
		t.Fatal(err)
	}
	href := regexp.MustCompile(`href="([^"]+)"`)
	for language, words := range map[string][]string{
		"zh": {"弄坏它", "故意弄坏的", "没有发", "缺了", "的贡献", "修好它", "哪里不成立"},
		"en": {"Break it", "broken on purpose", "does not.", "without the contribution of", "Repair it", "What does not hold"},
	} {
		lesson := "/" + language + "/learn/all-reduce/ring"
		whole := body(t, c.get(lesson+"?n=4"))
		if strings.Contains(whole, "data-broken") || strings.Contains(whole, `<li class="bad"`) {
			t.Errorf("%s is broken from the beginning", lesson)
		}
		way := ""
		for _, m := range href.FindAllStringSubmatch(whole, -1) {
			if strings.Contains(m[1], "break=drop") {
				way = html.UnescapeString(m[1])
			}
		}
		answer := c.get(way)
		wantStatus(t, way, answer, http.StatusOK)
		page := html.UnescapeString(body(t, answer))
		for _, want := range append(words, "data-broken", `<li class="bad"`, `aria-current="true"`, "steps.json?break=drop", "step.svg?break=drop") {
			if !strings.Contains(page, want) {
				t.Errorf("%s lacks %q", way, want)
			}
		}
		if strings.Contains(page, right.Hash()) || strings.Contains(page, "/runs/new?") {
			t.Errorf("%s gives itself out as the right schedule, or for a run", way)
		}
		var table present.LessonTable
		if err := json.Unmarshal([]byte(body(t, c.get(lesson+"/steps.json?n=4&break=drop"))), &table); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(page, `data-schedule-hash="`+table.Hash+`"`) || table.Hash == right.Hash() {
			t.Errorf("%s is of another schedule than its steps, %s", way, table.Hash)
		}
		picture := html.UnescapeString(body(t, c.get(lesson+"/step.svg?n=4&break=drop&step=6")))
		if !strings.Contains(picture, " wrong") || !strings.Contains(picture, words[1]) || !strings.Contains(picture, "break=drop") {
			t.Errorf("the picture of %s does not say that it is broken", lesson)
		}
		back := ""
		for _, m := range href.FindAllStringSubmatch(page, -1) {
			if strings.HasPrefix(m[1], lesson) && !strings.Contains(m[1], "break=") {
				back = m[1]
			}
		}
		if page = body(t, c.get(back)); !strings.Contains(page, right.Hash()) || strings.Contains(page, "data-broken") {
			t.Errorf("%s is not repaired at %s", way, back)
		}
	}
}

// What cannot be broken, or is not known, is the right lesson with a note; a
// form keeps how it is broken, but not at which move.
func TestOddWaysToBreakALesson(t *testing.T) {
	c := newConsole(t)
	for path, want := range map[string]string{
		"/zh/learn/broadcast/direct?break=double":             "只覆盖，不相加",
		"/en/learn/broadcast/direct?break=swap":               "only one step",
		"/en/learn/all-reduce/ring?n=1&break=drop":            "Nothing is sent",
		"/zh/learn/all-reduce/ring?n=2&break=neighbour":       "没有别人可找",
		"/en/learn/all-to-all/pairwise?break=swap":            "in any order",
		"/zh/learn/barrier/central?break=double":              "同一个信号到两次",
		"/en/learn/all-reduce/ring?break=hammer":              "there is no &#34;hammer&#34;",
		"/en/learn/all-reduce/ring?n=4&break=drop&at=1000000": "nearest that can",
	} {
		answer := c.get(path)
		wantStatus(t, path, answer, http.StatusOK)
		if page := body(t, answer); !strings.Contains(page, want) || !strings.Contains(page, "lesson-note") || strings.Contains(page, "break.") && !strings.Contains(page, "css/break.") {
			t.Errorf("%s does not say %q", path, want)
		}
	}
	answer := c.get("/en/learn/all-reduce/ring?pair=scatter/direct&n=4&at=0.1.3&break=double")
	wantStatus(t, "form", answer, http.StatusSeeOther)
	if target := answer.Header.Get("Location"); !strings.Contains(target, "scatter/direct?break=double") || strings.Contains(target, "at=") {
		t.Errorf("the form leads to %s", target)
	}
}
