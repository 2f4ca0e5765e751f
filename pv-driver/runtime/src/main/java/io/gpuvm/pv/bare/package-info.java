/// The transport without virtualization: straight on a GPU that nobody else uses.
///
/// Everything but [io.gpuvm.pv.bare.NativeTransport] and what it hands out belongs to whoever holds
/// the transport's lock, because register access to a [GpuDevice][io.gpuvm.gf100.device.GpuDevice]
/// belongs to one thread at a time.
package io.gpuvm.pv.bare;
