package io.gpuvm.cuda.service;

import io.gpuvm.gf100.cubin.Cubin;
import io.gpuvm.gf100.cubin.CubinFunction;
import io.gpuvm.gf100.cubin.CubinRelocation;
import io.gpuvm.gf100.cubin.DataSymbol;
import io.gpuvm.gf100.cubin.LineTable;
import io.gpuvm.gf100.cubin.TextureSlot;
import io.gpuvm.pv.module.KernelImage;
import io.gpuvm.pv.module.ModuleImage;
import io.gpuvm.pv.module.ModuleVariable;
import java.util.List;

/// Numbers of the parts of modules, each of which is an object in this process, and estimates of
/// their memory.
final class ModuleParts {
    /// Maximum number of kernels, variables, parameters and textures of a module, which the poller
    /// creates and describes in one step.
    static final int LIMIT = 1 << 15;

    /// Estimate of the memory of a row of a table of source lines.
    private static final int LINE_BYTES = 64;

    private ModuleParts() {}

    /// Returns the number of kernels, variables, parameters and textures.
    static long of(ModuleImage image) {
        long parts = image.variables().size();
        for (KernelImage kernel : image.kernels()) {
            parts += 1 + kernel.parameters().size() + kernel.textures().size();
        }
        return parts;
    }

    /// Returns the memory of the parts and their names, as long as the module is loaded.
    static long bytesOf(ModuleImage image) {
        long bytes = SessionHeap.MODULE_PART_BYTES * of(image);
        bytes += (long) LINE_BYTES * image.lines().rows();
        bytes += image.lines().nameLength() * Character.BYTES;
        for (ModuleVariable variable : image.variables()) {
            bytes += bytesOf(variable.name());
        }
        for (KernelImage kernel : image.kernels()) {
            bytes += bytesOf(kernel.name()) + bytesOfNames(kernel.textures());
        }
        return bytes;
    }

    /// Returns the additional memory of a module that is being loaded.
    static long bytesOfLoad(ModuleImage image) {
        return image.contentsBytes() + (long) SessionHeap.MODULE_PART_BYTES * image.relocations();
    }

    /// Returns the memory of the parts and their names of a module that is not loaded, in addition
    /// to the file.
    static long bytesOf(Cubin cubin) {
        long bytes = SessionHeap.MODULE_PART_BYTES * of(cubin);
        for (LineTable lines : cubin.lines()) {
            bytes += (long) LINE_BYTES * lines.rows().size();
            bytes += lines.nameLength() * Character.BYTES;
        }
        for (DataSymbol symbol : cubin.symbols()) {
            bytes += bytesOf(symbol.name());
        }
        for (CubinRelocation relocation : cubin.relocations()) {
            bytes += bytesOf(relocation.symbol());
        }
        for (CubinFunction function : cubin.functions()) {
            bytes += bytesOf(function.name()) + bytesOfNames(function.textures());
        }
        return bytes;
    }

    private static long bytesOfNames(List<TextureSlot> textures) {
        long bytes = 0;
        for (TextureSlot texture : textures) {
            bytes += bytesOf(texture.name());
        }
        return bytes;
    }

    private static long bytesOf(String name) {
        return (long) name.length() * Character.BYTES;
    }

    /// Returns the number of functions, variables, relocations and attributes of a module that is
    /// not loaded.
    private static long of(Cubin cubin) {
        long parts = (long) cubin.symbols().size() + cubin.relocations().size();
        for (CubinFunction function : cubin.functions()) {
            parts += 1 + function.info().size() + function.parameters().size();
        }
        return parts;
    }
}
