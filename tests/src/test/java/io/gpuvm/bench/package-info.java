/// Tests of the benchmarks' foundations, and of counts that are the same on any machine.
package io.gpuvm.bench;
