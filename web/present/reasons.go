package present

import (
	"lockstep/cluster/inventory"
	"lockstep/views/locale"
)

// reasonForms say in which message a cause is said: the first all of whose
// values are there. A test holds them against the causes that there are.
var reasonForms = map[inventory.Cause][]doubtForm{
	inventory.OverRanks:    {{"", []string{"asked", "most"}, "nodes.why.over-ranks"}},
	inventory.OverBytes:    {{"", []string{"asked", "most"}, "nodes.why.over-bytes"}},
	inventory.OverSeconds:  {{"", []string{"most"}, "nodes.why.over-seconds"}},
	inventory.NodeBusy:     {{"", nil, "nodes.why.busy"}},
	inventory.OtherVersion: {{"", nil, "nodes.why.version"}},
	inventory.NodeStops:    {{"", nil, "nodes.why.stops"}},
	inventory.NodeOffline:  {{"", nil, "nodes.why.offline"}},
	inventory.NodeDraining: {{"", nil, "nodes.why.draining"}},
	inventory.NodeRevoked:  {{"", nil, "nodes.why.revoked"}},
	inventory.NodeUnknown:  {{"", nil, "nodes.why.unknown"}},
	inventory.NotOffered:   {{"", nil, "nodes.why.declined"}},
	inventory.Silent:       {{"", []string{"after"}, "nodes.why.silent"}},
	inventory.Ended:        {{"", nil, "nodes.why.ended"}},
	inventory.Unreachable:  {{"", []string{"address", "error"}, "nodes.why.unreachable"}},
	inventory.NoAnswer:     {{"", []string{"address", "after"}, "nodes.why.no-answer"}},
	inventory.NobodyCame:   {{"", nil, "nodes.why.nobody-came"}},
	inventory.NoListener:   {{"", []string{"error"}, "nodes.why.no-listener"}},
	inventory.WrongKey:     {{"", nil, "nodes.why.wrong-key"}},
	inventory.WrongAddress: {{"", []string{"address"}, "nodes.why.no-address"}},
	inventory.NoFigures:    {{"", nil, "nodes.why.no-figures"}},
	inventory.BrokenOff:    {{"", []string{"error"}, "nodes.why.broken-off"}},
}

// reason says what the matter with a node is; false for what this version does
// not know, of which only the words of whoever has sent it tell.
func reason(l locale.Locale, cause string, values map[string]string) (string, bool) {
	for _, form := range reasonForms[inventory.Cause(cause)] {
		if form.fits(values) {
			return l.T(form.message, said(l, values)), true
		}
	}
	return "", false
}
