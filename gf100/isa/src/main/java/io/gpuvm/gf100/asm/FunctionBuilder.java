package io.gpuvm.gf100.asm;

import io.gpuvm.gf100.cubin.ConstantSection;
import io.gpuvm.gf100.cubin.CubinFunction;
import io.gpuvm.gf100.cubin.KernelParameter;
import io.gpuvm.gf100.cubin.TextureSlot;
import io.gpuvm.gf100.isa.InstructionTable;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Builds a function in the order of the source, and encodes its code at the end, when all labels
/// are known.
final class FunctionBuilder {
    /// Instruction, or a literal word if `statement` is null.
    private record Item(Statement statement, long word) {}

    private static final int MAX_INSTRUCTIONS = 1 << 20;

    private final Token name;
    private final boolean kernel;
    private final Scope scope;
    private final List<Item> code = new ArrayList<>();
    private final List<KernelParameter> parameters = new ArrayList<>();
    private final Map<Integer, DataBuilder> banks = new LinkedHashMap<>();
    private final List<TextureSlot> textures = new ArrayList<>();
    private int parameterEnd;
    private int sharedBytes;
    private int localBytes;
    private CubinFunction.Stack stack = CubinFunction.Stack.NONE;
    private Token registersToken;
    private int registers;
    private int barriers = -1;

    FunctionBuilder(Token name, boolean kernel, Scope module) {
        this.name = name;
        this.kernel = kernel;
        scope = new Scope(module);
    }

    Scope scope() {
        return scope;
    }

    Token name() {
        return name;
    }

    /// Returns the number of bytes from the start of the code to the next item.
    int address() {
        return code.size() * InstructionTable.INSTRUCTION_BYTES;
    }

    void instruction(Statement statement) {
        add(statement.start(), new Item(statement, 0));
    }

    void word(Token token, long word) {
        add(token, new Item(null, word));
    }

    private void add(Token token, Item item) {
        if (code.size() == MAX_INSTRUCTIONS) {
            throw new SourceException(
                    token,
                    "instructions=" + (MAX_INSTRUCTIONS + 1) + ", limit=" + MAX_INSTRUCTIONS);
        }
        code.add(item);
    }

    DataBuilder bank(int index) {
        return banks.computeIfAbsent(index, DataBuilder::new);
    }

    /// @param offset bytes from the first parameter, or -1 for the next free offset
    void parameter(Token token, int sizeBytes, int offset) {
        int place = offset < 0 ? align(parameterEnd, sizeBytes) : offset;
        parameterEnd = Math.max(parameterEnd, place + sizeBytes);
        check(token, "bytes of parameters", parameterEnd, CubinFunction.MAX_PARAMETER_BYTES);
        parameters.add(new KernelParameter(parameters.size(), place, sizeBytes));
        scope.define(
                token, Value.constant(ConstantSection.DRIVER, ConstantSection.PARAMETERS + place));
    }

    /// Adds a texture. A name without quotes denotes the slot.
    void texture(Token token, int slot) {
        textures.add(new TextureSlot(token.text(), slot));
        if (token.kind() == Token.Kind.NAME) {
            scope.define(token, Value.decimal(slot));
        }
    }

    /// @param token name of the variable, or the directive if the variable has no name
    void shared(Token token, boolean named, int bytes) {
        int place = align(sharedBytes, bytes);
        sharedBytes = place + bytes;
        check(token, "bytes of shared memory", sharedBytes, CubinFunction.MAX_SHARED_BYTES);
        if (named) {
            scope.define(token, Value.hex(place));
        }
    }

    /// @param token name of the variable, or the directive if the variable has no name
    void local(Token token, boolean named, int bytes) {
        int place = align(localBytes, bytes);
        localBytes = place + bytes;
        check(token, "bytes of local memory", localBytes, CubinFunction.MAX_LOCAL_BYTES);
        if (named) {
            scope.define(token, Value.hex(place));
        }
    }

    void stack(CubinFunction.Stack needed) {
        stack = needed;
    }

    void registers(Token token, int count) {
        check(token, "registers", count, CubinFunction.MAX_REGISTERS);
        registersToken = token;
        registers = count;
    }

    void barriers(Token token, int count) {
        check(token, "barriers", count, CubinFunction.MAX_BARRIERS);
        barriers = count;
    }

    private static void check(Token token, String what, int value, int limit) {
        if (value < 0 || value > limit) {
            throw new SourceException(
                    token, token.quoted() + ": " + what + "=" + value + ", limit=" + limit);
        }
    }

    /// Returns the next offset for an object of this size, aligned to the largest power of two that
    /// divides the size, at most 16.
    static int align(int offset, int bytes) {
        int alignment = Math.clamp(Integer.lowestOneBit(bytes), 1, 16);
        return (offset + alignment - 1) / alignment * alignment;
    }

    /// Encodes the function's code; adds errors to the list.
    long[] words(String file, List<AssemblyError> errors) {
        long[] words = new long[code.size()];
        for (int i = 0; i < words.length; i++) {
            try {
                words[i] = word(code.get(i), i * InstructionTable.INSTRUCTION_BYTES);
            } catch (SourceException e) {
                errors.add(e.error(file));
            }
        }
        int used = RegisterUse.of(words).registers();
        if (registersToken != null && registers < used) {
            String message =
                    "%s: registers=%d, expected at least %d"
                            .formatted(registersToken.quoted(), registers, used);
            errors.add(new SourceException(registersToken, message).error(file));
        }
        return words;
    }

    private long word(Item item, int address) {
        return item.statement == null
                ? item.word
                : InstructionAssembler.assemble(item.statement, address, scope::find);
    }

    /// @param words result of [#words] without errors
    CubinFunction build(long[] words) {
        RegisterUse use = RegisterUse.of(words);
        ByteBuffer bytes =
                ByteBuffer.allocate(words.length * InstructionTable.INSTRUCTION_BYTES)
                        .order(ByteOrder.LITTLE_ENDIAN);
        for (long word : words) {
            bytes.putLong(word);
        }
        return new CubinFunction(
                name.text(),
                kernel,
                MemorySegment.ofArray(bytes.array()),
                registersToken == null ? use.registers() : registers,
                barriers < 0 ? use.barriers() : barriers,
                sharedBytes,
                localBytes,
                stack,
                ConstantSection.PARAMETERS,
                parameterEnd,
                parameters,
                allBanks(),
                textures,
                List.of());
    }

    /// Returns the banks, including a kernel's bank 0, which the file contains as zeros because the
    /// launch writes the values.
    private List<ConstantSection> allBanks() {
        List<ConstantSection> all = new ArrayList<>();
        if (kernel) {
            byte[] zeros = new byte[ConstantSection.PARAMETERS + parameterEnd];
            all.add(new ConstantSection(ConstantSection.DRIVER, MemorySegment.ofArray(zeros)));
        }
        banks.values().forEach(bank -> all.add(bank.build()));
        return all;
    }
}
