/// Transport of a paravirtual guest: commands pass through shared memory to the backend that owns
/// the GPU.
package io.gpuvm.pv.remote;
