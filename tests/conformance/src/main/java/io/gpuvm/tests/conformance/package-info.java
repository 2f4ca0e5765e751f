/// Requirements on every [io.gpuvm.gf100.device.GpuDevice] and every
/// [io.gpuvm.gf100.device.PhysicalGpu], as tests that depend on no particular GPU. They run on the
/// software GPU in this process, on a guest's share of it, and on a card behind VFIO.
package io.gpuvm.tests.conformance;
