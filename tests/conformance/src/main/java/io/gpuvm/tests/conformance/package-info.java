/// What every [io.gpuvm.gf100.device.GpuDevice] must do, written as tests that know no particular
/// GPU: they run on the software GPU in this process, and on a card behind VFIO.
package io.gpuvm.tests.conformance;
