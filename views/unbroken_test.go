package views

import "testing"

func TestUnbroken(t *testing.T) {
	for sentence, want := range map[string]string{
		"10 workers take 21.6 s, a ring 2.16 s.": "10 workers take 21.6\u00a0s, a ring 2.16\u00a0s.",
		"最快，22.1 ms；是 4.1 倍":                     "最快，22.1\u00a0ms；是 4.1 倍",
		"1.2 GB at 12.5 GB/s or 100 Gb/s":        "1.2\u00a0GB at 12.5\u00a0GB/s or 100\u00a0Gb/s",
		"64 MiB on 8 ranks, 5 steps":             "64\u00a0MiB on 8 ranks, 5 steps",
	} {
		if got := unbroken(sentence); got != want {
			t.Errorf("%q becomes %q; want %q", sentence, got, want)
		}
	}
}
