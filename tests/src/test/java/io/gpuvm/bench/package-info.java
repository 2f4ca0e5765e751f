/// Foundations of the benchmarks, and counts that must hold on any machine.
package io.gpuvm.bench;
