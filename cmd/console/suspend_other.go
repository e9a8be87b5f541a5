//go:build !unix

package main

// stayAwake has nothing to do: nothing suspends a program here.
func stayAwake() {}
