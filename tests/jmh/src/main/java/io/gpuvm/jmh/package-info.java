/// Benchmarks of the hot paths.
package io.gpuvm.jmh;
