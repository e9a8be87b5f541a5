package main

import (
	"errors"
	"log/slog"
	"net"
	"slices"
	"strings"
	"testing"
	"time"

	"lockstep/web/certificate"
)

func yes() (bool, error) { return true, nil }
func no() (bool, error)  { return false, nil }

func TestWhatANetworkTakes(t *testing.T) {
	secure := reachFlags{Listen: "0.0.0.0:8443", TLSSelfSigned: true}
	for name, c := range map[string]struct {
		flags    reachFlags
		accounts func() (bool, error)
		refused  string // a part of the message, "" for none
	}{
		"both":               {secure, yes, ""},
		"no account":         {secure, no, "missing: an account (console user add NAME --role admin)"},
		"no TLS":             {reachFlags{Listen: "0.0.0.0:8443"}, yes, "missing: TLS (--tls-cert FILE --tls-key FILE, or --tls-self-signed);"},
		"neither":            {reachFlags{Listen: ":8443"}, no, "--tls-self-signed) and an account"},
		"a name":             {reachFlags{Listen: "console.example.com:8443"}, no, "missing: TLS"},
		"loopback":           {reachFlags{Listen: "127.0.0.1:8080"}, no, ""},
		"loopback with TLS":  {reachFlags{Listen: "[::1]:8443", TLSSelfSigned: true}, no, ""},
		"certificate":        {reachFlags{Listen: "0.0.0.0:8443", TLSCert: "a", TLSKey: "b"}, yes, ""},
		"no key":             {reachFlags{Listen: "0.0.0.0:8443", TLSCert: "a"}, yes, "--tls-key: it is missing"},
		"no certificate":     {reachFlags{Listen: "0.0.0.0:8443", TLSKey: "b"}, yes, "--tls-cert: it is missing"},
		"two certificates":   {reachFlags{Listen: "0.0.0.0:8443", TLSSelfSigned: true, TLSCert: "a", TLSKey: "b"}, yes, "--tls-self-signed: it goes with neither"},
		"hosts":              {reachFlags{Listen: "127.0.0.1:8080", Host: []string{"a.example.com", "a.example.com:443", "192.0.2.7", "2001:db8::7", "[2001:db8::7]:443"}}, no, ""},
		"URL as host":        {reachFlags{Listen: "127.0.0.1:8080", Host: []string{"https://a.example.com"}}, no, "--host: \"https://a.example.com\" is no name"},
		"path in host":       {reachFlags{Listen: "127.0.0.1:8080", Host: []string{"a.example.com/x"}}, no, "--host: \"a.example.com/x\" is no name"},
		"port out of range":  {reachFlags{Listen: "127.0.0.1:8080", Host: []string{"a.example.com:99999"}}, no, "has no port from 1 to 65535"},
		"port left out":      {reachFlags{Listen: "127.0.0.1:8080", Host: []string{"a.example.com:"}}, no, "has no port from 1 to 65535"},
		"nothing as host":    {reachFlags{Listen: "127.0.0.1:8080", Host: []string{""}}, no, "is no name of a host"},
		"port in the listen": {reachFlags{Listen: "127.0.0.1"}, no, "accepted is HOST:PORT"},
	} {
		_, err := c.flags.plan(c.accounts)
		var unusable usageError
		switch {
		case c.refused == "" && err != nil:
			t.Errorf("%s: %v", name, err)
		case c.refused != "" && (err == nil || !strings.Contains(err.Error(), c.refused) || !errors.As(err, &unusable)):
			t.Errorf("%s: %v, want a refusal with %q", name, err, c.refused)
		}
	}
	broken := errors.New("disk is full")
	if _, err := secure.plan(func() (bool, error) { return false, broken }); !errors.Is(err, broken) {
		t.Errorf("accounts that cannot be read: %v", err)
	}
}

