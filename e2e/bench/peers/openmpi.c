/* The Open MPI peer of the benchmark: one collective of float32, sums where it
 * reduces, timed exactly as Lockstep times a run: uncounted iterations first, a
 * barrier before each counted one, a rank's own elapsed time, the maximum over
 * ranks. Input and output are private and apart, but for broadcast, whose call
 * has one buffer. Prints one time in seconds per counted iteration, after every
 * element of the result, and of the input, was compared.
 *
 * usage: openmpi COLLECTIVE BYTES WARMUPS ITERATIONS WAY
 *
 * BYTES counts the full buffer: of all-gather, reduce-scatter and all-to-all
 * all blocks together. WAY is a number of slices, 1 for a plain call: above 1
 * the caller cuts the vector of an all-reduce or a broadcast into that many
 * parts, one call each. For reduce-scatter WAY may also be "counts": then
 * MPI_Reduce_scatter with equal counts takes the place of
 * MPI_Reduce_scatter_block, because Open MPI carries them out differently.
 *
 * Exit status 2: unusable arguments. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ALL_REDUCE, ALL_GATHER, REDUCE_SCATTER, BROADCAST, ALL_TO_ALL, COLLECTIVES };
static const char *const names[COLLECTIVES] = {"all-reduce", "all-gather", "reduce-scatter", "broadcast", "all-to-all"};

static int rank, ranks;
static int *counts; /* a block for every rank; NULL without the way "counts" */

static float element(int of_rank, int i) { return (float)((i * 7LL + of_rank) % 1000); }

static float sum(int i) {
  float s = 0;
  for (int r = 0; r < ranks; r++) s += element(r, i);
  return s;
}

static float *buffer(int count) {
  void *p = NULL;
  if (posix_memalign(&p, 4096, (size_t)(count + 1) * sizeof(float))) MPI_Abort(MPI_COMM_WORLD, 1);
  return p;
}

static void call(int collective, float *in, float *out, int count, int slices) {
  int block = count / ranks;
  switch (collective) {
  case ALL_REDUCE:
  case BROADCAST:
    for (int s = 0; s < slices; s++) {
      int first = (int)((long long)count * s / slices), length = (int)((long long)count * (s + 1) / slices) - first;
      if (collective == ALL_REDUCE)
        MPI_Allreduce(in + first, out + first, length, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
      else
        MPI_Bcast(out + first, length, MPI_FLOAT, 0, MPI_COMM_WORLD);
    }
    break;
  case ALL_GATHER:
    MPI_Allgather(in, block, MPI_FLOAT, out, block, MPI_FLOAT, MPI_COMM_WORLD);
    break;
  case REDUCE_SCATTER:
    if (counts)
      MPI_Reduce_scatter(in, out, counts, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
    else
      MPI_Reduce_scatter_block(in, out, block, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
    break;
  case ALL_TO_ALL:
    MPI_Alltoall(in, block, MPI_FLOAT, out, block, MPI_FLOAT, MPI_COMM_WORLD);
    break;
  }
}

static float wanted(int collective, int i, int block) {
  switch (collective) {
  case ALL_REDUCE: return sum(i);
  case ALL_GATHER: return element(i / block, i % block);
  case REDUCE_SCATTER: return sum(rank * block + i);
  case BROADCAST: return element(0, i);
  default: return element(i / block, rank * block + i % block);
  }
}

static void compare(const char *what, int i, float got, float want) {
  if (got == want) return;
  fprintf(stderr, "rank %d: element %d of the %s is %g, want %g\n", rank, i, what, got, want);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

int main(int argc, char **argv) {
  int collective = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (argc == 6)
    while (collective < COLLECTIVES && strcmp(argv[1], names[collective])) collective++;
  if (argc != 6 || collective == COLLECTIVES) {
    if (rank == 0) fprintf(stderr, "usage: openmpi COLLECTIVE BYTES WARMUPS ITERATIONS WAY\n");
    MPI_Finalize();
    return 2;
  }
  int count = (int)(atoll(argv[2]) / (long long)sizeof(float)), block = count / ranks;
  int warmups = atoi(argv[3]), iterations = atoi(argv[4]), slices = atoi(argv[5]);
  if (collective == REDUCE_SCATTER && !strcmp(argv[5], "counts")) {
    counts = malloc(ranks * sizeof(int));
    for (int r = 0; r < ranks; r++) counts[r] = block;
  }
  int in_count = collective == ALL_GATHER ? block : count, out_count = collective == REDUCE_SCATTER ? block : count;

  float *in = buffer(in_count), *out = buffer(out_count);
  double *mine = calloc(iterations, sizeof(double)), *slowest = calloc(iterations, sizeof(double));
  for (int i = 0; i < in_count; i++) in[i] = element(rank, i);
  for (int i = 0; i < out_count; i++) out[i] = collective == BROADCAST && rank == 0 ? in[i] : -1;

  for (int i = -warmups; i < iterations; i++) {
    MPI_Barrier(MPI_COMM_WORLD);
    double start = MPI_Wtime();
    call(collective, in, out, count, slices);
    double end = MPI_Wtime();
    if (i >= 0) mine[i] = end - start;
  }
  MPI_Reduce(mine, slowest, iterations, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);

  for (int i = 0; i < in_count; i++) compare("input", i, in[i], element(rank, i));
  for (int i = 0; i < out_count; i++) compare("result", i, out[i], wanted(collective, i, block));
  MPI_Barrier(MPI_COMM_WORLD); /* nobody prints before everybody has compared */
  if (rank == 0)
    for (int i = 0; i < iterations; i++) printf("%.9f\n", slowest[i]);
  MPI_Finalize();
  return 0;
}
