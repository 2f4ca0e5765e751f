package io.gpuvm.cuda.service;

import io.gpuvm.gf100.cubin.KernelParameter;
import io.gpuvm.pv.module.KernelAttributes;
import java.util.List;

/// Kernels and variables of a loaded module.
///
/// @param kernels kernels; a launch names a kernel by its index in this list
public record ModuleDescription(List<Kernel> kernels, List<Variable> variables) {
    public ModuleDescription {
        kernels = List.copyOf(kernels);
        variables = List.copyOf(variables);
    }

    /// Kernel of a module.
    ///
    /// @param parameterBytes total length of the parameters in bytes
    /// @param parameters parameters by ordinal; empty if the file does not describe them, even if
    ///   `parameterBytes` is not 0
    public record Kernel(
            String name,
            int parameterBytes,
            List<KernelParameter> parameters,
            KernelAttributes attributes) {
        public Kernel {
            parameters = List.copyOf(parameters);
        }
    }

    /// Variable in global or constant memory.
    ///
    /// @param address GPU address
    /// @param bytes length in bytes
    public record Variable(String name, long address, long bytes) {}
}
