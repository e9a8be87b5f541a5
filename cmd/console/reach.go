package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"os"
	"slices"
	"strconv"
	"strings"

	"lockstep/store"
	"lockstep/web"
	"lockstep/web/account"
	"lockstep/web/certificate"
)

// reachFlags say how browsers reach the console.
type reachFlags struct {
	Listen        string   `default:"127.0.0.1:8080" placeholder:"ADDR" help:"Address to serve on (127.0.0.1:8080); port 0 takes a free one. Any but a loopback address needs TLS and an account."`
	TLSCert       string   `name:"tls-cert" type:"path" placeholder:"FILE" help:"Certificate with its chain (PEM); read again when it changes."`
	TLSKey        string   `name:"tls-key" type:"path" placeholder:"FILE" help:"Key of the certificate (PEM)."`
	TLSSelfSigned bool     `name:"tls-self-signed" help:"Serve with a certificate that the console makes itself and keeps in the data folder; prints its fingerprint."`
	Host          []string `name:"host" placeholder:"NAME" help:"Another name or NAME:PORT that browsers may reach the console by; may be repeated."`
}

// reach is how a console is reached.
type reach struct {
	host    string // to listen on; empty for every address
	network bool   // other machines reach it
	secure  bool   // by TLS
	names   []string
}

// plan reads the flags. It refuses what would leave a console on a network
// without TLS or without somebody who may come in: accounts reports whether
// there is one.
func (f reachFlags) plan(accounts func() (bool, error)) (reach, error) {
	host, _, err := net.SplitHostPort(f.Listen)
	if err != nil {
		return reach{}, usage("listen", fmt.Errorf("%q is no address; accepted is HOST:PORT, such as 127.0.0.1:8080", f.Listen))
	}
	switch {
	case f.TLSSelfSigned && f.TLSCert+f.TLSKey != "":
		return reach{}, usage("tls-self-signed", errors.New("it goes with neither --tls-cert nor --tls-key; give a certificate of your own, or have one made"))
	case f.TLSCert != "" && f.TLSKey == "":
		return reach{}, usage("tls-key", errors.New("it is missing; a certificate needs its key"))
	case f.TLSCert == "" && f.TLSKey != "":
		return reach{}, usage("tls-cert", errors.New("it is missing; a key needs its certificate"))
	}
	r := reach{host: strings.ToLower(host), secure: f.TLSSelfSigned || f.TLSCert != ""}
	ip, err := netip.ParseAddr(host)
	r.network = host != "localhost" && (err != nil || !ip.IsLoopback())
	for _, name := range f.Host {
		if err := checkHost(name); err != nil {
			return reach{}, usage("host", err)
		}
		r.names = append(r.names, strings.ToLower(name))
	}
	if !r.network {
		return r, nil
	}
	some, err := accounts()
	if err != nil {
		return reach{}, err
	}
	var missing []string
	if !r.secure {
		missing = append(missing, "TLS (--tls-cert FILE --tls-key FILE, or --tls-self-signed)")
	}
	if !some {
		missing = append(missing, "an account (console user add NAME --role admin)")
	}
	if len(missing) > 0 {
		return reach{}, usage("listen", fmt.Errorf("%s can be reached from other machines, which takes TLS and at least one account; missing: %s; "+
			"without them accepted is a loopback address: 127.0.0.1:PORT, [::1]:PORT or localhost:PORT", f.Listen, strings.Join(missing, " and ")))
	}
	return r, nil
}

// anyAccount reports whether there is an account in the data folder. It makes
// no folder.
func anyAccount(ctx context.Context, dir string) (some bool, err error) {
	if exists, err := store.Exists(dir); err != nil || !exists {
		return false, err
	}
	db, err := store.Open(ctx, dir)
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	users, err := db.Users().List(ctx)
	return len(users) > 0, err
}

// checkHost refuses what no browser sends as the name of a host.
func checkHost(name string) error {
	host, port, err := net.SplitHostPort(name)
	if err != nil {
		host, port = name, ""
	}
	odd := func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '.' || r == '_')
	}
	_, notIP := netip.ParseAddr(host)
	if strings.Contains(name, "/") || notIP != nil && (host == "" || len(host) > 253 || strings.ContainsFunc(host, odd) || strings.HasPrefix(host, ".")) {
		return fmt.Errorf("%q is no name of a host; accepted are NAME and NAME:PORT, such as console.example.com", name)
	}
	if n, err := strconv.Atoi(port); port != "" && (err != nil || n < 1 || n > 65535) || strings.HasSuffix(name, ":") && notIP != nil {
		return fmt.Errorf("%q has no port from 1 to 65535", name)
	}
	return nil
}

