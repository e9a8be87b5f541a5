package fabric_test

import (
	"errors"
	"strings"
	"testing"

	"lockstep/e2e/fabric"
)

func TestHostsHaveAddressesOfTheirOwn(t *testing.T) {
	f, err := fabric.New(fabric.Config{Hosts: 3, Mbits: 100})
	if errors.Is(err, fabric.ErrNotHere) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	for host := range 3 {
		out, err := f.Command(host, "ip", "-br", "address").CombinedOutput()
		if err != nil || !strings.Contains(string(out), fabric.Addr(host)+"/16") {
			t.Errorf("host %d: %v\n%s", host, err, out)
		}
	}
	if err := errors.Join(f.Cut(1), f.Mend(1), f.Close()); err != nil {
		t.Error(err)
	}
	if err := f.Command(0, "true").Run(); err == nil {
		t.Error("a host is left behind")
	}
}

func TestRefusesWhatIsNoFabric(t *testing.T) {
	for _, cfg := range []fabric.Config{{}, {Hosts: 65}, {Hosts: 2, Mbits: -1}} {
		if f, err := fabric.New(cfg); err == nil {
			t.Errorf("%+v: %v", cfg, f.Close())
		}
	}
}
