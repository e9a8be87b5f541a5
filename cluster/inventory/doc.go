// Package inventory says what a machine offers: its processors and memory, the
// network ports, the GPUs and what joins them, and the libraries that ranks
// can use; and how a machine stands as a node of a console's cluster. A fact
// that the system does not tell is absent, never guessed.
//
// Read asks the kernel's files. Survey also looks for libraries, without
// loading any but one: NVIDIA's NVML, which alone knows GPU memory and NVLink
// (docs/decisions/0015-nvml-at-run-time.md).
package inventory
