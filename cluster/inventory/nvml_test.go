//go:build linux && cgo && nvml

package inventory

import (
	"fmt"
	"testing"
	"time"

	"github.com/NVIDIA/go-nvml/pkg/nvml"
	"github.com/NVIDIA/go-nvml/pkg/nvml/mock"
	"github.com/google/go-cmp/cmp"

	"lockstep/engine/unit"
)

// pciInfo is an address as NVML writes it.
func pciInfo(address string) (info nvml.PciInfo) {
	for i, c := range []byte(address) {
		info.BusId[i] = int8(c)
	}
	return info
}

// twin is a machine of four GPUs that NVML knows: 0 and 1 share four links, 2
// and 3 have theirs to a switch, one of them two less.
func twin() *mock.Interface {
	links := func(g int) []string {
		switch g {
		case 0, 1:
			peer := fmt.Sprintf("00000000:%02X:00.0", 0x1b+(1-g))
			return []string{peer, peer, peer, peer}
		case 2:
			return []string{"", "", "", "", "", ""}
		}
		return []string{"", "", "", ""}
	}
	device := func(g int) nvml.Device {
		return &mock.Device{
			GetNameFunc: func() (string, nvml.Return) { return "NVIDIA H100 80GB HBM3", nvml.SUCCESS },
			GetUUIDFunc: func() (string, nvml.Return) {
				return fmt.Sprintf("GPU-a1b2c30%d-1111-2222-3333-444455556666", g), nvml.SUCCESS
			},
			GetMemoryInfoFunc: func() (nvml.Memory, nvml.Return) { return nvml.Memory{Total: 80 << 30}, nvml.SUCCESS },
			GetPciInfoFunc: func() (nvml.PciInfo, nvml.Return) {
				return pciInfo(fmt.Sprintf("00000000:%02X:00.0", 0x1b+g)), nvml.SUCCESS
			},
			GetNvLinkStateFunc: func(link int) (nvml.EnableState, nvml.Return) {
				if link >= len(links(g)) {
					return 0, nvml.ERROR_NOT_SUPPORTED
				}
				return nvml.FEATURE_ENABLED, nvml.SUCCESS
			},
			GetNvLinkRemoteDeviceTypeFunc: func(link int) (nvml.IntNvLinkDeviceType, nvml.Return) {
				if links(g)[link] == "" {
					return nvml.NVLINK_DEVICE_TYPE_SWITCH, nvml.SUCCESS
				}
				return nvml.NVLINK_DEVICE_TYPE_GPU, nvml.SUCCESS
			},
			GetNvLinkRemotePciInfoFunc: func(link int) (nvml.PciInfo, nvml.Return) { return pciInfo(links(g)[link]), nvml.SUCCESS },
			GetFieldValuesFunc: func(values []nvml.FieldValue) nvml.Return {
				values[0].ValueType = uint32(nvml.VALUE_TYPE_UNSIGNED_INT)
				values[0].Value = [8]byte{0xc2, 0x67, 0, 0, 0xff} // 26562, and what no one has written
				return nvml.SUCCESS
			},
		}
	}
	return &mock.Interface{
		InitFunc:                       func() nvml.Return { return nvml.SUCCESS },
		ShutdownFunc:                   func() nvml.Return { return nvml.SUCCESS },
		ErrorStringFunc:                func(nvml.Return) string { return "GPU is lost" },
		SystemGetDriverVersionFunc:     func() (string, nvml.Return) { return "550.90.07", nvml.SUCCESS },
		SystemGetCudaDriverVersionFunc: func() (int, nvml.Return) { return 12040, nvml.SUCCESS },
		DeviceGetCountFunc:             func() (int, nvml.Return) { return 4, nvml.SUCCESS },
		DeviceGetHandleByIndexFunc:     func(g int) (nvml.Device, nvml.Return) { return device(g), nvml.SUCCESS },
	}
}

func TestNVMLAddsToWhatTheKernelTells(t *testing.T) {
	zero := 0
	n := Node{GPUsWhy: WithoutNVML, GPUs: []GPU{{Bus: "0000:1b:00.0", NUMA: &zero}, {Bus: "0000:1c:00.0"}},
		GPULinks: []GPULink{{A: 0, B: 1, Path: PIX}}}
	told, err := askNVML(twin())
	n.learn(told, err)
	if n.GPUsWhy != "" || n.GPUDriver != "550.90.07" || n.CUDA != "12.4" || len(n.GPUs) != 4 {
		t.Fatalf("%d GPUs, driver %q, CUDA %q, why %q", len(n.GPUs), n.GPUDriver, n.CUDA, n.GPUsWhy)
	}
	const lane = 26.562e9
	want := GPU{Name: "NVIDIA H100 80GB HBM3", ID: "a1b2c300", Memory: 80 * unit.GiB, Bus: "0000:1b:00.0", NUMA: &zero, NVLinks: 4, Lane: lane}
	if diff := cmp.Diff(want, n.GPUs[0]); diff != "" {
		t.Errorf("GPU 0 (-want +got):\n%s", diff)
	}
	links := []GPULink{{A: 0, B: 1, Path: PIX, NVLinks: 4, Rate: 4 * lane}, {A: 2, B: 3, NVLinks: 4, Rate: 4 * lane}}
	if diff := cmp.Diff(links, n.GPULinks); diff != "" {
		t.Errorf("links (-want +got):\n%s", diff)
	}
	if err := n.Check(); err != nil {
		t.Error(err)
	}
}

func TestNVMLThatFailsLeavesWhatTheKernelTold(t *testing.T) {
	lost := twin()
	lost.DeviceGetHandleByIndexFunc = func(int) (nvml.Device, nvml.Return) { return nil, nvml.ERROR_GPU_IS_LOST }
	n := Node{GPUsWhy: WithoutNVML, GPUs: []GPU{{Bus: "0000:1b:00.0"}}}
	told, err := askNVML(lost)
	n.learn(told, err)
	if n.GPUsWhy != NVMLRefused || n.GPUsFault != "nvmlDeviceGetHandleByIndex 0: GPU is lost" || len(n.GPUs) != 1 {
		t.Errorf("%d GPUs, %s: %s", len(n.GPUs), n.GPUsWhy, n.GPUsFault)
	}
	none := twin()
	none.InitFunc = func() nvml.Return { return nvml.ERROR_LIBRARY_NOT_FOUND }
	n = Node{GPUsWhy: NoDriver}
	told, err = askNVML(none)
	n.learn(told, err)
	if n.GPUsWhy != NoDriver || n.GPUsFault != "" {
		t.Errorf("without a driver: %s, %q", n.GPUsWhy, n.GPUsFault)
	}
}

// A machine without a driver is not harmed by the real library's absence.
func TestRealNVMLReturns(t *testing.T) {
	n := Node{GPUsWhy: NoDriver}
	n.askDriver(time.Minute)
	if n.GPUsWhy == NVMLSilent {
		t.Error("NVML did not answer in a minute")
	}
}
