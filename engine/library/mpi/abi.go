package mpi

import "lockstep/engine/schedule"

// layout is how a family of libraries represents what a program names. The
// numbers are those of the families' mpi.h.
type layout struct {
	family string
	ignore uintptr // MPI_STATUS_IGNORE
	handle func(name string) (uintptr, error)
}

// names of the objects that are used, by what they are in mpi.h.
const (
	commWorld    = "MPI_COMM_WORLD"
	errorsReturn = "MPI_ERRORS_RETURN"
	typeByte     = "MPI_BYTE"
)

// openMPI finds the object of a handle in a library of Open MPI.
func openMPI(symbol func(string) (uintptr, error)) layout {
	objects := map[string]string{
		commWorld: "ompi_mpi_comm_world", errorsReturn: "ompi_mpi_errors_return", typeByte: "ompi_mpi_byte",
		"MPI_FLOAT": "ompi_mpi_float", "MPI_DOUBLE": "ompi_mpi_double", "MPI_INT32_T": "ompi_mpi_int32_t",
		"MPI_INT64_T": "ompi_mpi_int64_t", "MPI_UINT8_T": "ompi_mpi_uint8_t",
		"MPI_SUM": "ompi_mpi_op_sum", "MPI_PROD": "ompi_mpi_op_prod", "MPI_MIN": "ompi_mpi_op_min", "MPI_MAX": "ompi_mpi_op_max",
	}
	return layout{family: "Open MPI", handle: func(name string) (uintptr, error) { return symbol(objects[name]) }}
}

// mpich knows the numbers of MPICH and of what keeps its binary interface:
// Intel MPI, MVAPICH, Cray MPICH.
func mpich() layout {
	numbers := map[string]uintptr{
		commWorld: 0x44000000, errorsReturn: 0x54000001, typeByte: 0x4c00010d,
		"MPI_FLOAT": 0x4c00040a, "MPI_DOUBLE": 0x4c00080b, "MPI_INT32_T": 0x4c000439, "MPI_INT64_T": 0x4c00083a, "MPI_UINT8_T": 0x4c00013b,
		"MPI_MAX": 0x58000001, "MPI_MIN": 0x58000002, "MPI_SUM": 0x58000003, "MPI_PROD": 0x58000004,
	}
	return layout{family: "MPICH", ignore: 1, handle: func(name string) (uintptr, error) { return numbers[name], nil }}
}

// typeNames and opNames are what the standard has. It has no 16-bit
// floating-point types and no average.
var (
	typeNames = map[schedule.DType]string{
		schedule.Float32: "MPI_FLOAT", schedule.Float64: "MPI_DOUBLE", schedule.Int32: "MPI_INT32_T", schedule.Int64: "MPI_INT64_T", schedule.Uint8: "MPI_UINT8_T",
	}
	opNames = map[schedule.ReduceOp]string{
		schedule.Sum: "MPI_SUM", schedule.Prod: "MPI_PROD", schedule.Min: "MPI_MIN", schedule.Max: "MPI_MAX",
	}
)
