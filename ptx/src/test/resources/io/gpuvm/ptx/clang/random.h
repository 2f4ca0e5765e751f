// Types and operations of the random kernels of RandomKernels: the same source is CUDA C for the GPU
// and C++ for the processor, whose threads run one after another. No operation has undefined
// behavior, if signed overflow wraps around (-fwrapv).
typedef unsigned char u8;
typedef signed char s8;
typedef unsigned short u16;
typedef short s16;
typedef unsigned int u32;
typedef int s32;
typedef unsigned long long u64;
typedef long long s64;
typedef float f32;
typedef double f64;

#ifdef __CUDA__
#define INLINE __attribute__((device)) static inline
#define NOINLINE __attribute__((device, noinline)) static
#define INLINE_MEMBER __attribute__((device)) inline
#define CONSTANT __attribute__((constant)) static
#define GLOBAL __attribute__((device)) static
#else
#define INLINE static inline
#define NOINLINE __attribute__((noinline)) static
#define INLINE_MEMBER inline
#define CONSTANT static
#define GLOBAL static
#endif

enum { BLOCKS = 2, MAX_THREADS = 96, IN_WORDS = 256, SUMS = 16, SCRATCH_WORDS = 8, OUT_WORDS = 40, PHASES = 4 };

struct Shared {
  u32 even[MAX_THREADS];
  u32 odd[MAX_THREADS];
  u32 all[PHASES];
  u64 wide[PHASES];
};

struct Memory {
  const u32 *in;
  u32 *own;
  u32 *sums;
  Shared *shared;
  u32 thread;
  u32 index;
};

struct Pair {
  u32 first;
  s16 second;
  f64 third;
};

struct __attribute__((aligned(16))) Quad {
  u32 x, y, z, w;
};

template <class T, class F> INLINE T bits(F value) {
  T result;
  __builtin_memcpy(&result, &value, sizeof(T));
  return result;
}

// NaNs are one class.
INLINE u64 number(f32 value) { return value != value ? 0x7fc00000 : bits<u32>(value); }
INLINE u64 number(f64 value) { return value != value ? 0x7ff8000000000000ull : bits<u64>(value); }

template <class T> INLINE T divide(T a, T b) {
  return b == 0 || (T(-1) < T(0) && b == T(-1)) ? a : T(a / b);
}

template <class T> INLINE T modulo(T a, T b) {
  return b == 0 || (T(-1) < T(0) && b == T(-1)) ? a : T(a % b);
}

template <class T> INLINE T least(T a, T b) { return a < b ? a : b; }
template <class T> INLINE T greatest(T a, T b) { return a > b ? a : b; }
template <class T> INLINE T distance(T a, T b) { return a < b ? T(b - a) : T(a - b); }

template <class T> INLINE T saturated_sum(T a, T b) {
  T result;
  return __builtin_add_overflow(a, b, &result) ? T(a ^ T(-1)) : result;
}

template <class T> INLINE T saturated_difference(T a, T b) {
  T result;
  return __builtin_sub_overflow(a, b, &result) ? b : result;
}

template <class T> INLINE T saturated_product(T a, T b) {
  T result;
  return __builtin_mul_overflow(a, b, &result) ? T(-1) : result;
}

INLINE u32 high(u32 a, u32 b) { return u32(u64(a) * b >> 32); }
INLINE s32 high(s32 a, s32 b) { return s32(s64(a) * b >> 32); }
INLINE u64 high(u64 a, u64 b) { return u64((unsigned __int128)a * b >> 64); }
INLINE s64 high(s64 a, s64 b) { return s64((__int128)a * b >> 64); }

INLINE u64 carried(u64 a, u64 b, u64 c) {
  unsigned __int128 sum = ((unsigned __int128)a << 64 | b) + ((unsigned __int128)b << 64 | c) - a;
  return u64(sum >> 64) ^ u64(sum >> (c & 63));
}

