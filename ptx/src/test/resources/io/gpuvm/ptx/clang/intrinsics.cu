// Checks of CUDA's functions for the device, in a block of 64 threads. The lines of checks that fail are stored after their number.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

static __device__ void fail(int *failures, int line) {
  int place = atomicAdd(failures, 1);
  if (place < 60) failures[place + 1] = line;
}
#define CHECK(condition) \
  if (!(condition)) fail(failures, __LINE__)

// Values that the compiler does not know.
static __device__ int hidden(int value) {
  asm volatile("" : "+r"(value));
  return value;
}
static __device__ unsigned int hidden(unsigned int value) {
  asm volatile("" : "+r"(value));
  return value;
}
static __device__ float hidden(float value) {
  asm volatile("" : "+f"(value));
  return value;
}
static __device__ double hidden(double value) {
  asm volatile("" : "+d"(value));
  return value;
}
static __device__ long long hidden(long long value) {
  asm volatile("" : "+l"(value));
  return value;
}

static __device__ void integers(int *failures) {
  CHECK(__popc(hidden(0xf0f)) == 8);
  CHECK(__popcll(hidden(0xf00000000fll)) == 8);
  CHECK(__clz(hidden(1)) == 31 && __clz(hidden(0)) == 32 && __clz(hidden(-1)) == 0);
  CHECK(__clzll(hidden(1ll)) == 63 && __clzll(hidden(0ll)) == 64);
  CHECK(__ffs(hidden(8)) == 4 && __ffs(hidden(0)) == 0);
  CHECK(__ffsll(hidden(1ll << 40)) == 41 && __ffsll(hidden(0ll)) == 0);
  CHECK(__brev(hidden(1)) == 0x80000000u);
  CHECK(__brevll(hidden(1ll)) == 0x8000000000000000ull);
  CHECK(__byte_perm(hidden(0x33221100), hidden(0x77665544), 0x7530) == 0x77553300);
  CHECK(__mul24(hidden(-3), hidden(5)) == -15 && __mul24(hidden(0x800000), hidden(1)) == -0x800000);
  CHECK(__umul24(hidden(0xff000003), hidden(5)) == 15);
  CHECK(__mulhi(hidden(-1), hidden(1)) == -1 && __mulhi(hidden(0x40000000), hidden(8)) == 2);
  CHECK(__umulhi(hidden(-1), hidden(-1)) == 0xfffffffeu);
  CHECK(__mul64hi(hidden(-1ll), hidden(1ll)) == -1);
  CHECK(__umul64hi(hidden(-1ll), hidden(-1ll)) == 0xfffffffffffffffeull);
  CHECK(__sad(hidden(-3), hidden(4), 10) == 17 && __usad(hidden(3), hidden(4), 10) == 11);
  CHECK(__hadd(hidden(-3), hidden(2)) == -1 && __rhadd(hidden(-3), hidden(2)) == 0);
  CHECK(__uhadd(hidden(-1), hidden(-1)) == 0xffffffffu && __urhadd(hidden(1), hidden(2)) == 2);
  CHECK(min(hidden(3), 4) == 3 && max(hidden(-3), -4) == -3 && min(3u, (unsigned int)hidden(-1)) == 3);
  CHECK(max((unsigned int)hidden(1), hidden(2)) == 2u && min(hidden(3ll), 4ll) == 3 && abs(hidden(-3)) == 3);
  CHECK(abs(hidden(-3ll)) == 3 && llabs(hidden(-5ll)) == 5);
}