func TestHostsOfAConsole(t *testing.T) {
	loopback, err := reachFlags{Listen: "localhost:8080"}.plan(no)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"127.0.0.1:8080", "localhost:8080", "[::1]:8080"} {
		if !slices.Contains(loopback.hosts(8080, nil), want) {
			t.Errorf("loopback lacks %s", want)
		}
	}
	network, err := reachFlags{Listen: "192.0.2.7:443", TLSSelfSigned: true, Host: []string{"Console.Example.com", "forwarded.example.com:8443"}}.plan(yes)
	if err != nil {
		t.Fatal(err)
	}
	hosts := network.hosts(443, nil)
	for _, want := range []string{"192.0.2.7:443", "192.0.2.7", "console.example.com:443", "console.example.com", "forwarded.example.com:8443"} {
		if !slices.Contains(hosts, want) {
			t.Errorf("the network's lack %s: %v", want, hosts)
		}
	}
	if slices.Contains(hosts, "127.0.0.1:443") {
		t.Error("one address answers to loopback, where it cannot be reached")
	}
	all, err := reachFlags{Listen: ":8443", TLSSelfSigned: true}.plan(yes)
	if err != nil {
		t.Fatal(err)
	}
	hosts = all.hosts(8443, nil)
	want := []string{"localhost:8443", "127.0.0.1:8443"}
	for _, ip := range ownAddresses() {
		want = append(want, net.JoinHostPort(ip.String(), "8443"))
	}
	for _, host := range want {
		if !slices.Contains(hosts, host) {
			t.Errorf("all addresses lack %s: %v", host, hosts)
		}
	}
	if slices.Contains(hosts, "0.0.0.0:8443") || slices.Contains(hosts, ":8443") || slices.Contains(hosts, "[::]:8443") {
		t.Errorf("no address is one: %v", hosts)
	}
}

func TestAddressOfAConsole(t *testing.T) {
	at := func(ip string) net.Addr { return &net.TCPAddr{IP: net.ParseIP(ip), Port: 8443} }
	own := "localhost"
	if addresses := ownAddresses(); len(addresses) > 0 {
		own = addresses[0].String()
	}
	for name, c := range map[string]struct {
		flags reachFlags
		at    string
		want  string
	}{
		"loopback":          {reachFlags{Listen: "127.0.0.1:0"}, "127.0.0.1", "http://127.0.0.1:8443"},
		"localhost":         {reachFlags{Listen: "localhost:0"}, "127.0.0.1", "http://127.0.0.1:8443"},
		"loopback with TLS": {reachFlags{Listen: "[::1]:0", TLSSelfSigned: true}, "::1", "https://[::1]:8443"},
		"an address":        {reachFlags{Listen: "192.0.2.7:0", TLSSelfSigned: true}, "192.0.2.7", "https://192.0.2.7:8443"},
		"a name":            {reachFlags{Listen: "Node-A.example.com:0", TLSSelfSigned: true}, "192.0.2.7", "https://node-a.example.com:8443"},
		"a given name":      {reachFlags{Listen: ":0", TLSSelfSigned: true, Host: []string{"console.example.com"}}, "::", "https://console.example.com:8443"},
		"with a port":       {reachFlags{Listen: ":0", TLSSelfSigned: true, Host: []string{"console.example.com:443"}}, "::", "https://console.example.com:443"},
		"all addresses":     {reachFlags{Listen: "0.0.0.0:0", TLSSelfSigned: true}, "0.0.0.0", "https://" + net.JoinHostPort(own, "8443")},
	} {
		r, err := c.flags.plan(yes)
		if err != nil {
			t.Fatal(err)
		}
		if got := r.address(at(c.at), nil); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

// The certificate that a console makes holds every name that it answers to.
func TestSelfSignedHoldsTheHosts(t *testing.T) {
	flags := reachFlags{Listen: "0.0.0.0:0", TLSSelfSigned: true, Host: []string{"console.example.com:443", "2001:db8::7"}}
	r, err := flags.plan(yes)
	if err != nil {
		t.Fatal(err)
	}
	shown, err := flags.certificate(t.TempDir(), r, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	for _, host := range r.hosts(8443, shown) {
		name, _, err := net.SplitHostPort(host)
		if err != nil { // the usual port is left out
			name = strings.Trim(host, "[]")
		}
		if err := shown.Leaf().VerifyHostname(name); err != nil {
			t.Errorf("%s: %v", host, err)
		}
	}
	if _, err := (reachFlags{TLSCert: "none", TLSKey: "none"}).certificate(t.TempDir(), r, nil); err == nil || !strings.HasPrefix(err.Error(), "--tls-cert: ") {
		t.Errorf("no file: %v", err)
	}
	var none *certificate.Source
	if got, err := (reachFlags{}).certificate(t.TempDir(), r, nil); got != none || err != nil {
		t.Errorf("without TLS: %v, %v", got, err)
	}
}

func TestLifetimesAreRead(t *testing.T) {
	for text, want := range map[string]time.Duration{"30m": 30 * time.Minute, "1h": time.Hour, "1h30m": 90 * time.Minute, "90d": 90 * 24 * time.Hour} {
		if got, err := parseLifetime(text); err != nil || got != want {
			t.Errorf("%q is %v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "1", "d", "0d", "-1d", "1.5d", "-1h", "0s", "1y", "1h 30m", "99999999999d"} {
		if got, err := parseLifetime(text); err == nil || !strings.Contains(err.Error(), "accepted are times such as 30m, 1h or 90d") {
			t.Errorf("%q is %v, %v", text, got, err)
		}
	}
}