INLINE u32 left_zeros(u32 a) { return a == 0 ? 32 : __builtin_clz(a); }
INLINE u32 right_zeros(u32 a) { return a == 0 ? 32 : __builtin_ctz(a); }
INLINE u64 left_zeros(u64 a) { return a == 0 ? 64 : __builtin_clzll(a); }
INLINE u64 right_zeros(u64 a) { return a == 0 ? 64 : __builtin_ctzll(a); }
INLINE u32 ones(u32 a) { return __builtin_popcount(a); }
INLINE u64 ones(u64 a) { return __builtin_popcountll(a); }
INLINE u32 swapped(u32 a) { return __builtin_bswap32(a); }
INLINE u64 swapped(u64 a) { return __builtin_bswap64(a); }
INLINE u32 reversed(u32 a) { return __builtin_bitreverse32(a); }
INLINE u64 reversed(u64 a) { return __builtin_bitreverse64(a); }
INLINE u32 rotated(u32 a, u32 n) { return __builtin_rotateleft32(a, n & 31); }
INLINE u64 rotated(u64 a, u32 n) { return __builtin_rotateleft64(a, n & 63); }
INLINE u32 joined(u32 a, u32 b, u32 n) { return u32((u64(a) << 32 | b) >> (n & 31)); }

template <class T, class F> INLINE T whole(F value, F low, F high) {
  return value > low && value < high ? T(value) : T(77);
}
INLINE s32 to_s32(f32 value) { return whole<s32>(value, -2e9f, 2e9f); }
INLINE u32 to_u32(f32 value) { return whole<u32>(value, -0.5f, 4e9f); }
INLINE s64 to_s64(f32 value) { return whole<s64>(value, -9e18f, 9e18f); }
INLINE u64 to_u64(f32 value) { return whole<u64>(value, -0.5f, 1.8e19f); }
INLINE s32 to_s32(f64 value) { return whole<s32>(value, -2e9, 2e9); }
INLINE u32 to_u32(f64 value) { return whole<u32>(value, -0.5, 4e9); }
INLINE s64 to_s64(f64 value) { return whole<s64>(value, -9e18, 9e18); }
INLINE u64 to_u64(f64 value) { return whole<u64>(value, -0.5, 1.8e19); }

INLINE f32 root(f32 a) { return __builtin_sqrtf(a); }
INLINE f64 root(f64 a) { return __builtin_sqrt(a); }
INLINE f32 magnitude(f32 a) { return __builtin_fabsf(a); }
INLINE f64 magnitude(f64 a) { return __builtin_fabs(a); }
INLINE f32 fused(f32 a, f32 b, f32 c) { return __builtin_fmaf(a, b, c); }
INLINE f64 fused(f64 a, f64 b, f64 c) { return __builtin_fma(a, b, c); }
INLINE f32 down(f32 a) { return __builtin_floorf(a); }
INLINE f64 down(f64 a) { return __builtin_floor(a); }
INLINE f32 up(f32 a) { return __builtin_ceilf(a); }
INLINE f64 up(f64 a) { return __builtin_ceil(a); }
INLINE f32 cut(f32 a) { return __builtin_truncf(a); }
INLINE f64 cut(f64 a) { return __builtin_trunc(a); }

// Atomic operations whose results do not depend on their order.
#ifdef __CUDA__
#define FETCH(name, operation) \
  template <class T> INLINE void name(T *place, T value) { operation(place, value, __ATOMIC_RELAXED); }
