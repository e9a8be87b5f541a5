//go:build linux && cgo && nvml

package inventory

import (
	"encoding/binary"
	"fmt"
	"strings"
	"time"

	"github.com/NVIDIA/go-nvml/pkg/nvml"

	"lockstep/engine/unit"
)

// askDriver adds what NVIDIA's own library knows. It runs code of the driver,
// which cannot be interrupted: when that takes longer than patience, the call
// is left behind until it returns, if ever, and touches nothing of n.
func (n *Node) askDriver(patience time.Duration) {
	type answer struct {
		told told
		err  error
	}
	answers := make(chan answer, 1)
	go func() {
		var a answer
		a.told, a.err = askNVML(nvml.New())
		answers <- a
	}()
	late := time.NewTimer(patience)
	defer late.Stop()
	select {
	case a := <-answers:
		n.learn(a.told, a.err)
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

// nvmlError is a return code as an error.
type nvmlError struct {
	call string
	code nvml.Return
	text string
}

func (e *nvmlError) Error() string { return fmt.Sprintf("%s: %s", e.call, e.text) }

// askNVML reads everything from the library.
func askNVML(library nvml.Interface) (t told, err error) {
	if code := library.Init(); code != nvml.SUCCESS {
		return t, &nvmlError{"nvmlInit", code, nvml.ErrorString(code)}
	}
	defer library.Shutdown()
	if version, code := library.SystemGetDriverVersion(); code == nvml.SUCCESS {
		t.driver = version
	}
	if version, code := library.SystemGetCudaDriverVersion(); code == nvml.SUCCESS {
		t.cuda = fmt.Sprintf("%d.%d", version/1000, version%1000/10)
	}
	count, code := library.DeviceGetCount()
	if code != nvml.SUCCESS {
		return t, &nvmlError{"nvmlDeviceGetCount", code, library.ErrorString(code)}
	}
	for i := range min(count, maxGPUs) {
		device, code := library.DeviceGetHandleByIndex(i)
		if code != nvml.SUCCESS {
			return t, &nvmlError{fmt.Sprintf("nvmlDeviceGetHandleByIndex %d", i), code, library.ErrorString(code)}
		}
		t.gpus = append(t.gpus, askGPU(device))
	}
	return t, nil
}

// askGPU reads what a device tells; what it does not stays absent.
func askGPU(device nvml.Device) toldGPU {
	g := toldGPU{peers: map[string]int{}}
	if name, code := device.GetName(); code == nvml.SUCCESS {
		g.Name = name
	}
	if uuid, code := device.GetUUID(); code == nvml.SUCCESS {
		g.ID = shortID(uuid)
	}
	if memory, code := device.GetMemoryInfo(); code == nvml.SUCCESS && memory.Total < 1<<62 {
		g.Memory = unit.Bytes(memory.Total)
	}
	if info, code := device.GetPciInfo(); code == nvml.SUCCESS {
		g.Bus = kernelBus(info)
	}
	for link := range nvml.NVLINK_MAX_LINKS {
		if state, code := device.GetNvLinkState(link); code != nvml.SUCCESS || state != nvml.FEATURE_ENABLED {
			continue
		}
		g.NVLinks++
		if kind, code := device.GetNvLinkRemoteDeviceType(link); code == nvml.SUCCESS && kind == nvml.NVLINK_DEVICE_TYPE_SWITCH {
			g.switched++
			continue
		}
		if info, code := device.GetNvLinkRemotePciInfo(link); code == nvml.SUCCESS {
			g.peers[kernelBus(info)]++
		}
	}
	if g.NVLinks > 0 {
		speed := []nvml.FieldValue{{FieldId: nvml.FI_DEV_NVLINK_SPEED_MBPS_COMMON}}
		if code := device.GetFieldValues(speed); code == nvml.SUCCESS && nvml.Return(speed[0].NvmlReturn) == nvml.SUCCESS {
			g.Lane = laneRate(speed[0])
		}
	}
	return g
}

// laneRate is the rate of one NVLink per direction, which comes in MB/s.
func laneRate(v nvml.FieldValue) unit.Rate {
	megabytes := binary.NativeEndian.Uint64(v.Value[:])
	if nvml.ValueType(v.ValueType) == nvml.VALUE_TYPE_UNSIGNED_INT {
		megabytes = uint64(binary.NativeEndian.Uint32(v.Value[:]))
	}
	if megabytes > 1e7 {
		return 0
	}
	return unit.Rate(megabytes) * 1e6
}

// kernelBus is a PCI address as the kernel writes it: NVML has eight digits of
// domain, and capitals.
func kernelBus(info nvml.PciInfo) string {
	var text strings.Builder
	for _, c := range info.BusId {
		if c <= 0 {
			break
		}
		text.WriteByte(byte(c))
	}
	bus := strings.ToLower(text.String())
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
