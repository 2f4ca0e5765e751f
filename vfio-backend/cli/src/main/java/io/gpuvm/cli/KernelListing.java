package io.gpuvm.cli;

import io.gpuvm.gf100.cubin.Cubin;
import io.gpuvm.gf100.cubin.ElfClass;
import io.gpuvm.pv.module.BlockRule;
import io.gpuvm.pv.module.KernelImage;
import io.gpuvm.pv.module.KernelResources;
import io.gpuvm.pv.module.ModuleImage;
import java.io.PrintWriter;

/// Listing of a module for `gpuvm exec --list`.
final class KernelListing {
    private KernelListing() {}

    /// @throws io.gpuvm.pv.module.ModuleException if the module cannot be loaded
    static void print(Cubin cubin, PrintWriter out) {
        ModuleImage image = ModuleImage.of(cubin);
        out.printf(
                "sm_%d, %d-bit addresses, kernels %d%n",
                cubin.architecture(),
                cubin.width() == ElfClass.ELF64 ? Long.SIZE : Integer.SIZE,
                image.kernels().size());
        image.kernels().forEach(kernel -> print(kernel, out));
    }

    private static void print(KernelImage kernel, PrintWriter out) {
        KernelResources needs = kernel.resources();
        out.printf("%n%s%n", kernel.name());
        out.printf(
                "  registers %d, shared %d B, local %d B, barriers %d, threads %s%n",
                needs.registers(),
                needs.sharedBytes(),
                needs.localBytes(),
                needs.barriers(),
                threads(kernel.block()));
        kernel.textures().forEach(texture -> out.printf("  texture %s%n", texture.name()));
        if (kernel.parameters().isEmpty()) {
            String unknown = kernel.parameterBytes() == 0 ? "" : " (not described by the file)";
            out.printf("  parameters %d B%s%n", kernel.parameterBytes(), unknown);
            return;
        }
        out.printf("  %9s%8s%8s%n", "parameter", "offset", "size");
        kernel.parameters()
                .forEach(parameter ->
                        out.printf(
                                "  %9d%8d%8d%n",
                                parameter.ordinal(), parameter.offset(), parameter.sizeBytes()));
    }

    private static String threads(BlockRule rule) {
        return rule.required() == null ? "up to " + rule.maxThreads() : "only " + rule.required();
    }
}
