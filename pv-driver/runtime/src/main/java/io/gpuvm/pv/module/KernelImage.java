package io.gpuvm.pv.module;

import io.gpuvm.gf100.cubin.CubinFunction;
import io.gpuvm.gf100.cubin.KernelParameter;
import io.gpuvm.gf100.cubin.TextureSlot;
import io.gpuvm.gf100.isa.InstructionTable;
import java.util.List;

/// What launching a kernel takes. Offsets are from the start of the image.
///
/// @param entry offset of the first instruction: the image's start is the code segment's, too
/// @param banks to be bound, by index; bank 0 is the launch's own, what is not listed is not used
/// @param parameterOffset where in bank 0 the first parameter lies
/// @param parameterBytes bytes of all parameters
/// @param parameters by ordinal; empty if the file does not describe them, in spite of
///   `parameterBytes`
/// @param textures that have to be bound, each in a slot of its own
/// @param block which blocks it can be launched with
public record KernelImage(
        String name,
        int entry,
        KernelResources resources,
        List<BankImage> banks,
        int parameterOffset,
        int parameterBytes,
        List<KernelParameter> parameters,
        List<TextureSlot> textures,
        BlockRule block) {
    public KernelImage {
        banks = List.copyOf(banks);
        parameters = List.copyOf(parameters);
        textures = List.copyOf(textures);
    }

    static KernelImage of(CubinFunction kernel, ModuleLayout layout, int stackBytes) {
        long codeBytes = kernel.code().byteSize();
        if (codeBytes < InstructionTable.INSTRUCTION_BYTES) {
            throw ModuleException.at(
                    "kernel " + kernel.name(),
                    "bytes of code",
                    codeBytes,
                    InstructionTable.INSTRUCTION_BYTES + "..");
        }
        KernelResources resources = KernelResources.of(kernel, stackBytes);
        return new KernelImage(
                kernel.name(),
                (int) layout.offset(kernel.location()),
                resources,
                layout.banks(kernel, resources),
                kernel.parameterOffset(),
                kernel.parameterBytes(),
                kernel.parameters(),
                kernel.textures(),
                BlockRule.of(kernel));
    }
}
