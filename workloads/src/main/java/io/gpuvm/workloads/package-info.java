/// Programs that run on a GPU, each with a reference computation on the CPU for comparison. Tests,
/// demo and experiments run them.
package io.gpuvm.workloads;
