package local

import (
	"strings"
	"testing"
)

func TestEnvironmentIsAnAllowList(t *testing.T) {
	got := strings.Join(environment([]string{"PATH=/bin", "AWS_SECRET_ACCESS_KEY=x", "HOME=/root", "LD_PRELOAD=evil.so", "GODEBUG=a=1"}), " ")
	if got != "GOMAXPROCS=2 PATH=/bin HOME=/root GODEBUG=a=1" {
		t.Error(got)
	}
}

func TestTailKeepsThePanic(t *testing.T) {
	var p tail
	_, _ = p.Write([]byte(strings.Repeat("noise\n", 5000)))
	if got := p.line(); got != "noise" {
		t.Errorf("%q", got)
	}
	_, _ = p.Write([]byte("panic: runtime error\n\ngoroutine 1 [running]:\n"))
	_, _ = p.Write([]byte(strings.Repeat("main.main()\n", 1000)))
	if got := p.line(); got != "panic: runtime error" {
		t.Errorf("%q", got)
	}
	if len(p.text) != 4<<10 {
		t.Errorf("keeps %d bytes", len(p.text))
	}
}
