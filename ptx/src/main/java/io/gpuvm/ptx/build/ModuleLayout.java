package io.gpuvm.ptx.build;

import io.gpuvm.gf100.cubin.ConstantSection;
import io.gpuvm.gf100.cubin.Cubin;
import io.gpuvm.gf100.cubin.Location;
import io.gpuvm.ptx.check.PtxModifier;
import io.gpuvm.ptx.check.PtxOpcode;
import io.gpuvm.ptx.check.PtxSpace;
import io.gpuvm.ptx.check.PtxType;
import io.gpuvm.ptx.check.PtxVariable;
import io.gpuvm.ptx.ir.Checkpoint;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;

/// Places of a program's variables in global and constant memory.
final class ModuleLayout {
    /// Maximum number of bytes of initialized variables, which are contents of the file.
    private static final long MAX_INITIALIZED_BYTES = 256L << 20;

    private final Program program;
    private final int constantStart;
    private final Map<PtxVariable, Long> offsets = new HashMap<>();
    private long constantBytes;
    private long initializedBytes;
    private long zeroBytes;
    private int globalAlignment = 1;

    /// Offset in constant memory of its own generic address, or -1.
    private long constantWindow = -1;

    /// @param constantStart bytes at the start of constant memory that are not the program's
    ModuleLayout(Program program, int constantStart) {
        this.program = program;
        this.constantStart = constantStart;
        constantBytes = constantStart;
        for (PtxVariable variable : program.variables()) {
            if (variable.space() == PtxSpace.CONST) {
                constantBytes = align(constantBytes, variable.alignment());
                offsets.put(variable, constantBytes);
                constantBytes += variable.bytes();
            } else if (variable.space() == PtxSpace.GLOBAL && !isOpaque(variable)) {
                placeGlobal(variable);
            }
        }
        if (needsConstantWindow()) {
            constantWindow = align(constantBytes, Long.BYTES);
            constantBytes = constantWindow + Long.BYTES;
        }
    }

    /// Returns whether a variable is a texture, sampler or surface, which have no memory.
    private static boolean isOpaque(PtxVariable variable) {
        return variable.type().kind() == PtxType.Kind.OPAQUE;
    }

    private boolean needsConstantWindow() {
        return program.functions().stream()
                .flatMap(function -> function.code().stream())
                .anyMatch(instruction ->
                        (instruction.opcode() == PtxOpcode.CVTA
                                        || instruction.opcode() == PtxOpcode.ISSPACEP)
                                && instruction.operation().has(PtxModifier.CONST));
    }

    private void placeGlobal(PtxVariable variable) {
        int alignment = Math.min(variable.alignment(), Cubin.MAX_GLOBAL_ALIGNMENT);
        globalAlignment = Math.max(globalAlignment, alignment);
        if (isInitialized(variable)) {
            initializedBytes = align(initializedBytes, alignment);
            offsets.put(variable, initializedBytes);
            initializedBytes += variable.bytes();
        } else {
            zeroBytes = align(zeroBytes, alignment);
            offsets.put(variable, zeroBytes);
            zeroBytes += variable.bytes();
        }
    }

    /// Returns whether a variable has contents other than zeros.
    private static boolean isInitialized(PtxVariable variable) {
        return variable.initial().byteSize() > 0 || !variable.references().isEmpty();
    }

    private static long align(long offset, int alignment) {
        return offset + alignment - 1 & -alignment;
    }

    /// Returns the location of a variable, or null if it is neither in global nor in constant
    /// memory of this program.
    Location location(PtxVariable variable) {
        Long offset = offsets.get(program.definition(variable));
        if (offset == null) {
            return null;
        }
        if (variable.space() == PtxSpace.CONST) {
            return constant(offset);
        }
        return new Location(
                isInitialized(program.definition(variable))
                        ? Location.Part.GLOBAL_INIT
                        : Location.Part.GLOBAL,
                "",
                0,
                offset);
    }

    static Location constant(long offset) {
        return new Location(Location.Part.CONSTANT, "", ConstantSection.USER, offset);
    }

    boolean hasConstants() {
        return constantBytes > constantStart;
    }

    int constantBytes() {
        return (int) constantBytes;
    }

    /// Returns the offset in constant memory of its own generic address, or -1 if no code needs it.
    int constantWindow() {
        return (int) constantWindow;
    }

    /// Returns the reason why the GPU or the file cannot hold the variables, or null.
    String problem() {
        if (constantBytes > ConstantSection.BYTES) {
            return "constant memory: bytes=%d, limit=%d"
                    .formatted(constantBytes, ConstantSection.BYTES);
        }
        if (initializedBytes > MAX_INITIALIZED_BYTES) {
            return "initialized variables: bytes=%d, limit=%d"
                    .formatted(initializedBytes, MAX_INITIALIZED_BYTES);
        }
        return zeroBytes > Cubin.MAX_GLOBAL_BYTES
                ? "variables: bytes=%d, limit=%d".formatted(zeroBytes, Cubin.MAX_GLOBAL_BYTES)
                : null;
    }

    long zeroBytes() {
        return zeroBytes;
    }

    int globalAlignment() {
        return globalAlignment;
    }

    MemorySegment constants() {
        return contents(PtxSpace.CONST, constantBytes);
    }

    MemorySegment globals() {
        return contents(PtxSpace.GLOBAL, initializedBytes);
    }

    /// Returns the initial contents of all initialized variables of a space, without addresses.
    private MemorySegment contents(PtxSpace space, long bytes) {
        Checkpoint.current().checkData(bytes);
        MemorySegment contents = MemorySegment.ofArray(new byte[Math.toIntExact(bytes)]);
        for (PtxVariable variable : program.variables()) {
            if (variable.space() == space && isInitialized(variable)) {
                MemorySegment.copy(
                        variable.initial(),
                        0,
                        contents,
                        offsets.get(variable),
                        variable.initial().byteSize());
            }
        }
        return contents;
    }
}
