package benchlog

import (
	"bytes"
	"os"
	"testing"
)

// A paste of the largest size is read while somebody waits.
func BenchmarkParse(b *testing.B) {
	for name, line := range map[string]string{
		"rows":  "  1073741824     268435456     float     sum      -1   5753.0  186.64  349.95      0   5754.5  186.59  349.86      0\n",
		"noise": "node0:1000:1010 [0] NCCL INFO Channel 00/0 : 1[0] -> 0[0] [receive] via NET/IBext_v8/0/GDRDMA comm 0x12345\n",
		"words": "12 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16.5 17 mpirun = Rank on device Size Latency | | | perf test osu_\n",
	} {
		b.Run(name, func(b *testing.B) {
			text := bytes.Repeat([]byte(line), MaxBytes/len(line))
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				Parse(os.DevNull, text)
			}
		})
	}
}
