package diagnose

import (
	"embed"
	"fmt"

	"lockstep/sizing/catalog"
)

//go:embed samples/*.txt
var samples embed.FS

// Sample is a log that stands in public, for those who have none at hand. Host
// names and process numbers are replaced.
type Sample struct {
	ID     string // slow, healthy, unsaid
	File   string // what a person would call it
	Source string // where it was published; empty for a place that is gone
	Text   string
}

// Samples lists them: one of a system that is too slow, one of a healthy one,
// and one that does not say how many ranks there were.
func Samples() ([]Sample, error) {
	all := []Sample{
		{ID: "slow", File: "h100_2x8_all_reduce.txt", Source: "https://github.com/NVIDIA/nccl-tests/issues/319"},
		{ID: "healthy", File: "h100_1x8_all_reduce.txt", Source: "https://github.com/NVIDIA/dgxc-benchmarking"},
		{ID: "unsaid", File: "ascend_hccl_all_reduce.txt"},
	}
	for i := range all {
		text, err := samples.ReadFile("samples/" + all[i].ID + ".txt")
		if err != nil {
			return nil, fmt.Errorf("read a sample: %w", err)
		}
		all[i].Text = string(text)
	}
	return all, nil
}

// Systems lists the systems that a statement may name.
func (d *Doctor) Systems() []catalog.System { return d.known.Systems }
