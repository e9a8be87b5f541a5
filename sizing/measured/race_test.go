//go:build race

package measured

const raceEnabled = true
