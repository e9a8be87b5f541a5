// The Gloo peer of the benchmark: one collective of float32, sums where it
// reduces, over TCP on loopback, the only transport of Gloo for one machine.
// Timed exactly as Lockstep times a run: uncounted iterations first, a barrier
// before each counted one, a rank's own elapsed time, the maximum over ranks.
// Rank 0 prints one time in seconds per counted iteration, after every element
// of the result, and of the input, was compared.
//
// usage: gloo COLLECTIVE BYTES WARMUPS ITERATIONS WAY RANK RANKS STORE
//        gloo version
//
// BYTES counts the full buffer: of all-gather, reduce-scatter and all-to-all all
// blocks together. WAY is ring or bcube for all-reduce, plain for the others.
// STORE is a directory of this run's own, where its ranks meet.
//
// Two kindnesses to Gloo: broadcast is in place, so that its root copies
// nothing; reduce-scatter, which Gloo has in place only, gets its input restored
// outside the timed part.
//
// Exit status 2: unusable arguments; 3: this Gloo lacks the collective.
#include <gloo/allgather.h>
#include <gloo/allreduce.h>
#include <gloo/alltoall.h>
#include <gloo/barrier.h>
#include <gloo/broadcast.h>
#include <gloo/config.h>
#include <gloo/math.h>
#include <gloo/rendezvous/context.h>
#include <gloo/rendezvous/file_store.h>
#include <gloo/transport/tcp/device.h>
#if __has_include(<gloo/reduce_scatter.h>)
#include <gloo/reduce_scatter.h>
#define HAS_REDUCE_SCATTER 1
#endif

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace {

int rank, ranks;

float element(int of_rank, size_t i) { return static_cast<float>((i * 7 + of_rank) % 1000); }

float sum(size_t i) {
  float s = 0;
  for (int r = 0; r < ranks; r++) s += element(r, i);
  return s;
}

void compare(const char* what, size_t i, float got, float want) {
  if (got == want) return;
  fprintf(stderr, "rank %d: element %zu of the %s is %g, want %g\n", rank, i, what, got, want);
  exit(1);
}

// Memory that starts at a page, as that of the other programs does.
float* buffer(size_t count) {
  void* p;
  if (posix_memalign(&p, 4096, (count + 1) * sizeof(float))) exit(1);
  return static_cast<float*>(p);
}

// What is timed, what comes before it untimed, and what is compared afterwards.
struct Work {
  std::function<void()> before, call;
  std::function<float(size_t)> wanted;
  float *in, *out;
  size_t in_count, out_count;
};

using Context = std::shared_ptr<gloo::rendezvous::Context>;

Work prepare(const Context& context, const std::string& collective, const std::string& way, size_t count) {
  const size_t block = count / ranks;
  const bool gathers = collective == "all-gather", scatters = collective == "reduce-scatter";
  float *in = buffer(count), *out = buffer(count);
  Work w{[] {}, nullptr, nullptr, in, out, gathers ? block : count, scatters ? block : count};
  for (size_t i = 0; i < count; i++) in[i] = element(rank, i), out[i] = -1;

  if (collective == "all-reduce" && (way == "ring" || way == "bcube")) {
    auto o = std::make_shared<gloo::AllreduceOptions>(context);
    o->setInput(in, count);
    o->setOutput(out, count);
    o->setReduceFunction(static_cast<void (*)(void*, const void*, const void*, size_t)>(&gloo::sum<float>));
    o->setAlgorithm(way == "ring" ? gloo::AllreduceOptions::Algorithm::RING : gloo::AllreduceOptions::Algorithm::BCUBE);
    w.call = [o] { gloo::allreduce(*o); };
    w.wanted = sum;
  } else if (collective == "all-gather") {
    auto o = std::make_shared<gloo::AllgatherOptions>(context);
    o->setInput(in, block);
    o->setOutput(out, count);
    w.call = [o] { gloo::allgather(*o); };
    w.wanted = [block](size_t i) { return element(i / block, i % block); };
  } else if (collective == "broadcast") {
    auto o = std::make_shared<gloo::BroadcastOptions>(context);
    if (rank == 0) memcpy(out, in, count * sizeof(float));
    o->setOutput(out, count);
    o->setRoot(0);
    w.call = [o] { gloo::broadcast(*o); };
    w.wanted = [](size_t i) { return element(0, i); };
  } else if (collective == "all-to-all") {
    auto o = std::make_shared<gloo::AlltoallOptions>(context);
    o->setInput(in, count);
    o->setOutput(out, count);
    w.call = [o] { gloo::alltoall(*o); };
    w.wanted = [block](size_t i) { return element(i / block, rank * block + i % block); };
  } else if (scatters) {
#ifdef HAS_REDUCE_SCATTER
    std::vector<int> blocks(ranks, static_cast<int>(block));
    auto o = std::make_shared<gloo::ReduceScatterHalvingDoubling<float>>(context, std::vector<float*>{out}, static_cast<int>(count), blocks);
    w.before = [in, out, count] { memcpy(out, in, count * sizeof(float)); };
    w.call = [o] { o->run(); };
    w.wanted = [block](size_t i) { return sum(rank * block + i); };
#else
    fprintf(stderr, "this Gloo has no reduce-scatter\n");
    exit(3);
#endif
  } else {
    fprintf(stderr, "unknown collective %s, or way %s\n", collective.c_str(), way.c_str());
    exit(2);
  }
  return w;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 2 && !strcmp(argv[1], "version")) {
    printf("%d.%d.%d\n", GLOO_VERSION_MAJOR, GLOO_VERSION_MINOR, GLOO_VERSION_PATCH);
    return 0;
  }
  if (argc != 9) {
    fprintf(stderr, "usage: gloo COLLECTIVE BYTES WARMUPS ITERATIONS WAY RANK RANKS STORE\n");
    return 2;
  }
  const size_t count = strtoull(argv[2], nullptr, 10) / sizeof(float);
  const int warmups = atoi(argv[3]), iterations = atoi(argv[4]);
  rank = atoi(argv[6]), ranks = atoi(argv[7]);

  gloo::transport::tcp::attr where;
  where.iface = "lo";
  where.ai_family = AF_INET;
  std::shared_ptr<gloo::transport::Device> device = gloo::transport::tcp::CreateDevice(where);
  gloo::rendezvous::FileStore store(argv[8]);
  auto context = std::make_shared<gloo::rendezvous::Context>(rank, ranks);
  context->connectFullMesh(store, device);

  Work work = prepare(context, argv[1], argv[5], count);
  gloo::BarrierOptions together(context);
  std::vector<double> times(iterations);
  for (int i = -warmups; i < iterations; i++) {
    work.before();
    gloo::barrier(together);
    auto start = std::chrono::steady_clock::now();
    work.call();
    auto end = std::chrono::steady_clock::now();
    if (i >= 0) times[i] = std::chrono::duration<double>(end - start).count();
  }
  gloo::AllreduceOptions slowest(context);
  slowest.setOutput(times.data(), times.size());
  slowest.setReduceFunction(static_cast<void (*)(void*, const void*, const void*, size_t)>(&gloo::max<double>));
  gloo::allreduce(slowest);

  for (size_t i = 0; i < work.in_count; i++) compare("input", i, work.in[i], element(rank, i));
  for (size_t i = 0; i < work.out_count; i++) compare("result", i, work.out[i], work.wanted(i));
  gloo::barrier(together);  // nobody prints before everybody has compared
  if (rank == 0)
    for (double t : times) printf("%.9f\n", t);
  return 0;
}
