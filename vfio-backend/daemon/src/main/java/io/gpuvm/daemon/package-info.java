/// The backend process, one per host: owns the GPU and connects virtual machines to it.
package io.gpuvm.daemon;
