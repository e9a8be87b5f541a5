package inventory

import (
	"fmt"
	"net/netip"
)

// maxAddress is more than the longest address with a zone and a port takes.
const maxAddress = 100

// ParseAddress reads an address at which a node says that others reach it: that
// of one machine, an IP address with a port. A name is refused, for whoever
// dialled it would ask a resolver of their own, which may lead anywhere. The
// error is a *Reason.
func ParseAddress(text string) (netip.AddrPort, error) {
	at, err := netip.ParseAddrPort(text[:min(len(text), maxAddress)])
	if err != nil || len(text) > maxAddress || at.Port() == 0 || at.Addr().IsUnspecified() || at.Addr().IsMulticast() {
		shown := clip(text, maxAddress)
		return netip.AddrPort{}, NewReason(WrongAddress,
			fmt.Sprintf("it says that it is reached at %q; accepted: an IP address of one machine with a port, such as 192.0.2.7:40000", shown), "address", shown)
	}
	return at, nil
}
