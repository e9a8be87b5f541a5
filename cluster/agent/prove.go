package agent

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"fmt"
	"io"
	"net"
	"time"

	"lockstep/cluster/inventory"
	"lockstep/cluster/wire"
)

// The handshake of a measurement. Every message has a fixed length:
//
//	dialler   nonce
//	acceptor  nonce, HMAC(key, "accept", both nonces)
//	dialler   HMAC(key, "dial", both nonces)
const nonceSize = 32

// proofPatience is how long a caller that has proved nothing may be silent.
const proofPatience = time.Second

var errProof = inventory.NewReason(inventory.WrongKey, "the other end does not hold the key of this measurement")

func probeProof(key wire.ProbeKey, role string, dialler, acceptor []byte) []byte {
	mac := hmac.New(sha256.New, key[:])
	mac.Write([]byte(role))
	mac.Write(dialler)
	mac.Write(acceptor)
	return mac.Sum(nil)
}

func proveAccepting(conn net.Conn, key wire.ProbeKey) error {
	if err := conn.SetDeadline(time.Now().Add(proofPatience)); err != nil {
		return err
	}
	var theirs, ours [nonceSize]byte
	if _, err := io.ReadFull(conn, theirs[:]); err != nil {
		return fmt.Errorf("read nonce: %w", err)
	}
	rand.Read(ours[:]) // never fails
	if _, err := conn.Write(append(ours[:], probeProof(key, "accept", theirs[:], ours[:])...)); err != nil {
		return fmt.Errorf("send proof: %w", err)
	}
	var proof [sha256.Size]byte
	if _, err := io.ReadFull(conn, proof[:]); err != nil {
		return fmt.Errorf("read proof: %w", err)
	}
	if !hmac.Equal(proof[:], probeProof(key, "dial", theirs[:], ours[:])) {
		return errProof
	}
	return conn.SetDeadline(time.Now().Add(wire.ProbePatience))
}

func proveDialling(conn net.Conn, key wire.ProbeKey) error {
	if err := conn.SetDeadline(time.Now().Add(wire.ProbePatience)); err != nil {
		return err
	}
	var ours [nonceSize]byte
	rand.Read(ours[:]) // never fails
	if _, err := conn.Write(ours[:]); err != nil {
		return fmt.Errorf("send nonce: %w", err)
	}
	var answer [nonceSize + sha256.Size]byte
	if _, err := io.ReadFull(conn, answer[:]); err != nil {
		return fmt.Errorf("read proof: %w", err)
	}
	theirs := answer[:nonceSize]
	if !hmac.Equal(answer[nonceSize:], probeProof(key, "accept", ours[:], theirs)) {
		return errProof
	}
	if _, err := conn.Write(probeProof(key, "dial", ours[:], theirs)); err != nil {
		return fmt.Errorf("send proof: %w", err)
	}
	return nil
}
