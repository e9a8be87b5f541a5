package present

import (
	"net/url"

	"lockstep/engine/schedule"
	"lockstep/sizing"
	"lockstep/views"
)

// galleryCourse fills in what the index, the pages of collectives, the search,
// the words, paths and labs are made of.
func galleryCourse(f Frame, g *views.Gallery) error {
	if err := galleryCollectives(f, g); err != nil {
		return err
	}
	has := Existing{Stories: Stories()}
	index, err := Learn(f, LearnRequest{Existing: has})
	if err != nil {
		return err
	}
	g.Index = views.Learn{Page: index.Page, Paths: index.Paths, Stories: index.Stories}
	for query, into := range map[string]*views.Found{"busbw": &g.Found, "qqq": &g.NotFound} {
		found, err := f.searched(query, has)
		if err != nil {
			return err
		}
		*into = *found
	}
	words, err := Words(f, has)
	if err != nil {
		return err
	}
	for _, part := range words.Parts {
		if len(g.Words.Words) == 0 || len(part.Words) < len(g.Words.Words) {
			g.Words = part
		}
	}
	if g.Path, _, err = Path(f, CourseRequest{ID: paths()[0].id, Existing: has}); err != nil {
		return err
	}
	g.Path.Stops = g.Path.Stops[:2]
	g.Labs = Labs(f)
	g.Lab, _, err = Lab(f, CourseRequest{ID: labs()[0].id, Answers: true, Existing: has})
	return err
}

// galleryCollectives fills in the collectives in all the states that their
// pages have: with nodes, races and what only a network does; of ranks alone,
// where nothing is fastest; and without data.
func galleryCollectives(f Frame, g *views.Gallery) error {
	for _, of := range []struct {
		collective schedule.Collective
		query      url.Values
	}{
		{schedule.AllReduce, url.Values{}}, {schedule.SendRecv, url.Values{"n": {"1"}}}, {schedule.Barrier, url.Values{"n": {"16"}}},
	} {
		page, err := Collective(f, of.collective, of.query, sizing.NewAtlas(galleryPlane))
		if err != nil {
			return err
		}
		g.Collectives = append(g.Collectives, page)
	}
	return nil
}
