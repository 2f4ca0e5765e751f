/// Transport without virtualization: directly on a GPU that no other software uses.
///
/// Everything except [io.gpuvm.pv.bare.NativeTransport] and the objects that it returns is guarded
/// by the transport's lock, because only one thread at a time may access the registers of a
/// [GpuDevice][io.gpuvm.gf100.device.GpuDevice].
package io.gpuvm.pv.bare;
