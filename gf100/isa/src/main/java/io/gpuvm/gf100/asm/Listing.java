package io.gpuvm.gf100.asm;

import io.gpuvm.gf100.cubin.ConstantSection;
import io.gpuvm.gf100.cubin.Cubin;
import io.gpuvm.gf100.cubin.CubinFunction;
import io.gpuvm.gf100.cubin.DataSymbol;
import io.gpuvm.gf100.cubin.ElfClass;
import io.gpuvm.gf100.cubin.KernelParameter;
import io.gpuvm.gf100.cubin.TextureSlot;
import io.gpuvm.gf100.isa.InstructionTable;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.List;
import java.util.function.Predicate;

/// Lists a cubin, or code alone, as a source that assembles to the same bytes.
///
/// Contents that the language cannot express (variables in global memory, relocations) are listed
/// as comments.
public final class Listing {
    private static final ValueLayout.OfLong WORD =
            ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final String INDENT = "        ";

    private final StringBuilder text = new StringBuilder();

    private Listing() {}

    /// @param wanted predicate that selects the functions to list
    public static String of(Cubin cubin, Predicate<CubinFunction> wanted) {
        Listing listing = new Listing();
        listing.module(cubin);
        cubin.functions().stream().filter(wanted).forEach(listing::function);
        return listing.text.toString();
    }

    /// @throws IllegalArgumentException if the code ends with a partial instruction
    public static String of(MemorySegment code) {
        Listing listing = new Listing();
        listing.code(words(code));
        return listing.text.toString();
    }

    /// Returns code as 64-bit words.
    ///
    /// @throws IllegalArgumentException if the code ends with a partial instruction
    public static long[] words(MemorySegment code) {
        long bytes = code.byteSize();
        if (bytes % InstructionTable.INSTRUCTION_BYTES != 0) {
            throw new IllegalArgumentException(
                    "bytes="
                            + bytes
                            + ", expected a multiple of "
                            + InstructionTable.INSTRUCTION_BYTES);
        }
        long[] words = new long[(int) (bytes / InstructionTable.INSTRUCTION_BYTES)];
        for (int i = 0; i < words.length; i++) {
            words[i] = code.get(WORD, (long) i * InstructionTable.INSTRUCTION_BYTES);
        }
        return words;
    }

    private void module(Cubin cubin) {
        line(".arch sm_" + cubin.architecture());
        line(".width " + (cubin.width() == ElfClass.ELF64 ? 64 : 32));
        if (cubin.globalBytes() > 0 || cubin.globalInit().byteSize() > 0) {
            line(
                    "// variables in global memory: "
                            + (cubin.globalBytes() + cubin.globalInit().byteSize())
                            + " bytes");
        }
        if (!cubin.relocations().isEmpty()) {
            line("// relocations: " + cubin.relocations().size());
        }
        for (ConstantSection bank : cubin.constants()) {
            List<DataSymbol> symbols =
                    cubin.symbols().stream()
                            .filter(one -> one.space() == DataSymbol.Space.CONSTANT)
                            .filter(one -> one.bank() == bank.index())
                            .toList();
            line("");
            line(".constant " + bank.index());
            new DataListing(text).append(bank.contents(), symbols);
        }
    }

    private void function(CubinFunction function) {
        long[] words = words(function.code());
        line("");
        line((function.kernel() ? ".kernel " : ".function ") + DataListing.name(function.name()));
        parameters(function);
        function.textures().forEach(this::texture);
        resources(function, words);
        code(words);
        for (ConstantSection bank : function.constants()) {
            if (bank.index() != ConstantSection.DRIVER) {
                line(INDENT + ".constant " + bank.index());
                new DataListing(text).append(bank.contents(), List.of());
            }
        }
        line(".end");
    }

    private void parameters(CubinFunction function) {
        if (function.parameterBytes() > 0 && function.parameters().isEmpty()) {
            line(INDENT + ".param p0, " + function.parameterBytes());
        }
        int end = 0;
        for (KernelParameter parameter : function.parameters()) {
            boolean usual = FunctionBuilder.align(end, parameter.sizeBytes()) == parameter.offset();
            String offset = usual ? "" : ", " + parameter.offset();
            line(INDENT + ".param p" + parameter.ordinal() + ", " + parameter.sizeBytes() + offset);
            end = Math.max(end, parameter.offset() + parameter.sizeBytes());
        }
    }

    private void texture(TextureSlot texture) {
        // The quotes prevent the text from defining a name in the source, which could conflict with
        // another name.
        line(INDENT + ".texture " + DataListing.quote(texture.name()) + ", " + texture.slot());
    }

    private void resources(CubinFunction function, long[] words) {
        RegisterUse use = RegisterUse.of(words);
        boolean enough = function.registers() >= use.registers();
        line(INDENT + (enough ? "" : "// ") + ".registers " + function.registers());
        line(INDENT + ".barriers " + function.barriers());
        if (function.sharedBytes() > 0) {
            line(INDENT + ".shared " + function.sharedBytes());
        }
        if (function.localBytes() > 0) {
            line(INDENT + ".local " + function.localBytes());
        }
        CubinFunction.Stack stack = function.stack();
        if (!stack.equals(CubinFunction.Stack.NONE)) {
            line(
                    INDENT
                            + ".stack "
                            + stack.minBytes()
                            + ", "
                            + stack.frameBytes()
                            + ", "
                            + stack.callReturnUnits());
        }
    }

    private void code(long[] words) {
        new CodeListing(words).append(text);
    }

    private void line(String line) {
        text.append(line).append('\n');
    }
}
