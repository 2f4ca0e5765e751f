package io.gpuvm.daemon;

import io.gpuvm.gf100.device.PhysicalGpu;
import io.gpuvm.trap.vgpu.DirectMapping;
import io.gpuvm.trap.vgpu.GpuFunction;
import io.gpuvm.trap.vgpu.MappableBars;
import io.gpuvm.trap.vgpu.MappingCounters;
import io.gpuvm.trap.vgpu.PassThroughGpu;

/// GPU that one virtual machine uses exclusively. Created and closed by one thread; the virtual
/// machine's thread uses the function.
final class WholeGpu implements AutoCloseable {
    private final GpuFunction function;
    private final MappingCounters counters;

    /// GPU with mapped BARs; null if every access is trapped, and the function reaches the GPU
    /// directly.
    private final PassThroughGpu mapped;

    /// @param vm configuration of the virtual machine
    /// @param gpu GPU in power-on state
    WholeGpu(VmConfig vm, PhysicalGpu gpu) {
        if (vm.mapping() == DirectMapping.NONE) {
            mapped = null;
            counters = new MappingCounters();
            function = new GpuFunction(gpu, MappableBars.NONE);
        } else {
            mapped = new PassThroughGpu(vm.name(), gpu, vm.mapping(), System::nanoTime);
            counters = mapped.mappingCounters();
            function = new GpuFunction(mapped, mapped.mappable());
        }
    }

    /// Returns the guest's PCI function.
    GpuFunction function() {
        return function;
    }

    /// Returns the costs of direct mapping. Any thread.
    MappingCounters mappingCounters() {
        return counters;
    }

    /// Releases everything but the GPU. Called after the virtual machine's thread has ended.
    @Override
    public void close() {
        if (mapped != null) {
            mapped.close();
        }
    }
}
