/*
 * Cooperative groups of CUDA C++: thread blocks, tiles of 1 to 32 threads of them, and groups of either kind. Groups of a grid or of several GPUs
 * are not declared.
 */
#ifndef GPUVM_COOPERATIVE_GROUPS_H
#define GPUVM_COOPERATIVE_GROUPS_H

#include "cuda_runtime.h"

#if !defined(__CUDA__)
#error "cooperative_groups.h is for files that clang compiles as CUDA."
#endif

#define GPUVM_MEMBER __inline__ __device__ __attribute__((always_inline))

namespace cooperative_groups {

/* A block, or threads of a warp. */
class thread_group {
public:
  GPUVM_MEMBER void sync() const {
    if (lanes == 0) {
      __syncthreads();
    } else {
      __syncwarp(lanes);
    }
  }
  GPUVM_MEMBER unsigned int thread_rank() const {
    return lanes == 0 ? rank_in_block() : __popc(lanes & ((1u << (rank_in_block() & 31)) - 1));
  }
  GPUVM_MEMBER unsigned int num_threads() const { return lanes == 0 ? blockDim.x * blockDim.y * blockDim.z : __popc(lanes); }
  GPUVM_MEMBER unsigned int size() const { return num_threads(); }

private:
  /* The members' lanes of the warp; 0 for a block. */
  unsigned int lanes;

  GPUVM_MEMBER explicit thread_group(unsigned int members) : lanes(members) {}
  GPUVM_MEMBER static unsigned int rank_in_block() { return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z); }
  friend class thread_block;
  template <unsigned int Size> friend class thread_block_tile;
  friend GPUVM_MEMBER thread_group tiled_partition(const thread_group &group, unsigned int size);
};

/* All threads of a block. */
class thread_block {
public:
  GPUVM_MEMBER operator thread_group() const { return thread_group(0); }
  GPUVM_MEMBER static void sync() { __syncthreads(); }
  GPUVM_MEMBER static unsigned int thread_rank() { return thread_group::rank_in_block(); }
  GPUVM_MEMBER static unsigned int num_threads() { return blockDim.x * blockDim.y * blockDim.z; }
  GPUVM_MEMBER static unsigned int size() { return num_threads(); }
  GPUVM_MEMBER static dim3 group_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
  GPUVM_MEMBER static dim3 thread_index() { return dim3(threadIdx.x, threadIdx.y, threadIdx.z); }
  GPUVM_MEMBER static dim3 group_dim() { return dim3(blockDim.x, blockDim.y, blockDim.z); }
  GPUVM_MEMBER static dim3 dim_threads() { return group_dim(); }

private:
  GPUVM_MEMBER thread_block() {}
  friend GPUVM_MEMBER thread_block this_thread_block();
};

GPUVM_MEMBER thread_block this_thread_block() { return thread_block(); }

/* Size threads of a warp with consecutive ranks; they run in lockstep. */
template <unsigned int Size> class thread_block_tile {
  static_assert(Size >= 1 && Size <= 32 && (Size & (Size - 1)) == 0, "the size of a tile is a power of 2, at most 32");

public:
  GPUVM_MEMBER operator thread_group() const { return thread_group(mask()); }
  GPUVM_MEMBER void sync() const { __syncwarp(mask()); }
  GPUVM_MEMBER unsigned int thread_rank() const { return thread_block::thread_rank() & (Size - 1); }
  GPUVM_MEMBER static constexpr unsigned int num_threads() { return Size; }
  GPUVM_MEMBER static constexpr unsigned int size() { return Size; }
  GPUVM_MEMBER unsigned int meta_group_rank() const { return thread_block::thread_rank() / Size; }
  GPUVM_MEMBER unsigned int meta_group_size() const { return (thread_block::num_threads() + Size - 1) / Size; }

  /* Votes of the active threads of the tile. */
  GPUVM_MEMBER unsigned int ballot(int predicate) const { return (__ballot(predicate) & mask()) >> first(); }
  GPUVM_MEMBER int any(int predicate) const { return ballot(predicate) != 0; }
  GPUVM_MEMBER int all(int predicate) const { return ballot(!predicate) == 0; }

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 300
  template <class T> GPUVM_MEMBER T shfl(T value, int rank) const { return __shfl(value, rank, Size); }
  template <class T> GPUVM_MEMBER T shfl_up(T value, unsigned int distance) const { return __shfl_up(value, distance, Size); }
  template <class T> GPUVM_MEMBER T shfl_down(T value, unsigned int distance) const { return __shfl_down(value, distance, Size); }
  template <class T> GPUVM_MEMBER T shfl_xor(T value, unsigned int bits) const { return __shfl_xor(value, (int)bits, Size); }
#endif

private:
  GPUVM_MEMBER static unsigned int first() { return thread_block::thread_rank() & 31 & ~(Size - 1); }
  GPUVM_MEMBER static unsigned int mask() { return (Size == 32 ? 0xffffffffu : (1u << (Size & 31)) - 1) << first(); }
};

template <unsigned int Size> GPUVM_MEMBER thread_block_tile<Size> tiled_partition(const thread_block &) { return thread_block_tile<Size>(); }

/* Divides a block, or a tile, into tiles whose size is a power of 2, at most 32. */
GPUVM_MEMBER thread_group tiled_partition(const thread_group &group, unsigned int size) {
  const unsigned int lane = thread_group::rank_in_block() & 31;
  const unsigned int tile = (size == 32 ? 0xffffffffu : (1u << size) - 1) << (lane & ~(size - 1));
  return thread_group(group.lanes == 0 ? tile : tile & group.lanes);
}

template <class Group> GPUVM_MEMBER void sync(const Group &group) { group.sync(); }
template <class Group> GPUVM_MEMBER unsigned int thread_rank(const Group &group) { return group.thread_rank(); }
template <class Group> GPUVM_MEMBER unsigned int group_size(const Group &group) { return group.size(); }

}

#undef GPUVM_MEMBER

#endif