// certificate returns what the console shows, nil without TLS.
func (f reachFlags) certificate(dir string, r reach, log *slog.Logger) (*certificate.Source, error) {
	switch {
	case f.TLSSelfSigned:
		return certificate.SelfSigned(dir, r.given(), r.local(), log)
	case f.TLSCert != "":
		shown, err := certificate.Load(f.TLSCert, f.TLSKey, log)
		if err != nil {
			return nil, usage("tls-cert", err)
		}
		return shown, nil
	}
	return nil, nil
}

// given are the names of the console that somebody has typed: browsers must
// find them in a certificate that is made for it.
func (r reach) given() []string {
	var names []string
	if ip, err := netip.ParseAddr(r.host); r.host != "" && (err != nil || !ip.IsUnspecified()) {
		names = append(names, r.host)
	}
	for _, name := range r.names {
		if host, _, err := net.SplitHostPort(name); err == nil {
			name = host
		}
		names = append(names, name)
	}
	return names
}

// local are the names of this machine that lead to the console: its own
// addresses and what it is called.
func (r reach) local() []string {
	loopback := []string{"127.0.0.1", "localhost", "::1"}
	if !r.network {
		return loopback
	}
	var names []string
	if name, err := os.Hostname(); err == nil && checkHost(name) == nil {
		name = strings.ToLower(name)
		names = append(names, name)
		if short, _, found := strings.Cut(name, "."); found {
			names = append(names, short)
		}
	}
	if ip, err := netip.ParseAddr(r.host); r.host != "" && (err != nil || !ip.IsUnspecified()) {
		return names
	}
	for _, ip := range ownAddresses() {
		names = append(names, ip.String())
	}
	return append(names, loopback...)
}

// ownAddresses are those that other machines may reach this one by, IPv4
// first.
func ownAddresses() []netip.Addr {
	all, err := net.InterfaceAddrs()
	if err != nil {
		return nil
	}
	var own []netip.Addr
	for _, address := range all {
		prefix, err := netip.ParsePrefix(address.String())
		if err != nil {
			continue
		}
		if ip := prefix.Addr().Unmap(); ip.IsGlobalUnicast() {
			own = append(own, ip)
		}
	}
	slices.SortStableFunc(own, func(a, b netip.Addr) int { return a.BitLen() - b.BitLen() })
	return own
}

// hosts are the Host headers that the console answers to.
func (r reach) hosts(port int, shown *certificate.Source) []string {
	names := append(r.given(), r.local()...)
	if shown != nil && shown.Trusted() {
		names = append(names, shown.Leaf().DNSNames...) // of one with a wildcard, that part fits nothing
	}
	hosts := web.Hosts(names, port, r.secure)
	for _, name := range r.names {
		host, port, err := net.SplitHostPort(name)
		if err != nil {
			continue
		}
		hosts = append(hosts, name)
		if number, err := strconv.Atoi(port); err == nil { // browsers leave the usual one out
			hosts = append(hosts, web.Hosts([]string{host}, number, r.secure)...)
		}
	}
	return hosts
}

// address is where a person opens the console: under a name that they have
// typed, or one of the certificate's, or the first of the machine's addresses.
func (r reach) address(listener net.Addr, shown *certificate.Source) string {
	at := listener.(*net.TCPAddr)
	scheme, name := "http", at.IP.String()
	if r.secure {
		scheme = "https"
	}
	if len(r.names) > 0 {
		name = r.names[0]
	} else if shown != nil && shown.Trusted() && len(shown.Leaf().DNSNames) > 0 && !strings.HasPrefix(shown.Leaf().DNSNames[0], "*") {
		name = strings.ToLower(shown.Leaf().DNSNames[0])
	} else if at.IP.IsUnspecified() {
		name = "localhost"
		if own := ownAddresses(); len(own) > 0 {
			name = own[0].String()
		}
	} else if r.network && r.host != "" {
		name = r.host
	}
	if _, _, err := net.SplitHostPort(name); err == nil { // it has a port of its own
		return scheme + "://" + name
	}
	return scheme + "://" + net.JoinHostPort(name, strconv.Itoa(at.Port))
}

// access is who comes in otherwise than by key.
func access(db *store.Store, r reach, shown *certificate.Source) (web.Access, error) {
	passwords, err := account.NewPasswords()
	if err != nil {
		return web.Access{}, err
	}
	return web.Access{
		Users: db.Users(), Passwords: passwords, Tokens: db.Tokens(), Audit: db.Audit(),
		Network: r.network, TLS: r.secure, Trusted: shown != nil && shown.Trusted(),
	}, nil
}
