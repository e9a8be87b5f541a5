//go:build !race

package measured

const raceEnabled = false
