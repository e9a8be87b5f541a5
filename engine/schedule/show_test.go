package schedule

import "testing"

func TestAnElementIsShownWithItsBits(t *testing.T) {
	for _, c := range []struct {
		of      DType
		element []byte
		want    string
	}{
		{Float32, []byte{0, 0, 0x60, 0x40}, "3.5 (0x40600000)"},
		{Float64, []byte{0, 0, 0, 0, 0, 0, 0x0c, 0x40}, "3.5 (0x400c000000000000)"},
		{Float16, []byte{0, 0x43}, "3.5 (0x4300)"},
		{BFloat16, []byte{0x60, 0x40}, "3.5 (0x4060)"},
		{Int32, []byte{0xfe, 0xff, 0xff, 0xff}, "-2 (0xfffffffe)"},
		{Int64, []byte{0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}, "-2 (0xfffffffffffffffe)"},
		{Uint8, []byte{200}, "200 (0xc8)"},
	} {
		if got := Show(c.of, c.element); got != c.want {
			t.Errorf("%s: %q; want %q", c.of, got, c.want)
		}
	}
}