static __device__ void numbers(int *failures) {
  CHECK(isnan(nan("")) && isnan(nanf("")) && isnan(std::nan("")));
  CHECK(__float_as_int(hidden(1.0f)) == 0x3f800000 && __int_as_float(hidden(0x40000000)) == 2.0f);
  CHECK(__double2hiint(hidden(1.0)) == 0x3ff00000 && __double2loint(hidden(1.0)) == 0);
  CHECK(__hiloint2double(hidden(0x40000000), 0) == 2.0 && __double_as_longlong(hidden(2.0)) == 0x4000000000000000ll);
  CHECK(__longlong_as_double(hidden(0x3ff8000000000000ll)) == 1.5);
  CHECK(__float2int_rn(hidden(2.5f)) == 2 && __float2int_rz(hidden(-2.5f)) == -2 && __float2int_ru(hidden(2.1f)) == 3);
  CHECK(__float2int_rd(hidden(-2.1f)) == -3 && __float2uint_rn(hidden(3.5f)) == 4);
  CHECK(__double2int_rn(hidden(3.5)) == 4 && __double2ll_rz(hidden(-1e10)) == -10000000000ll);
  CHECK(__int2float_rn(hidden(16777217)) == 16777216.0f && __int2float_ru(hidden(16777217)) == 16777218.0f);
  CHECK(__double2float_rd(hidden(0.1)) < 0.1 && __double2float_ru(hidden(0.1)) > 0.1);
  CHECK(__ll2double_rn(hidden(3ll)) == 3.0);
  CHECK(__fadd_ru(hidden(1.0f), 1e-10f) > 1.0f && __fadd_rd(hidden(1.0f), 1e-10f) == 1.0f);
  CHECK(__dadd_ru(hidden(1.0), 1e-30) > 1.0 && __dsub_rd(hidden(1.0), 1e-30) < 1.0);
  CHECK(__fmul_rz(hidden(-0.1f), 0.1f) >= __fmul_rd(hidden(-0.1f), 0.1f) && __fmul_rn(hidden(3.0f), 2.0f) == 6.0f);
  CHECK(__ddiv_ru(hidden(1.0), 3.0) > __ddiv_rd(hidden(1.0), 3.0) && __fdiv_rn(hidden(6.0f), 2.0f) == 3.0f);
  CHECK(__fsqrt_rn(hidden(4.0f)) == 2.0f && __drcp_rn(hidden(4.0)) == 0.25 && __frcp_rn(hidden(4.0f)) == 0.25f);
  CHECK(__fmaf_rn(hidden(2.0f), 3.0f, 1.0f) == 7.0f && __fma_rn(hidden(2.0), 3.0, 1.0) == 7.0);
  // Products and sums with a direction are not merged: the product is rounded.
  double factor = hidden(1.0 + 0x1p-30);
  CHECK(__dadd_rn(__dmul_rn(factor, factor), -1.0 - 0x1p-29) == 0.0);
  float small = hidden(1.0f + 0x1p-12f);
  CHECK(__fadd_rn(__fmul_rn(small, small), -1.0f - 0x1p-11f) == 0.0f);
  CHECK(__saturatef(hidden(2.0f)) == 1.0f && __saturatef(hidden(-2.0f)) == 0.0f);
  CHECK(isnan(__int_as_float(hidden(0x7fc00000))) && isnan(__hiloint2double(hidden(0x7ff80000), 0)) && !isnan(hidden(1.0f)));
  CHECK(isinf(__int_as_float(hidden(-0x800000))) && isinf(__hiloint2double(hidden(0x7ff00000), 0)) && !isinf(hidden(1.0)));
  CHECK(isfinite(hidden(1.0f)) && !isfinite(__int_as_float(hidden(0x7f800000))) && signbit(hidden(-1.0)));
#if !__FINITE_MATH_ONLY__
  CHECK(isinf(hidden(1e30) * 1e300));
#endif
  CHECK(fabsf(__sinf(hidden(1.0f)) - 0.84147098f) < 1e-5f && fabsf(__cosf(hidden(1.0f)) - 0.54030231f) < 1e-5f);
  CHECK(fabsf(__expf(hidden(1.0f)) - 2.7182818f) < 1e-5f && fabsf(__logf(hidden(2.0f)) - 0.69314718f) < 1e-5f);
  CHECK(fabsf(__powf(hidden(2.0f), 3.0f) - 8.0f) < 1e-4f && fabsf(__fdividef(hidden(6.0f), 3.0f) - 2.0f) < 1e-5f);
  CHECK(fabsf(__log2f(hidden(8.0f)) - 3.0f) < 1e-5f && fabsf(__tanf(hidden(0.5f)) - 0.54630249f) < 1e-5f);
  int exponent;
  double whole;
  CHECK(frexp(hidden(12.0), &exponent) == 0.75 && exponent == 4 && ldexp(hidden(0.75), 4) == 12.0);
  CHECK(ldexp(hidden(1.0), -1074) == 4.9406564584124654e-324 && ldexpf(hidden(1.0f), -149) > 0 && scalbn(hidden(1.0), 3) == 8.0);
  CHECK(modf(hidden(-2.5), &whole) == -0.5 && whole == -2.0 && ilogb(hidden(9.0)) == 3 && ilogbf(hidden(0.25f)) == -2);
  CHECK(nextafter(hidden(1.0), 2.0) == 1.0 + 0x1p-52 && nextafterf(hidden(0.0f), -1.0f) < 0);
  CHECK(remquo(hidden(7.0), 2.0, &exponent) == -1.0 && (exponent & 7) == 4);
  CHECK(lrint(hidden(2.5)) == 2 && llround(hidden(2.5)) == 3 && lroundf(hidden(-2.5f)) == -3);
  float sine;
  float cosine;
  sincosf(hidden(0.5f), &sine, &cosine);
  CHECK(sine == sinf(hidden(0.5f)) && cosine == cosf(hidden(0.5f)));
  CHECK(norm3df(hidden(2.0f), 3.0f, 6.0f) == 7.0f && norm4d(hidden(2.0), 4.0, 5.0, 6.0) == 9.0 && rnorm3d(hidden(2.0), 3.0, 6.0) == 1 / 7.0);
  CHECK(fmaf(hidden(2.0f), 3.0f, 1.0f) == 7.0f && fdimf(hidden(3.0f), 1.0f) == 2.0f && powi(hidden(2.0), -2) == 0.25);
  CHECK(exp(hidden(0.0f)) == 1.0f && std::pow(hidden(2.0f), 3) == 8.0f && sqrt(hidden(16)) == 4.0 && rsqrt(hidden(16.0f)) == 0.25f);
}

