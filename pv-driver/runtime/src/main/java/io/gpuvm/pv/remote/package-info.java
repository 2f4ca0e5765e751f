/// Transport of a paravirtual guest: commands through shared memory to the backend that has the
/// GPU.
package io.gpuvm.pv.remote;
