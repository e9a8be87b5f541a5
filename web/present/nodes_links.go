package present

import (
	"slices"
	"time"

	"lockstep/cluster/inventory"
	"lockstep/views"
	"lockstep/views/locale"
)

// maxLinkColumns is the most nodes whose ways stand in a table; those of more
// are a list, the slow first.
const maxLinkColumns = 8

// nodeLinks presents what was measured between nodes, nil with fewer than two.
func nodeLinks(f Frame, c Cluster) *views.NodeLinks {
	l := f.Locale
	var names []string
	connected := 0
	measured := map[[2]string]inventory.Link{}
	var oldest, newest time.Time
	for _, link := range c.Links {
		measured[[2]string{link.From, link.To}] = link
		if oldest.IsZero() || link.Time.Before(oldest) {
			oldest = link.Time
		}
		if link.Time.After(newest) {
			newest = link.Time
		}
	}
	for _, m := range c.Members {
		if m.Standing == inventory.Ready || m.Standing == inventory.Draining {
			connected++
		} else if !slices.ContainsFunc(c.Links, func(link inventory.Link) bool { return link.From == m.Name || link.To == m.Name }) {
			continue // was never measured, and cannot be now
		}
		names = append(names, m.Name)
	}
	if len(names) < 2 {
		return nil
	}
	v := &views.NodeLinks{Title: l.T("nodes.links"), Text: l.T("nodes.links.never"), Names: names}
	switch {
	case newest.IsZero():
	case newest.Sub(oldest) < time.Minute:
		v.Text = l.T("nodes.links.when", locale.Values{"When": when(newest)})
	default:
		v.Text = l.T("nodes.links.between", locale.Values{"First": when(oldest), "Last": when(newest)})
	}
	if c.Probing != nil {
		v.Probing = l.T("nodes.probing", locale.Values{"Done": c.Probing.Done, "Of": c.Probing.Of})
	} else if f.keeps() && connected > 1 {
		v.Probe = &views.RunAction{URL: f.nodesURL("probe"), Label: l.T("nodes.probe")}
	}
	slow := false
	for _, from := range names {
		row := views.NodeLinkRow{Name: from}
		for _, to := range names {
			if from == to {
				row.Cells = append(row.Cells, views.NodeLinkCell{Self: true})
				continue
			}
			link, known := measured[[2]string{from, to}]
			cell := nodeLink(l, link, known)
			slow = slow || cell.Slow != ""
			row.Cells = append(row.Cells, cell)
			v.Pairs = append(v.Pairs, views.NodePair{From: from, To: to, Cell: cell})
		}
		v.Rows = append(v.Rows, row)
	}
	slices.SortStableFunc(v.Pairs, func(a, b views.NodePair) int { return urgency(b.Cell) - urgency(a.Cell) })
	if len(names) > maxLinkColumns {
		v.Rows = nil
	}
	if slow {
		v.Note = l.T("nodes.links.slow.text")
	}
	return v
}

// urgency puts what is wrong before what is slow, and that before the rest.
func urgency(c views.NodeLinkCell) int {
	switch {
	case c.Fault != "":
		return 2
	case c.Slow != "":
		return 1
	}
	return 0
}

// linkFault says why there are no figures, in the words of whoever has found
// that where pages have none.
func linkFault(l locale.Locale, link inventory.Link) string {
	why, told := reason(l, string(link.Cause), link.Values)
	if !told {
		return link.Fault
	}
	if node := link.Values["node"]; node != "" {
		return l.T("nodes.why.of", locale.Values{"Node": node, "Why": why})
	}
	return why
}

// nodeLink is one way, if it was measured.
func nodeLink(l locale.Locale, link inventory.Link, known bool) views.NodeLinkCell {
	switch {
	case !known:
		return views.NodeLinkCell{Latency: l.T("nodes.links.none")}
	case link.Fault != "":
		return views.NodeLinkCell{Fault: l.T("nodes.links.fault"), Detail: linkFault(l, link)}
	}
	cell := views.NodeLinkCell{Latency: link.Latency.String(), Bits: bits(link.Rate), Bytes: link.Rate.String()}
	if link.Slow {
		cell.Slow = l.T("nodes.links.slow")
	}
	return cell
}
