package trained

import (
	"runtime"
	"sync"
)

// leaveOut predicts every run by a fit that has not seen any run of its label.
func leaveOut(runs []sample, start fitted, label func(sample) string) ([]float64, error) {
	labels := map[string]bool{}
	for _, r := range runs {
		labels[label(r)] = true
	}
	var (
		predicted = make([]float64, len(runs))
		todo      = make(chan string)
		failed    error
		once      sync.Once
		all       sync.WaitGroup
	)
	for range runtime.GOMAXPROCS(0) {
		all.Go(func() {
			for left := range todo {
				rest := make([]sample, 0, len(runs))
				for _, r := range runs {
					if label(r) != left {
						rest = append(rest, r)
					}
				}
				weigh(rest)
				f, err := fit(rest, start)
				if err != nil {
					once.Do(func() { failed = err })
					continue
				}
				for i := range runs {
					if label(runs[i]) == left {
						predicted[i] = f.predict(&runs[i].Run)
					}
				}
			}
		})
	}
	for l := range labels {
		todo <- l
	}
	close(todo)
	all.Wait()
	return predicted, failed
}
