//go:build linux && (amd64 || arm64)

package inventory

import (
	"bytes"
	"encoding/binary"
	"fmt"

	"github.com/ebitengine/purego"

	"lockstep/engine/unit"
)

// nvml is the dozen functions of NVIDIA's library that are called here, bound
// when the program runs: one program starts with and without a driver
// (docs/decisions/0015-nvml-at-run-time.md). Types and numbers are those of
// nvml.h. What an old driver lacks is nil.
type nvml struct {
	init          func() nvmlReturn
	shutdown      func() nvmlReturn
	errorString   func(nvmlReturn) string
	driverVersion func(to *byte, room uint32) nvmlReturn
	cudaVersion   func(*int32) nvmlReturn
	deviceCount   func(*uint32) nvmlReturn
	deviceByIndex func(uint32, *nvmlDevice) nvmlReturn
	name, uuid    func(device nvmlDevice, to *byte, room uint32) nvmlReturn
	memory        func(nvmlDevice, *nvmlMemory) nvmlReturn
	pci           func(nvmlDevice, *nvmlPCI) nvmlReturn

	linkState func(device nvmlDevice, link uint32, up *int32) nvmlReturn
	linkKind  func(device nvmlDevice, link uint32, kind *int32) nvmlReturn
	linkPeer  func(device nvmlDevice, link uint32, peer *nvmlPCI) nvmlReturn
	fields    func(device nvmlDevice, count int32, values *nvmlField) nvmlReturn
}

type (
	nvmlReturn int32
	nvmlDevice uintptr // belongs to the library
)

const nvmlSuccess nvmlReturn = 0

const (
	nvmlEnabled      = 1
	nvmlLinkToSwitch = 2
	nvmlMaxLinks     = 36
	nvmlLinkSpeed    = 90 // NVML_FI_DEV_NVLINK_SPEED_MBPS_COMMON
	nvmlUnsignedInt  = 1  // NVML_VALUE_TYPE_UNSIGNED_INT
	nvmlTextRoom     = 96 // the longest text that it writes: a name or a UUID
)

// nvmlMemory is nvmlMemory_t.
type nvmlMemory struct{ Total, Free, Used uint64 }

// nvmlPCI is nvmlPciInfo_t.
type nvmlPCI struct {
	LegacyID                           [16]byte
	Domain, Bus, Device, ID, Subsystem uint32
	BusID                              [32]byte
}

// nvmlField is nvmlFieldValue_t.
type nvmlField struct {
	Field, Scope       uint32
	Timestamp, Latency int64
	Type               int32
	Return             nvmlReturn
	Value              [8]byte
}

// lane is the rate of one NVLink per direction, which comes in MB/s.
func (f nvmlField) lane() unit.Rate {
	megabytes := binary.NativeEndian.Uint64(f.Value[:])
	if f.Type == nvmlUnsignedInt {
		megabytes = uint64(binary.NativeEndian.Uint32(f.Value[:]))
	}
	if megabytes > 1e7 {
		return 0
	}
	return unit.Rate(megabytes) * 1e6
}

// openNVML loads the library and binds it, or returns nil where it is not there
// or is none. It stays loaded: a driver's threads may run in it.
func openNVML(file string) *nvml {
	handle, err := purego.Dlopen(file, purego.RTLD_LAZY|purego.RTLD_LOCAL)
	if err != nil {
		return nil
	}
	l := &nvml{}
	for _, f := range []struct {
		bound  any
		symbol string
		needed bool
	}{
		{&l.init, "nvmlInit_v2", true},
		{&l.shutdown, "nvmlShutdown", true},
		{&l.errorString, "nvmlErrorString", true},
		{&l.driverVersion, "nvmlSystemGetDriverVersion", true},
		{&l.cudaVersion, "nvmlSystemGetCudaDriverVersion", true},
		{&l.deviceCount, "nvmlDeviceGetCount_v2", true},
		{&l.deviceByIndex, "nvmlDeviceGetHandleByIndex_v2", true},
		{&l.name, "nvmlDeviceGetName", true},
		{&l.uuid, "nvmlDeviceGetUUID", true},
		{&l.memory, "nvmlDeviceGetMemoryInfo", true},
		{&l.pci, "nvmlDeviceGetPciInfo_v3", true},
		{&l.linkState, "nvmlDeviceGetNvLinkState", false},
		{&l.linkKind, "nvmlDeviceGetNvLinkRemoteDeviceType", false},
		{&l.linkPeer, "nvmlDeviceGetNvLinkRemotePciInfo_v2", false},
		{&l.fields, "nvmlDeviceGetFieldValues", false},
	} {
		address, err := purego.Dlsym(handle, f.symbol)
		switch {
		case err == nil:
			purego.RegisterFunc(f.bound, address)
		case f.needed:
			return nil
		}
	}
	return l
}

// failure makes an error of what a call returned; nil for success.
func (l *nvml) failure(call string, code nvmlReturn) error {
	if code == nvmlSuccess {
		return nil
	}
	return fmt.Errorf("%s: %s", call, l.errorString(code))
}

// text calls a function that writes a text; empty when it fails.
func text(write func(to *byte, room uint32) nvmlReturn) string {
	var room [nvmlTextRoom]byte
	if write(&room[0], nvmlTextRoom) != nvmlSuccess {
		return ""
	}
	return upToNUL(room[:])
}

// upToNUL is a text of C.
func upToNUL(b []byte) string {
	b, _, _ = bytes.Cut(b, []byte{0})
	return string(b)
}
