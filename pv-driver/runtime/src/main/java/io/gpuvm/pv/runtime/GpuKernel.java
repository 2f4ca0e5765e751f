package io.gpuvm.pv.runtime;

import io.gpuvm.gf100.cubin.KernelParameter;
import io.gpuvm.pv.module.KernelAttributes;
import io.gpuvm.pv.module.KernelImage;
import java.util.List;

/// Kernel of a loaded module. Immutable; any thread.
public final class GpuKernel {
    private final GpuModule module;
    private final KernelImage image;
    private final KernelTextures textures;

    GpuKernel(GpuModule module, KernelImage image, KernelTextures textures) {
        this.module = module;
        this.image = image;
        this.textures = textures;
    }

    public String name() {
        return image.name();
    }

    /// Returns the parameters by ordinal; empty if the file does not describe them.
    public List<KernelParameter> parameters() {
        return image.parameters();
    }

    /// Returns the attributes that the kernel's code determines.
    public KernelAttributes attributes() {
        return image.attributes();
    }

    /// Returns the total length of the parameters in bytes.
    public int parameterBytes() {
        return image.parameterBytes();
    }

    GpuModule module() {
        return module;
    }

    KernelImage image() {
        return image;
    }

    KernelTextures textures() {
        return textures;
    }
}
