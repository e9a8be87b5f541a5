package present

import (
	"lockstep/views"
	"lockstep/views/draw"
)

// duties draws who manages processes and who moves data: two machines with
// four ranks each, on a phone with two.
func (p librariesPage) duties() views.StoryChart {
	l := p.f.Locale
	return twoWidths(func(width float64, narrow bool) string {
		perNode := 4
		if narrow {
			perNode = 2
		}
		return draw.Duties{
			Frame:   draw.Frame{Width: width, Title: l.T("libraries.duties"), Desc: l.T("libraries.duties.says"), Class: widthClass(narrow)},
			Starter: l.T("libraries.duties.starter"), Nodes: []string{l.T("libraries.duties.node.0"), l.T("libraries.duties.node.1")},
			PerNode: perNode, Process: "Rank ", Device: "GPU",
			Control: l.T("libraries.duties.control"), Data: l.T("libraries.duties.data"),
		}.SVG()
	})
}
