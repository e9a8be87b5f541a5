package inventory_test

import (
	"errors"
	"strings"
	"testing"

	"lockstep/cluster/inventory"
)

func TestAddressesAreOfOneMachine(t *testing.T) {
	for _, good := range []string{"192.0.2.7:40000", "127.0.0.1:1", "[2001:db8::7]:65535", "[fe80::1%eth0]:7"} {
		if at, err := inventory.ParseAddress(good); err != nil || at.String() != good {
			t.Errorf("ParseAddress(%q) = %v, %v", good, at, err)
		}
	}
	for _, bad := range []string{
		"", "192.0.2.7", "192.0.2.7:", "192.0.2.7:0", "192.0.2.7:65536", "console.example:80", "localhost:80", ":80", "0.0.0.0:80", "[::]:80",
		"224.0.0.1:80", "memory", "192.0.2.7:80\n", "192.0.2.07:80", "[fe80::1%" + strings.Repeat("e", 200) + "]:7",
	} {
		at, err := inventory.ParseAddress(bad)
		var reason *inventory.Reason
		if !errors.As(err, &reason) || reason.Code != inventory.WrongAddress || !strings.Contains(err.Error(), "accepted: an IP address") || at.IsValid() {
			t.Errorf("ParseAddress(%q) = %v, %v", bad, at, err)
		}
	}
}

func TestReasonsOfOthersAreClipped(t *testing.T) {
	sent := inventory.NewReason("over-ranks", "no\x1b[31m"+strings.Repeat("x", 1000), "most", "4\x07", "asked", strings.Repeat("9", 1000))
	got := sent.Clipped()
	if len(got.Message) != 600 || strings.ContainsAny(got.Message+got.Values["most"], "\x1b\x07") || len(got.Values["asked"]) != 200 || got.Code != inventory.OverRanks {
		t.Errorf("%+v", got)
	}
	many := inventory.Reason{Code: "x", Message: "m", Values: map[string]string{}}
	for i := range 20 {
		many.Values[strings.Repeat("v", i+1)] = "1"
	}
	if got := many.Clipped(); got.Values != nil || got.Code != "" || got.Message != "m" {
		t.Errorf("%+v", got)
	}
}
