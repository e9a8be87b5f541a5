//go:build linux && (amd64 || arm64)

package inventory

import (
	"fmt"
	"strings"
	"time"

	"lockstep/engine/unit"
)

// nvmlFile is NVIDIA's management library, by the name that the linker knows
// it under wherever the driver is installed.
const nvmlFile = "libnvidia-ml.so.1"

// askDriver adds what NVIDIA's own library knows. It runs code of the driver,
// which cannot be interrupted: when that takes longer than patience, the call
// is left behind until it returns, if ever, and touches nothing of n.
func (n *Node) askDriver(file string, patience time.Duration) {
	type answer struct {
		told  told
		found bool
		err   error
	}
	answers := make(chan answer, 1)
	go func() {
		var a answer
		if library := openNVML(file); library != nil {
			a.found = true
			a.told, a.err = library.ask()
		}
		answers <- a
	}()
	late := time.NewTimer(patience)
	defer late.Stop()
	select {
	case a := <-answers:
		if a.found { // else the kernel alone has told
			n.learn(a.told, a.err)
		}
	case <-late.C:
		if n.GPUsWhy != NoDriver {
			n.GPUsWhy = NVMLSilent
		}
	}
}

// told is what NVML has told.
type told struct {
	driver, cuda string
	gpus         []toldGPU
}

type toldGPU struct {
	GPU
	peers    map[string]int // links that end at the GPU with that bus address
	switched int            // links that end at an NVSwitch
}

// ask reads everything from the library.
func (l *nvml) ask() (t told, err error) {
	if err := l.failure("nvmlInit", l.init()); err != nil {
		return t, err
	}
	defer l.shutdown()
	t.driver = text(func(to *byte, room uint32) nvmlReturn { return l.driverVersion(to, room) })
	var cuda int32
	if l.cudaVersion(&cuda) == nvmlSuccess {
		t.cuda = fmt.Sprintf("%d.%d", cuda/1000, cuda%1000/10)
	}
	var count uint32
	if err := l.failure("nvmlDeviceGetCount", l.deviceCount(&count)); err != nil {
		return t, err
	}
	for i := range min(count, maxGPUs) {
		var device nvmlDevice
		if err := l.failure(fmt.Sprintf("nvmlDeviceGetHandleByIndex %d", i), l.deviceByIndex(i, &device)); err != nil {
			return t, err
		}
		t.gpus = append(t.gpus, l.askGPU(device))
	}
	return t, nil
}

// askGPU reads what a device tells; what it does not stays absent.
func (l *nvml) askGPU(device nvmlDevice) toldGPU {
	g := toldGPU{peers: map[string]int{}}
	g.Name = text(func(to *byte, room uint32) nvmlReturn { return l.name(device, to, room) })
	g.ID = shortID(text(func(to *byte, room uint32) nvmlReturn { return l.uuid(device, to, room) }))
	var memory nvmlMemory
	if l.memory(device, &memory) == nvmlSuccess && memory.Total < 1<<62 {
		g.Memory = unit.Bytes(memory.Total)
	}
	var pci nvmlPCI
	if l.pci(device, &pci) == nvmlSuccess {
		g.Bus = kernelBus(upToNUL(pci.BusID[:]))
	}
	for link := range uint32(nvmlMaxLinks) {
		var up int32
		if l.linkState == nil || l.linkState(device, link, &up) != nvmlSuccess || up != nvmlEnabled {
			continue
		}
		g.NVLinks++
		var kind int32
		if l.linkKind != nil && l.linkKind(device, link, &kind) == nvmlSuccess && kind == nvmlLinkToSwitch {
			g.switched++
			continue
		}
		var peer nvmlPCI
		if l.linkPeer != nil && l.linkPeer(device, link, &peer) == nvmlSuccess {
			g.peers[kernelBus(upToNUL(peer.BusID[:]))]++
		}
	}
	if g.NVLinks > 0 && l.fields != nil {
		speed := nvmlField{Field: nvmlLinkSpeed}
		if l.fields(device, 1, &speed) == nvmlSuccess && speed.Return == nvmlSuccess {
			g.Lane = speed.lane()
		}
	}
	return g
}

// kernelBus is a PCI address as the kernel writes it: NVML has eight digits of
// domain, and capitals.
func kernelBus(address string) string {
	bus := strings.ToLower(address)
	if len(bus) > len("0000:00:00.0") {
		bus = strings.TrimPrefix(bus, "0000")
	}
	return bus
}

// learn joins what NVML told to what the kernel did.
func (n *Node) learn(t told, err error) {
	if err != nil {
		if n.GPUsWhy != NoDriver {
			n.GPUsWhy, n.GPUsFault = NVMLRefused, err.Error()
		}
		return
	}
	n.GPUDriver, n.CUDA = t.driver, t.cuda
	if len(t.gpus) == 0 {
		n.GPUsWhy = NothingThere
		return
	}
	seen := map[string]GPU{}
	for _, gpu := range n.GPUs {
		seen[gpu.Bus] = gpu
	}
	paths := map[[2]string]Path{}
	for _, l := range n.GPULinks {
		paths[[2]string{n.GPUs[l.A].Bus, n.GPUs[l.B].Bus}] = l.Path
	}
	n.GPUsWhy, n.GPUs, n.GPULinks = "", nil, nil
	for _, g := range t.gpus {
		g.NUMA = seen[g.Bus].NUMA
		n.GPUs = append(n.GPUs, g.GPU)
	}
	for a, g := range t.gpus {
		for b := a + 1; b < len(t.gpus); b++ {
			peer := t.gpus[b]
			l := GPULink{A: a, B: b, NVLinks: g.peers[peer.Bus] + min(g.switched, peer.switched), Path: paths[[2]string{g.Bus, peer.Bus}]}
			l.Rate = unit.Rate(l.NVLinks) * min(g.Lane, peer.Lane)
			if l.NVLinks > 0 || l.Path != "" {
				n.GPULinks = append(n.GPULinks, l)
			}
		}
	}
}
