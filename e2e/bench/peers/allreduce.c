/* The peer of the benchmark: MPI_Allreduce of float32 sums, timed exactly as
 * Lockstep times a run: uncounted iterations first, a barrier before each
 * counted one, a rank's own elapsed time, the maximum over ranks. The result
 * is checked. Prints one time in seconds per counted iteration.
 *
 * usage: allreduce BYTES WARMUPS ITERATIONS */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  if (argc != 4) return 2;
  MPI_Init(&argc, &argv);
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  int count = (int)(atoll(argv[1]) / sizeof(float));
  int warmups = atoi(argv[2]), iterations = atoi(argv[3]);
  float *in = malloc((count + 1) * sizeof(float)), *out = malloc((count + 1) * sizeof(float));
  double *times = malloc(iterations * sizeof(double));
  for (int i = 0; i < count; i++) in[i] = (float)((i * 7 + rank) % 1000), out[i] = -1;
  for (int i = -warmups; i < iterations; i++) {
    MPI_Barrier(MPI_COMM_WORLD);
    double start = MPI_Wtime();
    MPI_Allreduce(in, out, count, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
    double mine = MPI_Wtime() - start, slowest;
    MPI_Reduce(&mine, &slowest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    if (i >= 0) times[i] = slowest;
  }
  for (int i = 0; i < count; i++) {
    float want = 0;
    for (int r = 0; r < ranks; r++) want += (float)((i * 7 + r) % 1000);
    if (out[i] != want) {
      fprintf(stderr, "rank %d: element %d is %g, want %g\n", rank, i, out[i], want);
      MPI_Abort(MPI_COMM_WORLD, 1);
    }
  }
  if (rank == 0)
    for (int i = 0; i < iterations; i++) printf("%.9f\n", times[i]);
  MPI_Finalize();
  return 0;
}
