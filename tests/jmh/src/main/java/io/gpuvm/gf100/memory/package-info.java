/// Benchmarks of accesses to memory.
package io.gpuvm.gf100.memory;
