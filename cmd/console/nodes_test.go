package main

import (
	"log/slog"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"testing"
)

func TestAddressForAgentsCanBeDialled(t *testing.T) {
	for _, fixed := range []string{"10.1.2.3:8444", "[2001:db8::7]:8444"} {
		if got := advertised(net.TCPAddrFromAddrPort(netip.MustParseAddrPort(fixed))); got != fixed {
			t.Errorf("advertised(%s) = %s", fixed, got)
		}
	}
	for _, any := range []string{"0.0.0.0:8444", "[::]:8444"} {
		got, err := netip.ParseAddrPort(advertised(net.TCPAddrFromAddrPort(netip.MustParseAddrPort(any))))
		if err != nil || got.Addr().IsUnspecified() || got.Port() != 8444 {
			t.Errorf("advertised(%s) = %v, %v", any, got, err)
		}
	}
}

func TestConsoleWithoutAgentsWithdrawsTheirAddress(t *testing.T) {
	dir := t.TempDir()
	left := filepath.Join(dir, agentsFile)
	if err := os.WriteFile(left, []byte("10.0.0.1:1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	var none *nodes
	withdraw, err := none.start(dir, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(left); !os.IsNotExist(err) {
		t.Errorf("the address that a killed console left: %v", err)
	}
	if err := withdraw(); err != nil {
		t.Error(err)
	}
}

func TestAgentFlags(t *testing.T) {
	good := agentCommand{Join: "console.example:8444", Name: "gpu-a", State: t.TempDir(), DataPorts: "40000-40999", DataListen: "10.0.0.7", MaxBytes: "8GiB", MaxRanks: 4}
	cfg, err := good.config(slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	if cfg.Limits.Bytes != 8<<30 || cfg.Limits.Ranks != 4 || cfg.Token.Secret != "" || len(cfg.Handlers) != 2 {
		t.Errorf("config = %+v", cfg)
	}
	bind, ports, err := good.data()
	if err != nil || bind.String() != "10.0.0.7" || ports.First != 40000 || ports.Last != 40999 {
		t.Errorf("data at %v, %v, %v", bind, ports, err)
	}
}
