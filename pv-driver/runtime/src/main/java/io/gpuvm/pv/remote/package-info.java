/// The transport of a paravirtual guest: commands through shared memory to a backend, which has the
/// GPU.
package io.gpuvm.pv.remote;
