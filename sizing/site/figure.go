package site

// Origin is where a figure comes from.
type Origin string

// The origins.
const (
	Catalogue Origin = "catalogue" // the catalogue's, with its source
	Typed     Origin = "typed"     // given by whoever asks
	Assumed   Origin = "assumed"   // nobody says it
)

// Figure is a number with where it comes from.
type Figure struct {
	Value float64 `json:"value"`
	From  Origin  `json:"from"`
}

// figure is what was given, or else what stands for it. A given figure that is
// the catalogue's own is the catalogue's.
func figure(given, otherwise float64, from Origin) Figure {
	if given > 0 && given != otherwise {
		return Figure{given, Typed}
	}
	return Figure{otherwise, from}
}
