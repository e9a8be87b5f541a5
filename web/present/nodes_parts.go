package present

import (
	"fmt"
	"strconv"
	"strings"

	"lockstep/cluster/inventory"
	"lockstep/views"
	"lockstep/views/locale"
)

// gpuNotes say in words what the picture of a machine shows or leaves out
// about its GPUs.
func gpuNotes(l locale.Locale, n inventory.Node) []string {
	var notes []string
	if len(n.GPUs) > 0 {
		kinds := map[string]int{}
		var order []string
		for _, gpu := range n.GPUs {
			words := gpu.Name
			if gpu.Memory > 0 {
				words = l.T("nodes.gpu.with", locale.Values{"Name": gpu.Name, "Memory": memory(gpu.Memory)})
			}
			if kinds[words] == 0 {
				order = append(order, words)
			}
			kinds[words]++
		}
		for i, words := range order {
			order[i] = fmt.Sprintf("%d × %s", kinds[words], words)
		}
		notes = append(notes, l.T("nodes.sentence", locale.Values{"Words": joined(l, order)}))
		notes = append(notes, railNotes(l, n)...)
	}
	if message, known := gpusWhy[n.GPUsWhy]; known {
		why := l.T(message)
		if n.GPUsFault != "" {
			why += " " + n.GPUsFault
		}
		notes = append(notes, why)
	}
	return notes
}

// gpuTable lists the GPUs, nil for none.
func gpuTable(l locale.Locale, n inventory.Node) *views.NodeTable {
	if len(n.GPUs) == 0 {
		return nil
	}
	t := &views.NodeTable{Title: l.T("nodes.gpus"), Heads: []string{
		l.T("nodes.gpus"), l.T("nodes.gpu.model"), l.T("home.machine.memory"), l.T("nodes.gpu.nvlink"), l.T("nodes.gpu.bus"), "NUMA", "UUID"}}
	for i, gpu := range n.GPUs {
		links := ""
		switch {
		case gpu.NVLinks > 0 && gpu.Lane > 0:
			links = l.T("nodes.gpu.lanes", locale.Values{"Count": gpu.NVLinks, "Rate": gpu.Lane.String()})
		case gpu.NVLinks > 0:
			links = strconv.Itoa(gpu.NVLinks)
		}
		size := ""
		if gpu.Memory > 0 {
			size = memory(gpu.Memory)
		}
		t.Rows = append(t.Rows, []string{fmt.Sprintf("GPU %d", i), gpu.Name, size, links, gpu.Bus, numa(gpu.NUMA), gpu.ID})
	}
	t.Closing = pathNote(l, n)
	return t
}

func numa(number *int) string {
	if number == nil {
		return ""
	}
	return strconv.Itoa(*number)
}

// pathNote says which ways over PCIe lie between GPUs, those that are shortest
// first; empty where that is not known.
func pathNote(l locale.Locale, n inventory.Node) string {
	var parts []string
	for _, p := range pathWords {
		count := 0
		for _, link := range n.GPULinks {
			if link.Path == p.of {
				count++
			}
		}
		if count > 0 {
			parts = append(parts, l.T(p.message, locale.Values{"Count": count}))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return l.T("nodes.paths", locale.Values{"Paths": joined(l, parts)})
}

// portTable lists the network ports, nil for none. Addresses are for those who
// look after the machines.
func portTable(l locale.Locale, n inventory.Node, keeps bool) *views.NodeTable {
	if len(n.NICs) == 0 {
		return nil
	}
	t := &views.NodeTable{Title: l.T("home.machine.networks"), Heads: []string{
		l.T("nodes.port"), l.T("nodes.port.rate"), l.T("nodes.port.kind"), l.T("nodes.port.near")}}
	addressed := false
	for _, nic := range n.NICs {
		addressed = addressed || keeps && len(nic.Addresses) > 0
	}
	if addressed {
		t.Heads = append(t.Heads, l.T("nodes.port.addresses"))
	}
	for _, nic := range n.NICs {
		rate := l.T("nodes.port.unknown")
		switch {
		case !nic.Up:
			rate = l.T("nodes.port.down")
		case nic.Rate > 0:
			rate = rateWords(l, nic.Rate)
		}
		kind := nic.Driver
		if message, known := nicKinds[nic.Kind]; known {
			kind = l.T(message)
			if nic.Driver != "" {
				kind = l.T("nodes.port.driver", locale.Values{"Kind": kind, "Driver": nic.Driver})
			}
		}
		var near []string
		if nic.NUMA != nil {
			near = append(near, fmt.Sprintf("NUMA %d", *nic.NUMA))
		}
		for _, g := range nic.Near {
			near = append(near, fmt.Sprintf("GPU %d", g))
		}
		row := []string{nic.Name, rate, kind, joined(l, near)}
		if addressed {
			row = append(row, strings.Join(nic.Addresses, " "))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// vendorLibraries says which are there and whose, and which launchers.
func vendorLibraries(l locale.Locale, n inventory.Node) []views.NodeLibrary {
	var found []views.NodeLibrary
	for _, lib := range n.Libraries {
		row := views.NodeLibrary{Name: lib.Name, Status: views.Status{Kind: "ok", Word: l.T("nodes.library.found")}}
		words := strings.TrimSpace(lib.Kind + " " + lib.Version)
		switch {
		case lib.File == "":
			row.Status = views.Status{Kind: "off", Word: l.T("nodes.library.none")}
			row.Text = l.T("nodes.library.looked")
		case lib.Fault != "":
			row.Status = views.Status{Kind: "bad", Word: l.T("nodes.library.bad")}
			row.Text = l.T("nodes.library.fault", locale.Values{"File": lib.File, "Fault": lib.Fault})
		case words == "":
			row.Text = lib.File
		default:
			row.Text = l.T("nodes.library.at", locale.Values{"What": words, "File": lib.File})
		}
		found = append(found, row)
	}
	for _, launcher := range n.Launchers {
		text := launcher.File
		if launcher.Kind != "" {
			text = l.T("nodes.library.at", locale.Values{"What": launcher.Kind, "File": launcher.File})
		}
		found = append(found, views.NodeLibrary{Name: launcher.Name, Status: views.Status{Kind: "ok", Word: l.T("nodes.library.found")}, Text: text})
	}
	return found
}
