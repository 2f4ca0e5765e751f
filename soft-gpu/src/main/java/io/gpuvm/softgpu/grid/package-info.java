/// Grids of blocks: spread over multiprocessors, each on a thread of its own, for as long as the
/// engine thread says.
package io.gpuvm.softgpu.grid;
