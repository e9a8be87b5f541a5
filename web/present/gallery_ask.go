package present

import (
	"net/url"

	"lockstep/engine/schedule"
	"lockstep/views"
)

// galleryAsks are questions in each state that they have: closed, asked, and
// answered wrong and right.
func galleryAsks(f Frame, entry schedule.Entry) ([]views.Ask, error) {
	var all []views.Ask
	for _, query := range []string{"", "ask=next&who=1&block=2", "ask=value&who=1&of=1&guess=0&guess=1", "ask=next&who=1&block=2&to=2"} {
		q, err := url.ParseQuery("n=4&step=2&" + query)
		if err != nil {
			return nil, err
		}
		lesson, err := Lesson(f, LessonRequest{Entry: entry, Query: q})
		if err != nil {
			return nil, err
		}
		all = append(all, *lesson.Ask)
	}
	return all, nil
}
