package sim

// ordered is what a queue holds.
type ordered[T any] interface{ before(T) bool }

var (
	_ ordered[event] = event{}
	_ ordered[offer] = offer{}
)

// queue is a binary heap, smallest first. The standard library's boxes every
// element: two allocations for every event.
type queue[T ordered[T]] []T

func (q *queue[T]) push(v T) {
	h := append(*q, v)
	i := len(h) - 1
	for i > 0 {
		parent := (i - 1) / 2
		if !h[i].before(h[parent]) {
			break
		}
		h[i], h[parent] = h[parent], h[i]
		i = parent
	}
	*q = h
}

func (q *queue[T]) pop() T {
	h := *q
	first, last := h[0], len(h)-1
	h[0] = h[last]
	h = h[:last]
	for i := 0; ; {
		least := i
		for child := 2*i + 1; child <= 2*i+2 && child < last; child++ {
			if h[child].before(h[least]) {
				least = child
			}
		}
		if least == i {
			break
		}
		h[i], h[least] = h[least], h[i]
		i = least
	}
	*q = h
	return first
}
