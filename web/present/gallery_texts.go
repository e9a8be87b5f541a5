package present

import (
	"net/url"

	"lockstep/views"
)

// galleryTexts fills in what the pages of words are made of: few events, one of
// them open and in doubt.
func galleryTexts(f Frame, g *views.Gallery) (err error) {
	if g.Libraries, err = Libraries(f, ReadLibraries(url.Values{"topic": {"libraries"}, "at": {"hccl"}})); err != nil {
		return err
	}
	if g.Bandwidth, err = Bandwidth(f, ReadBandwidth(nil)); err != nil {
		return err
	}
	g.Customer, err = Customer(f)
	return err
}
