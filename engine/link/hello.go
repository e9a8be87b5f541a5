package link

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// Key is a run's secret: whoever holds it may join the run's links.
type Key [32]byte

// NewKey returns a random key.
func NewKey() Key {
	var k Key
	rand.Read(k[:]) // never fails
	return k
}

// The handshake of an edge. The dialler speaks first:
//
//	dialler   hello: magic, version, lane, src, dst, run, nonce
//	acceptor  nonce, HMAC(key, "accept", hello, nonce)
//	dialler   HMAC(key, "dial", hello, acceptor's nonce)
//	acceptor  one byte: the edge stands
//
// Every message has a fixed length, so nobody allocates by a stranger's word.
const (
	version   = 1
	nonceSize = 32
	macSize   = sha256.Size
	helloSize = 8 + 2 + 2 + 4 + 4 + 32 + nonceSize
	replySize = nonceSize + macSize
	standing  = 1
)

var magic = [8]byte{'l', 'o', 'c', 'k', 's', 't', 'e', 'p'}

var errProof = errors.New("the other end does not prove that it holds the run's key")

// hello is a dialler's first message.
type hello struct {
	edge  edge
	run   [sha256.Size]byte // the hash of the run's name
	nonce [nonceSize]byte
}

func (h *hello) put() (b [helloSize]byte) {
	copy(b[:8], magic[:])
	binary.BigEndian.PutUint16(b[8:], version)
	binary.BigEndian.PutUint16(b[10:], uint16(h.edge.lane))
	binary.BigEndian.PutUint32(b[12:], uint32(h.edge.src))
	binary.BigEndian.PutUint32(b[16:], uint32(h.edge.dst))
	copy(b[20:], h.run[:])
	copy(b[52:], h.nonce[:])
	return b
}

func parseHello(b *[helloSize]byte) (hello, error) {
	if [8]byte(b[:8]) != magic {
		return hello{}, errors.New("read hello: not a rank of ours")
	}
	if v := binary.BigEndian.Uint16(b[8:]); v != version {
		return hello{}, fmt.Errorf("read hello: link protocol %d; accepted: %d", v, version)
	}
	h := hello{edge: edge{
		lane: int(binary.BigEndian.Uint16(b[10:])),
		src:  int(binary.BigEndian.Uint32(b[12:])),
		dst:  int(binary.BigEndian.Uint32(b[16:])),
	}}
	copy(h.run[:], b[20:])
	copy(h.nonce[:], b[52:])
	return h, nil
}

// proof is what an end sends to show that it holds the key. The role keeps one
// end from echoing the other.
func proof(key Key, role string, hello []byte, nonce []byte) []byte {
	mac := hmac.New(sha256.New, key[:])
	mac.Write([]byte(role))
	mac.Write(hello)
	mac.Write(nonce)
	return mac.Sum(nil)
}

// introduce is the dialler's end of the handshake.
func introduce(conn io.ReadWriter, key Key, run [sha256.Size]byte, e edge) error {
	h := hello{edge: e, run: run}
	rand.Read(h.nonce[:])
	first := h.put()
	if _, err := conn.Write(first[:]); err != nil {
		return fmt.Errorf("send hello: %w", err)
	}
	var reply [replySize]byte
	if _, err := io.ReadFull(conn, reply[:]); err != nil {
		return fmt.Errorf("read the answer to hello: %w", err)
	}
	nonce := reply[:nonceSize]
	if !hmac.Equal(reply[nonceSize:], proof(key, "accept", first[:], nonce)) {
		return errProof
	}
	if _, err := conn.Write(proof(key, "dial", first[:], nonce)); err != nil {
		return fmt.Errorf("send the proof: %w", err)
	}
	var last [1]byte
	if _, err := io.ReadFull(conn, last[:]); err != nil {
		return fmt.Errorf("read that the edge stands: %w", err)
	}
	return nil
}

// receive is the acceptor's end of the handshake, up to the dialler's proof.
// Only an edge that wanted says yes to is answered at all.
func receive(conn io.ReadWriter, key Key, run [sha256.Size]byte, wanted func(edge) bool) (edge, error) {
	var first [helloSize]byte
	if _, err := io.ReadFull(conn, first[:]); err != nil {
		return edge{}, fmt.Errorf("read hello: %w", err)
	}
	h, err := parseHello(&first)
	if err != nil {
		return edge{}, err
	}
	if h.run != run || !wanted(h.edge) {
		return edge{}, fmt.Errorf("read hello: edge %v is not expected here", h.edge)
	}
	var reply [replySize]byte
	rand.Read(reply[:nonceSize])
	copy(reply[nonceSize:], proof(key, "accept", first[:], reply[:nonceSize]))
	if _, err := conn.Write(reply[:]); err != nil {
		return edge{}, fmt.Errorf("answer hello: %w", err)
	}
	var mac [macSize]byte
	if _, err := io.ReadFull(conn, mac[:]); err != nil {
		return edge{}, fmt.Errorf("read the proof: %w", err)
	}
	if !hmac.Equal(mac[:], proof(key, "dial", first[:], reply[:nonceSize])) {
		return edge{}, errProof
	}
	return h.edge, nil
}
