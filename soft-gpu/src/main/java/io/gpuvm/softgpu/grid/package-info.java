/// Grids of blocks, distributed over multiprocessors; each multiprocessor runs on a separate
/// thread, within the slices of the engine thread.
package io.gpuvm.softgpu.grid;
