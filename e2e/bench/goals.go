package main

// goalToGloo is the largest time wanted as a ratio to Gloo, everywhere.
const goalToGloo = 0.5

// goalToMPI returns the largest time wanted as a ratio to Open MPI's best,
// where there is a goal: for all-reduce, whose times by design were worked out.
func goalToMPI(c cell) (ratio float64, exists bool) {
	if c.collective != "all-reduce" {
		return 0, false
	}
	if c.ranks == 4 {
		return map[string]float64{"shm": 0.7, "tcp": 0.9}[c.link], true
	}
	if c.ranks != 2 {
		return 0, false
	}
	goals := map[string]map[int64]float64{
		"shm": {8: 1, 1 << 10: 0.6, 64 << 10: 0.3, 1 << 20: 0.5, 64 << 20: 0.7},
		"tcp": {8: 0.75, 64 << 10: 0.75, 1 << 20: 0.85, 64 << 20: 0.9},
	}
	ratio, exists = goals[c.link][c.size]
	return ratio, exists
}
