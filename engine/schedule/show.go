package schedule

import "fmt"

// Show prints one element, the value and then its bits, which are what runs
// are compared by. The element has the type's width, which is known.
func Show(t DType, element []byte) string {
	var value any
	switch t {
	case Float64:
		value = float64Elements.load(element)
	case Float16:
		value = float16Elements.load(element)
	case BFloat16:
		value = bfloat16Elements.load(element)
	case Int32:
		value = int32Elements.load(element)
	case Int64:
		value = int64Elements.load(element)
	case Uint8:
		value = uint8Elements.load(element)
	default:
		value = float32Elements.load(element)
	}
	bits := uint64(0)
	for i := len(element) - 1; i >= 0; i-- {
		bits = bits<<8 | uint64(element[i])
	}
	return fmt.Sprintf("%v (0x%0*x)", value, 2*len(element), bits)
}
