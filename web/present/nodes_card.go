package present

import (
	"fmt"
	"strings"

	"lockstep/cluster/inventory"
	"lockstep/engine/unit"
	"lockstep/views"
	"lockstep/views/locale"
)

// ownCard is the console's own machine.
func ownCard(f Frame, c Cluster) views.NodeCard {
	l := f.Locale
	card := views.NodeCard{
		ID:       "node-here",
		Name:     c.Machine.Host,
		Role:     l.T("nodes.here"),
		Standing: views.Status{Kind: "ok", Word: l.T("nodes.standing.ready")},
		Lines:    []string{l.T("nodes.here.ranks", locale.Values{"Count": c.LocalRanks})},
		Run:      runOn(f, c, ""),
	}
	if card.Name == "" {
		card.Name = l.T("nodes.here")
	}
	describe(f, &card, c.Machine)
	return card
}

// memberCard is a node that joined, the one at an index.
func memberCard(f Frame, c Cluster, index int, m inventory.Member) views.NodeCard {
	l := f.Locale
	card := views.NodeCard{
		ID:   fmt.Sprintf("node-%d", index),
		Name: m.Name,
		Run:  runOn(f, c, m.Name),
	}
	for _, standing := range standings {
		if standing.of == m.Standing {
			card.Standing = views.Status{Kind: standing.kind, Word: l.T(standing.word)}
		}
	}
	if m.Node.Host != m.Name {
		card.Role = m.Node.Host
	}
	switch m.Standing {
	case inventory.Offline:
		card.Lines = append(card.Lines,
			l.T("nodes.offline", locale.Values{"When": when(m.Seen)}),
			l.T("nodes.offline.next", locale.Values{"Command": "console agent"}))
	case inventory.Revoked:
		card.Lines = append(card.Lines, l.T("nodes.revoked"))
	default:
		card.Lines = append(card.Lines, l.T("nodes.connected", locale.Values{"Address": m.Address, "Joined": when(m.Joined)}))
	}
	if m.Standing == inventory.Draining {
		card.Lines = append(card.Lines, l.T("nodes.draining"))
	}
	if limits := limitWords(l, m.Limits); limits != "" {
		card.Lines = append(card.Lines, limits)
	}
	switch {
	case m.Build != "" && m.Build != f.Version:
		card.Doubts = append(card.Doubts, views.NodeDoubt{Text: l.T("nodes.doubt.build", locale.Values{"Build": m.Build, "Own": f.Version})})
	case m.Doubt != "":
		card.Doubts = append(card.Doubts, views.NodeDoubt{Text: l.T("nodes.doubt"), Verbatim: m.Doubt})
	}
	describe(f, &card, m.Node)
	card.Facts = append(card.Facts, views.Fact{Name: l.T("nodes.fact.build"), Values: []string{m.Build}})
	if !m.Admission.Expires.IsZero() {
		card.Facts = append(card.Facts, views.Fact{Name: l.T("nodes.fact.certificate"), Values: []string{
			l.T("nodes.fact.certificate.text", locale.Values{"Serial": m.Admission.Serial, "When": when(m.Admission.Expires)})}})
	}
	if f.keeps() {
		acts(f, &card, m)
	}
	return card
}

// acts are what an admin can do with a node as it stands.
func acts(f Frame, card *views.NodeCard, m inventory.Member) {
	l := f.Locale
	do := func(change inventory.Change, message string) {
		card.Acts = append(card.Acts, views.RunAction{
			URL: f.nodesURL(m.Name, string(change)), Label: l.T(message), Fields: []views.RunField{{Name: "do", Value: string(change)}}})
	}
	ask := func(change inventory.Change, message string) {
		card.Asks = append(card.Asks, views.NodeLink{
			ID: card.ID + "-" + string(change), Label: l.T(message), URL: f.nodesURL(m.Name, string(change))})
	}
	switch m.Standing {
	case inventory.Ready:
		do(inventory.Drain, "nodes.drain")
	case inventory.Draining:
		do(inventory.Resume, "nodes.resume")
	}
	if m.Standing != inventory.Revoked {
		ask(inventory.Revoke, "nodes.revoke")
	}
	if m.Standing == inventory.Offline || m.Standing == inventory.Revoked {
		ask(inventory.Forget, "nodes.forget")
	}
}

// limitWords says what a node accepts by its own word, empty for no limits.
func limitWords(l locale.Locale, limits inventory.Limits) string {
	var parts []string
	if limits.Ranks > 0 {
		parts = append(parts, l.T("nodes.limit.ranks", locale.Values{"Count": limits.Ranks}))
	}
	if limits.Bytes > 0 {
		parts = append(parts, l.T("nodes.limit.bytes", locale.Values{"Size": limits.Bytes.String()}))
	}
	if limits.Seconds > 0 {
		parts = append(parts, l.T("nodes.limit.seconds", locale.Values{"Count": limits.Seconds}))
	}
	if len(parts) == 0 {
		return ""
	}
	return l.T("nodes.limits", locale.Values{"Limits": joined(l, parts)})
}

// describe fills in what a machine has.
func describe(f Frame, card *views.NodeCard, n inventory.Node) {
	l := f.Locale
	picture := topology(l, card.Name, n)
	if len(picture.Domains) > 0 {
		wide, narrow := picture, picture
		narrow.Narrow = true
		card.Wide, card.Narrow = wide.SVG(), narrow.SVG()
	}
	card.Notes = gpuNotes(l, n)
	card.Facts = nodeFacts(l, n)
	card.GPUs = gpuTable(l, n)
	card.Ports = portTable(l, n, f.keeps())
	for _, table := range []*views.NodeTable{card.GPUs, card.Ports} {
		if table != nil {
			table.Region = strings.TrimSpace(l.T("nodes.region", locale.Values{"Title": table.Title, "Name": card.Name, "Role": card.Role}))
		}
	}
	card.Found = vendorLibraries(l, n)
}

// nodeFacts lists what is known of a machine as a whole.
func nodeFacts(l locale.Locale, n inventory.Node) []views.Fact {
	var facts []views.Fact
	add := func(message, value string) {
		if value != "" {
			facts = append(facts, views.Fact{Name: l.T(message), Values: []string{value}})
		}
	}
	system := n.OS + "/" + n.Arch
	if n.Kernel != "" {
		system = l.T("home.machine.kernel", locale.Values{"System": system, "Kernel": n.Kernel})
	}
	if n.OS != "" {
		add("home.machine.system", system)
	}
	add("home.machine.cpu", n.CPU)
	if n.CPUs > 0 {
		add("home.machine.cpus", fmt.Sprint(n.CPUs))
	}
	if n.Memory > 0 {
		add("home.machine.memory", memory(n.Memory))
	}
	var domains []string
	for _, d := range n.Domains {
		words := l.T("nodes.domain", locale.Values{"Number": d.Number, "Count": d.CPUs, "Socket": d.Socket, "List": d.List})
		if d.Memory > 0 {
			words = joined(l, []string{words, memory(d.Memory)})
		}
		domains = append(domains, words)
	}
	if len(domains) > 0 {
		facts = append(facts, views.Fact{Name: l.T("nodes.fact.numa"), Values: domains})
	}
	add("nodes.fact.driver", n.GPUDriver)
	add("nodes.fact.cuda", n.CUDA)
	return facts
}

// rateWords is a port's rate in bits, as on its box, and in bytes.
func rateWords(l locale.Locale, r unit.Rate) string {
	return l.T("nodes.rate", locale.Values{"Bits": bits(r), "Bytes": r.String()})
}
