package present

import "lockstep/cluster/inventory"

// standings lists them as the page counts them, with their shapes and
// messages.
var standings = []struct {
	of                inventory.Standing
	kind, word, count string
}{
	{inventory.Ready, "ok", "nodes.standing.ready", "nodes.lead.ready"},
	{inventory.Draining, "run", "nodes.standing.draining", "nodes.lead.draining"},
	{inventory.Offline, "off", "nodes.standing.offline", "nodes.lead.offline"},
	{inventory.Revoked, "bad", "nodes.standing.revoked", "nodes.lead.revoked"},
}

// gpusWhy says why a machine shows no GPUs, or not all about them.
var gpusWhy = map[inventory.GPUsWhy]string{
	inventory.NoDriver:     "nodes.gpus.no-driver",
	inventory.OtherSystem:  "nodes.gpus.other-system",
	inventory.WithoutNVML:  "nodes.gpus.without-nvml",
	inventory.NVMLRefused:  "nodes.gpus.nvml-refused",
	inventory.NVMLSilent:   "nodes.gpus.nvml-silent",
	inventory.NothingThere: "nodes.gpus.nothing-there",
}

// pathWords are the ways between GPUs over PCIe, the shortest first.
var pathWords = []struct {
	of      inventory.Path
	message string
}{
	{inventory.PIX, "nodes.path.pix"}, {inventory.PXB, "nodes.path.pxb"}, {inventory.PHB, "nodes.path.phb"},
	{inventory.NODE, "nodes.path.node"}, {inventory.SYS, "nodes.path.sys"},
}

var nicKinds = map[inventory.NICKind]string{inventory.Ethernet: "nodes.port.ethernet", inventory.InfiniBand: "nodes.port.infiniband"}

// question holds the messages of what is asked before a change.
type question struct{ title, text, do string }

var questions = map[inventory.Change]question{
	inventory.Revoke: {"nodes.revoke.title", "nodes.revoke.text", "nodes.revoke.go"},
	inventory.Forget: {"nodes.forget.title", "nodes.forget.text", "nodes.forget.go"},
}
