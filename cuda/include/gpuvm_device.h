/*
 * Functions of CUDA C for the device that are neither mathematics nor in clang's headers: barriers, atomic operations, output, assertions.
 */
#ifndef GPUVM_DEVICE_H
#define GPUVM_DEVICE_H

#define GPUVM_FUNCTION static __inline__ __device__ __attribute__((always_inline))

/* Votes of the active threads of a warp. */
GPUVM_FUNCTION unsigned int __ballot(int predicate) {
  unsigned int lanes;
  __asm__ __volatile__("{ .reg .pred p; setp.ne.s32 p, %1, 0; vote.ballot.b32 %0, p; }" : "=r"(lanes) : "r"(predicate));
  return lanes;
}
GPUVM_FUNCTION int __any(int predicate) { return __ballot(predicate) != 0; }
GPUVM_FUNCTION int __all(int predicate) { return __ballot(!predicate) == 0; }

#if __CUDA_ARCH__ < 300
/* The threads of a warp run in lockstep: memory remains to be ordered. */
GPUVM_FUNCTION void __syncwarp(unsigned int mask = 0xffffffffu) {
  (void)mask;
  __nvvm_membar_cta();
}
#endif

/* Calls of the system that the PTX compiler implements. clang makes vprintf of printf. */
extern "C" {
__device__ int vprintf(const char *format, const char *arguments);
__device__ int printf(const char *format, ...);
__device__ void __assertfail(const char *message, const char *file, unsigned int line, const char *function, size_t characterBytes);

__device__ void *malloc(size_t bytes) __attribute__((nothrow, malloc));
__device__ void free(void *address) __attribute__((nothrow));

/* assert.h of glibc calls this function. */
GPUVM_FUNCTION void __assert_fail(const char *message, const char *file, unsigned int line, const char *function) {
  __assertfail(message, file, line, function, sizeof(char));
}
}

namespace std {
GPUVM_FUNCTION void *malloc(size_t bytes) { return ::malloc(bytes); }
GPUVM_FUNCTION void free(void *address) { ::free(address); }
}

/* Questions about addresses. */
GPUVM_FUNCTION unsigned int __isGlobal(const void *address) { return __nvvm_isspacep_global(address); }
GPUVM_FUNCTION unsigned int __isShared(const void *address) { return __nvvm_isspacep_shared(address); }
GPUVM_FUNCTION unsigned int __isConstant(const void *address) { return __nvvm_isspacep_const(address); }
GPUVM_FUNCTION unsigned int __isLocal(const void *address) { return __nvvm_isspacep_local(address); }
GPUVM_FUNCTION size_t __cvta_generic_to_shared(const void *address) {
  return (size_t)(__attribute__((address_space(3))) const char *)(const char *)address;
}

/*
 * Atomic operations. The suffixes _block and _system name the threads that see the operation as one; a GF100 has one kind, for the GPU.
 */
template <class To, class From> GPUVM_FUNCTION To gpuvm_bits(From from) {
  static_assert(sizeof(To) == sizeof(From), "both types have the same size");
  To to;
  __builtin_memcpy(&to, &from, sizeof(To));
  return to;
}

#define GPUVM_SCOPES(name, type) \
  GPUVM_FUNCTION type name##_block(type *address, type value) { return name(address, value); } \
  GPUVM_FUNCTION type name##_system(type *address, type value) { return name(address, value); }
#define GPUVM_ATOMIC(name, type, expression) \
  GPUVM_FUNCTION type name(type *address, type value) { return expression; } \
  GPUVM_SCOPES(name, type)
#define GPUVM_FETCH(name, type, operation) GPUVM_ATOMIC(name, type, operation(address, value, __ATOMIC_RELAXED))
#define GPUVM_CAS(type) \
  GPUVM_FUNCTION type atomicCAS(type *address, type compare, type value) { \
    __atomic_compare_exchange_n(address, &compare, value, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED); \
    return compare; \
  } \
  GPUVM_FUNCTION type atomicCAS_block(type *address, type compare, type value) { return atomicCAS(address, compare, value); } \
  GPUVM_FUNCTION type atomicCAS_system(type *address, type compare, type value) { return atomicCAS(address, compare, value); }
#define GPUVM_ARITHMETIC(type) \
  GPUVM_FETCH(atomicAdd, type, __atomic_fetch_add) \
  GPUVM_FETCH(atomicExch, type, __atomic_exchange_n) \
  GPUVM_CAS(type)
/* For 64 bits, clang makes these of comparisons and exchanges. */
#define GPUVM_ORDER_AND_BITS(type) \
  GPUVM_FETCH(atomicMin, type, __atomic_fetch_min) \
  GPUVM_FETCH(atomicMax, type, __atomic_fetch_max) \
  GPUVM_FETCH(atomicAnd, type, __atomic_fetch_and) \
  GPUVM_FETCH(atomicOr, type, __atomic_fetch_or) \
  GPUVM_FETCH(atomicXor, type, __atomic_fetch_xor)

GPUVM_ARITHMETIC(int)
GPUVM_ARITHMETIC(unsigned int)
GPUVM_ARITHMETIC(unsigned long long)
GPUVM_ORDER_AND_BITS(int)
GPUVM_ORDER_AND_BITS(unsigned int)
GPUVM_ORDER_AND_BITS(unsigned long long)
GPUVM_ORDER_AND_BITS(long long)
GPUVM_ATOMIC(atomicSub, int, atomicAdd(address, -value))
GPUVM_ATOMIC(atomicSub, unsigned int, atomicAdd(address, 0u - value))
GPUVM_ATOMIC(atomicInc, unsigned int, __nvvm_atom_inc_gen_ui(address, value))
GPUVM_ATOMIC(atomicDec, unsigned int, __nvvm_atom_dec_gen_ui(address, value))
GPUVM_ATOMIC(atomicAdd, float, __nvvm_atom_add_gen_f(address, value))
GPUVM_ATOMIC(atomicExch, float, gpuvm_bits<float>(atomicExch((unsigned int *)address, gpuvm_bits<unsigned int>(value))))

/*
 * CUDA declares atomicAdd of doubles for sm_60 and later alone. For older GPUs, its guide prints a function that programs contain under this
 * name; a template gives way to it.
 */
template <class T> struct gpuvm_double_only {};
template <> struct gpuvm_double_only<double> {
  typedef double type;
};
template <class T> GPUVM_FUNCTION T atomicAdd(T *address, typename gpuvm_double_only<T>::type value) {
  unsigned long long *bits = (unsigned long long *)address;
  unsigned long long seen = *(volatile unsigned long long *)bits;
  unsigned long long expected;
  do {
    expected = seen;
    seen = atomicCAS(bits, expected, gpuvm_bits<unsigned long long>(gpuvm_bits<double>(expected) + value));
  } while (seen != expected);
  return gpuvm_bits<double>(seen);
}

#undef GPUVM_SCOPES
#undef GPUVM_ATOMIC
#undef GPUVM_FETCH
#undef GPUVM_CAS
#undef GPUVM_ARITHMETIC
#undef GPUVM_ORDER_AND_BITS

#if __CUDA_ARCH__ < 320
/* On older GPUs, a load through the read-only cache is a load. */
template <class T> GPUVM_FUNCTION T __ldg(const T *address) { return *address; }
#endif

#endif
