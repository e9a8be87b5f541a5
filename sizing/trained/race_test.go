//go:build race

package trained

const raceEnabled = true
