/// Programs that run on a GPU, each with the same computation on the CPU to compare with: what
/// tests, demo and experiments run.
package io.gpuvm.workloads;