FETCH(atomic_sum, __atomic_fetch_add)
FETCH(atomic_and, __atomic_fetch_and)
FETCH(atomic_or, __atomic_fetch_or)
FETCH(atomic_xor, __atomic_fetch_xor)
FETCH(atomic_least, __atomic_fetch_min)
FETCH(atomic_greatest, __atomic_fetch_max)
INLINE u32 ticket(u32 *place) { return __atomic_fetch_add(place, 1, __ATOMIC_RELAXED); }
INLINE void compared_sum(u32 *place, u32 value) {
  u32 old = *(volatile u32 *)place;
  while (!__atomic_compare_exchange_n(place, &old, old + value, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
  }
}
#else
template <class T> INLINE void atomic_sum(T *place, T value) { *place += value; }
template <class T> INLINE void atomic_and(T *place, T value) { *place &= value; }
template <class T> INLINE void atomic_or(T *place, T value) { *place |= value; }
template <class T> INLINE void atomic_xor(T *place, T value) { *place ^= value; }
template <class T> INLINE void atomic_least(T *place, T value) { *place = least(*place, value); }
template <class T> INLINE void atomic_greatest(T *place, T value) { *place = greatest(*place, value); }
INLINE u32 ticket(u32 *place) { return (*place)++; }
INLINE void compared_sum(u32 *place, u32 value) { *place += value; }
#endif

INLINE void clear(Shared *shared, u32 thread, u32 threads, const u32 *in) {
  shared->even[thread] = in[thread] * 3;
  shared->odd[thread] = in[thread] ^ 0x5a5a;
  if (thread < PHASES) {
    shared->all[thread] = thread * 77;
    shared->wide[thread] = in[thread];
  }
}

// A kernel consists of phases, functions of a thread's state, between which all threads wait.
#ifdef __CUDA__
#define KERNEL(name, threads, State, ...) \
  extern "C" __attribute__((global)) void name(const u32 *in, u32 *out, u32 *sums) { \
    static __attribute__((shared)) Shared shared; \
    u32 thread = __nvvm_read_ptx_sreg_tid_x(); \
    u32 index = __nvvm_read_ptx_sreg_ctaid_x() * threads + thread; \
    Memory m = {in, out + index * OUT_WORDS, sums, &shared, thread, index}; \
    clear(&shared, thread, threads, in); \
    __nvvm_bar_sync(0); \
    State s; \
    s.begin(m); \
    __VA_ARGS__ \
    s.end(m); \
  }
#define PHASE(function) \
  function(s, m); \
  __nvvm_bar_sync(0);
#else
#define KERNEL(name, threads, State, ...) \
  static void name(const u32 *in, u32 *out, u32 *sums) { \
    for (u32 block = 0; block < BLOCKS; block++) { \
      Shared shared; \
      State states[threads]; \
      Memory memories[threads]; \
      for (u32 thread = 0; thread < threads; thread++) { \
        u32 index = block * threads + thread; \
        memories[thread] = {in, out + index * OUT_WORDS, sums, &shared, thread, index}; \
        clear(&shared, thread, threads, in); \
        states[thread].begin(memories[thread]); \
      } \
      const u32 count = threads; \
      __VA_ARGS__ \
      for (u32 thread = 0; thread < threads; thread++) states[thread].end(memories[thread]); \
    } \
  }
#define PHASE(function) \
  for (u32 thread = 0; thread < count; thread++) function(states[thread], memories[thread]);

extern "C" long write(int file, const void *bytes, unsigned long count);
typedef void (*Kernel)(const u32 *, u32 *, u32 *);

// Runs a kernel and writes its output and sums.
static void run(Kernel kernel, const u32 *in) {
  static u32 out[BLOCKS * MAX_THREADS * OUT_WORDS + SUMS] __attribute__((aligned(16)));
  __builtin_memset(out, 0, sizeof(out));
  u32 *sums = out + BLOCKS * MAX_THREADS * OUT_WORDS;
  for (u32 i = 0; i < SUMS; i++) sums[i] = i < 4 || i == 12 ? 0 : 0x70f0ff00 + i;
  kernel(in, out, sums);
  const char *bytes = (const char *)out;
  for (unsigned long done = 0; done < sizeof(out);) {
    long count = write(1, bytes + done, sizeof(out) - done);
    if (count <= 0) __builtin_trap();
    done += (unsigned long)count;
  }
}
#endif
