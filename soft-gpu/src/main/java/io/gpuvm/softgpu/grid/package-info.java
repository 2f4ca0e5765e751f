/// Grids of blocks, spread over multiprocessors; each runs on a separate thread, within the slices
/// of the engine thread.
package io.gpuvm.softgpu.grid;