static __device__ void threads(int *failures, int *shared) {
  int thread = threadIdx.x;
  CHECK(blockDim.x == 64 && gridDim.x == 1 && blockIdx.x == 0 && warpSize == 32);
  CHECK(__syncthreads_count(thread < 10) == 10);
  CHECK(__syncthreads_or(thread == 63) && !__syncthreads_or(hidden(0)));
  CHECK(__syncthreads_and(hidden(1)) && !__syncthreads_and(thread != 3));
  CHECK(__ballot(thread & 1) == 0xaaaaaaaau && __any(thread == 33) == (thread >= 32) && __all(thread < 32) == (thread < 32));
  shared[thread] = thread;
  __threadfence_block();
  __syncthreads();
  CHECK(shared[63 - thread] == 63 - thread);
  __threadfence();
  __threadfence_system();
  long long before = clock64();
  CHECK(clock64() >= before && clock() - (int)before >= 0);
  CHECK(__isShared(shared) && __isGlobal(failures) && !__isShared(failures) && __ldg(failures) >= 0);

  cooperative_groups::thread_block block = cooperative_groups::this_thread_block();
  CHECK((int)block.thread_rank() == thread && block.size() == 64);
  cooperative_groups::thread_block_tile<16> tile = cooperative_groups::tiled_partition<16>(block);
  CHECK((int)tile.thread_rank() == (thread & 15) && (int)tile.meta_group_rank() == thread / 16);
  CHECK(tile.ballot(tile.thread_rank() == 3) == 8);
  block.sync();
}

struct Pair {
  int first, second;
  __device__ Pair(int value) : first(value), second(-value) {}
};

static __device__ void allocations(int *failures) {
  int *numbers = (int *)malloc(hidden(5) * sizeof(int));
  Pair *pair = new Pair(hidden(7)), *pairs = (Pair *)operator new[](2 * sizeof(Pair));
  CHECK(numbers != NULL && pair != NULL && pairs != NULL && pair != pairs);
  CHECK(pair->first == 7 && pair->second == -7);
  for (int i = 0; i < 5; i++) numbers[i] = threadIdx.x + i;
  CHECK(numbers[4] == (int)threadIdx.x + 4);
  free(numbers);
  delete pair;
  operator delete[](pairs);
}

