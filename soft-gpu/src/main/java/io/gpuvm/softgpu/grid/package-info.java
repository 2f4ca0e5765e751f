/// Grids of blocks, distributed over multiprocessors, which run on several threads within the
/// slices of the engine thread.
package io.gpuvm.softgpu.grid;
