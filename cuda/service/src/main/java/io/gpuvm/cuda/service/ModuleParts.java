package io.gpuvm.cuda.service;

import io.gpuvm.gf100.cubin.Cubin;
import io.gpuvm.gf100.cubin.CubinFunction;
import io.gpuvm.pv.module.KernelImage;
import io.gpuvm.pv.module.ModuleImage;

/// Numbers of the parts of modules, each of which is an object in this process.
final class ModuleParts {
    /// Maximum number of kernels, variables, parameters and textures of a module, which the poller
    /// creates and describes in one step.
    static final int LIMIT = 1 << 15;

    private ModuleParts() {}

    /// Returns the number of kernels, variables, parameters and textures.
    static long of(ModuleImage image) {
        long parts = image.variables().size();
        for (KernelImage kernel : image.kernels()) {
            parts += 1 + kernel.parameters().size() + kernel.textures().size();
        }
        return parts;
    }

    /// Returns the number of functions, variables, relocations and attributes of a module that is
    /// not loaded.
    static long of(Cubin cubin) {
        long parts = (long) cubin.symbols().size() + cubin.relocations().size();
        for (CubinFunction function : cubin.functions()) {
            parts += 1 + function.info().size() + function.parameters().size();
        }
        return parts;
    }
}
