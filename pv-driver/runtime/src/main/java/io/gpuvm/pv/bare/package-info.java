/// Transport without virtualization: directly on a GPU that no other software uses.
///
/// Everything except [io.gpuvm.pv.bare.NativeTransport] and the objects that it returns is guarded
/// by the transport's lock, because register access to a
/// [GpuDevice][io.gpuvm.gf100.device.GpuDevice] belongs to one thread at a time.
package io.gpuvm.pv.bare;
