//go:build !(linux && (amd64 || arm64))

package inventory

import "time"

const nvmlFile = ""

// askDriver leaves it at what the kernel has told: NVML is not asked on this
// system.
func (n *Node) askDriver(string, time.Duration) {}
