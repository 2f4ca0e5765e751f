package io.gpuvm.pv.module;

import io.gpuvm.gf100.cubin.Cubin;
import io.gpuvm.gf100.cubin.CubinFunction;
import io.gpuvm.gf100.cubin.KernelParameter;
import io.gpuvm.gf100.cubin.TextureSlot;
import io.gpuvm.gf100.isa.InstructionTable;
import java.util.List;

/// Data for the launch of a kernel. Offsets are from the start of the image.
///
/// @param entry offset of the first instruction; the code segment starts at the image's start
/// @param banks constant banks to be bound, in the order of their indices; without bank 0, which
///   belongs to the launch
/// @param parameterOffset offset of the first parameter in bank 0
/// @param parameterBytes length of all parameters in bytes
/// @param parameters parameters by ordinal; empty if the file does not describe them, even if
///   `parameterBytes` is not 0
/// @param textures textures to be bound, each in its own slot
/// @param block permitted block sizes
/// @param attributes attributes that CUDA reports for the kernel
public record KernelImage(
        String name,
        int entry,
        KernelResources resources,
        List<BankImage> banks,
        int parameterOffset,
        int parameterBytes,
        List<KernelParameter> parameters,
        List<TextureSlot> textures,
        BlockRule block,
        KernelAttributes attributes) {
    public KernelImage {
        banks = List.copyOf(banks);
        parameters = List.copyOf(parameters);
        textures = List.copyOf(textures);
    }

    static KernelImage of(Cubin cubin, CubinFunction kernel, ModuleLayout layout, int stackBytes) {
        long codeBytes = kernel.code().byteSize();
        if (codeBytes < InstructionTable.INSTRUCTION_BYTES) {
            throw ModuleException.at(
                    "kernel " + kernel.name(),
                    "bytes of code",
                    codeBytes,
                    "at least " + InstructionTable.INSTRUCTION_BYTES);
        }
        KernelResources resources = KernelResources.of(kernel, stackBytes);
        BlockRule block = BlockRule.of(kernel);
        return new KernelImage(
                kernel.name(),
                (int) layout.offset(kernel.location()),
                resources,
                layout.banks(kernel, resources),
                kernel.parameterOffset(),
                kernel.parameterBytes(),
                kernel.parameters(),
                kernel.textures(),
                block,
                KernelAttributes.of(cubin, kernel, block));
    }
}
