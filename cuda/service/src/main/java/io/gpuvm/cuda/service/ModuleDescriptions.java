package io.gpuvm.cuda.service;

import io.gpuvm.cuda.protocol.ModuleDescription;
import io.gpuvm.gf100.cubin.KernelParameter;
import io.gpuvm.pv.module.KernelAttributes;
import io.gpuvm.pv.module.KernelImage;
import io.gpuvm.pv.module.ModuleImage;
import io.gpuvm.pv.module.ModuleVariable;
import io.gpuvm.pv.runtime.DeviceMemory;
import io.gpuvm.pv.runtime.GpuKernel;
import io.gpuvm.pv.runtime.GpuModule;
import java.util.List;

/// Descriptions of modules.
final class ModuleDescriptions {
    private ModuleDescriptions() {}

    /// Returns the description of a module that is not loaded; addresses are offsets in the image.
    static ModuleDescription of(ModuleImage image) {
        return new ModuleDescription(
                image.kernels().stream().map(ModuleDescriptions::kernel).toList(),
                image.variables().stream().map(ModuleDescriptions::variable).toList());
    }

    /// Returns the description of a loaded module.
    ///
    /// @param kernels kernels in the order of their indices
    static ModuleDescription of(GpuModule module, List<GpuKernel> kernels) {
        return new ModuleDescription(
                kernels.stream().map(ModuleDescriptions::kernel).toList(),
                module.variableNames().stream().map(name -> variable(module, name)).toList());
    }

    private static ModuleDescription.Kernel kernel(KernelImage kernel) {
        return kernel(
                kernel.name(), kernel.parameterBytes(), kernel.parameters(), kernel.attributes());
    }

    private static ModuleDescription.Kernel kernel(GpuKernel kernel) {
        return kernel(
                kernel.name(), kernel.parameterBytes(), kernel.parameters(), kernel.attributes());
    }

    private static ModuleDescription.Kernel kernel(
            String name,
            int parameterBytes,
            List<KernelParameter> parameters,
            KernelAttributes attributes) {
        return new ModuleDescription.Kernel(
                name,
                parameterBytes,
                parameters.stream()
                        .map(parameter ->
                                new ModuleDescription.Parameter(
                                        parameter.offset(), parameter.sizeBytes()))
                        .toList(),
                attributes.maxThreads(),
                attributes.sharedBytes(),
                attributes.constantBytes(),
                attributes.localBytes(),
                attributes.registers(),
                attributes.ptxVersion(),
                attributes.binaryVersion());
    }

    private static ModuleDescription.Variable variable(ModuleVariable variable) {
        return new ModuleDescription.Variable(variable.name(), variable.offset(), variable.bytes());
    }

    private static ModuleDescription.Variable variable(GpuModule module, String name) {
        DeviceMemory memory = module.variable(name);
        return new ModuleDescription.Variable(name, memory.gpuVa(), memory.bytes());
    }
}
