package agent

import (
	"log/slog"
	"strings"
	"testing"
	"time"

	"lockstep/cluster/inventory"
)

func TestPausesGrowAndDiffer(t *testing.T) {
	c := Config{Pause: 500 * time.Millisecond, MaxPause: 30 * time.Second}
	longest, seen := time.Duration(0), map[time.Duration]bool{}
	for range 100 {
		pause := c.Pause
		for range 20 {
			pause = c.after(pause)
			if pause < c.Pause || pause > c.MaxPause {
				t.Fatalf("pause of %v", pause)
			}
			longest, seen[pause] = max(longest, pause), true
		}
	}
	if longest != c.MaxPause || len(seen) < 100 {
		t.Errorf("longest pause %v, %d different ones", longest, len(seen))
	}
	if first := c.after(c.Pause); first > 3*c.Pause {
		t.Errorf("the first pause is %v", first)
	}
}

func TestOpenRefuses(t *testing.T) {
	good := Config{
		Console: "127.0.0.1:1", Name: "gpu-a", Log: slog.New(slog.DiscardHandler), Now: time.Now, Admitted: func() {},
	}
	for says, spoil := range map[string]func(*Config){
		"no name":                 func(c *Config) { c.Name = "a b" },
		"no address of a console": func(c *Config) { c.Console = "example" },
		"limits of -1 ranks":      func(c *Config) { c.Limits = inventory.Limits{Ranks: -1} },
		"clock":                   func(c *Config) { c.Now = nil },
	} {
		cfg := good
		cfg.State = t.TempDir()
		spoil(&cfg)
		a, err := Open(cfg)
		if err == nil {
			a.Close()
		}
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("Open = %v; want an error that says %q", err, says)
		}
	}
}
