/// What every [io.gpuvm.gf100.device.GpuDevice] must do, and every
/// [io.gpuvm.gf100.device.PhysicalGpu], written as tests that know no particular GPU: they run on
/// the software GPU in this process, on a guest's part of it, and on a card behind VFIO.
package io.gpuvm.tests.conformance;
