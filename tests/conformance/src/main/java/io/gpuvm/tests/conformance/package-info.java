/// Requirements on every [io.gpuvm.gf100.device.GpuDevice] and every
/// [io.gpuvm.gf100.device.PhysicalGpu], as tests that depend on no particular GPU. The tests run on
/// the software GPU in this process, on a virtual GPU, and on a card behind VFIO.
package io.gpuvm.tests.conformance;