// The sum of all ranks of a group of any kind, in its first thread.
static __device__ int ranks(cooperative_groups::thread_group group, int *memory) {
  memory[group.thread_rank()] = group.thread_rank();
  for (int half = group.size() / 2; half > 0; half /= 2) {
    group.sync();
    if ((int)group.thread_rank() < half) memory[group.thread_rank()] += memory[group.thread_rank() + half];
    group.sync();
  }
  return memory[0];
}

static __device__ void groups(int *failures, int *shared) {
  int thread = threadIdx.x;
  cooperative_groups::thread_block block = cooperative_groups::this_thread_block();
  cooperative_groups::thread_block_tile<16> tile = cooperative_groups::tiled_partition<16>(block);
  cooperative_groups::thread_group eight = cooperative_groups::tiled_partition(block, hidden(8));
  cooperative_groups::thread_group two = cooperative_groups::tiled_partition(tile, 2);
  CHECK(ranks(block, shared) == 64 * 63 / 2);
  block.sync();
  CHECK(ranks(tile, shared + thread / 16 * 16) == 16 * 15 / 2);
  block.sync();
  CHECK(ranks(eight, shared + thread / 8 * 8) == 8 * 7 / 2);
  CHECK(two.num_threads() == 2 && (int)two.thread_rank() == (thread & 1) && group_size(eight) == 8);
  block.sync();
}

struct Counters {
  int added, least, most, bits, exchanged;
  unsigned int wrapped, toggled, down;
  unsigned long long wide, wideLeast, wideBits;
  long long signedMost;
  float sum;
  double precise;
};

static __device__ void atomics(int *failures, Counters *counters) {
  int thread = threadIdx.x;
  if (thread == 0) *counters = Counters{0, 1000, -1000, 0, 0, 0, 0, 5, 0, ~0ull, 0, -1000, 0, 0};
  __syncthreads();
  atomicAdd(&counters->added, thread);
  atomicMin(&counters->least, thread);
  atomicMax(&counters->most, thread);
  atomicOr(&counters->bits, 1 << (thread & 31));
  atomicInc(&counters->wrapped, 9);
  atomicDec(&counters->down, 5);
  atomicXor(&counters->toggled, 1u << (thread & 7));
  atomicAdd(&counters->wide, 1ull << 32);
  atomicMin(&counters->wideLeast, (1ull << 40) - thread);
  atomicOr(&counters->wideBits, 1ull << thread);
  atomicMax(&counters->signedMost, -(long long)thread);
  atomicAdd(&counters->sum, 0.5f);
  atomicAdd(&counters->precise, 0.25);
  __syncthreads();
  CHECK(counters->added == 2016 && counters->least == 0 && counters->most == 63 && counters->bits == -1);
  CHECK(counters->wrapped == 4 && counters->toggled == 0 && counters->down == 1);
  CHECK(counters->wide == 64ull << 32 && counters->wideLeast == (1ull << 40) - 63 && counters->wideBits == ~0ull);
  CHECK(counters->signedMost == 0 && counters->sum == 32.0f && counters->precise == 16.0);
  __syncthreads();
  if (thread == 0) {
    CHECK(atomicCAS(&counters->added, 2016, 7) == 2016 && atomicCAS(&counters->added, 1, 2) == 7 && atomicExch(&counters->added, 3) == 7);
    CHECK(atomicSub(&counters->added, 1) == 3 && atomicAnd(&counters->added, 2) == 2 && atomicExch(&counters->sum, 1.0f) == 32.0f);
    CHECK(atomicCAS(&counters->wide, 64ull << 32, 1ull) == 64ull << 32 && atomicExch(&counters->wide, 5ull) == 1);
  }
}

extern "C" __global__ void checks(int *failures) {
  __shared__ int shared[64];
  __shared__ Counters counters;
  threads(failures, shared);
  groups(failures, shared);
  allocations(failures);
  atomics(failures, &counters);
  __syncthreads();
  if (threadIdx.x == 0) {
    integers(failures);
    numbers(failures);
  }
}

// The check that must be seen to fail.
extern "C" __global__ void control(int *failures) {
  if (threadIdx.x == 5) CHECK(__popc(hidden(3)) == 3);
}
