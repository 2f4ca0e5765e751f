/// The process launched per host: owns the GPU and wires virtual machines to it.
package io.gpuvm.daemon;
