/// Benchmarks of shadow page tables.
package io.gpuvm.shadow;
