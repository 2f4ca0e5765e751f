package io.gpuvm.ptx.build;

import io.gpuvm.gf100.cubin.Cubin;
import io.gpuvm.ptx.check.PtxFunction;
import io.gpuvm.ptx.check.PtxInstruction;
import io.gpuvm.ptx.check.PtxModule;
import io.gpuvm.ptx.check.PtxOperand;
import io.gpuvm.ptx.check.PtxSpace;
import io.gpuvm.ptx.check.PtxVariable;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/// Locations of a module's variables. Variables of shared memory that functions use have the same
/// offset in all kernels; each kernel's own follow.
final class ModuleLayout {
    private final Map<PtxVariable, Integer> constants = new HashMap<>();
    private final Map<PtxVariable, Integer> shared = new HashMap<>();
    private final Map<PtxVariable, Long> globals = new HashMap<>();
    private final Map<PtxFunction, Integer> sharedBytes = new HashMap<>();
    private int constantBytes;
    private long initializedBytes;
    private long zeroBytes;
    private int globalAlignment = 1;

    ModuleLayout(PtxModule module) {
        for (PtxVariable variable : module.variables()) {
            if (variable.space() == PtxSpace.CONST) {
                constantBytes = align(constantBytes, variable.alignment());
                constants.put(variable, constantBytes);
                constantBytes = Math.toIntExact(constantBytes + variable.bytes());
            } else if (variable.space() == PtxSpace.GLOBAL) {
                placeGlobal(variable);
            }
        }
        placeShared(module);
    }

    private void placeGlobal(PtxVariable variable) {
        int alignment = Math.min(variable.alignment(), Cubin.MAX_GLOBAL_ALIGNMENT);
        globalAlignment = Math.max(globalAlignment, alignment);
        if (isInitialized(variable)) {
            initializedBytes = initializedBytes + alignment - 1 & -alignment;
            globals.put(variable, initializedBytes);
            initializedBytes += variable.bytes();
        } else {
            zeroBytes = zeroBytes + alignment - 1 & -alignment;
            globals.put(variable, zeroBytes);
            zeroBytes += variable.bytes();
        }
    }

    /// Returns whether a variable has contents other than zeros.
    static boolean isInitialized(PtxVariable variable) {
        return variable.initial().byteSize() > 0 || !variable.references().isEmpty();
    }

    private void placeShared(PtxModule module) {
        int common = 0;
        for (PtxFunction function : module.functions()) {
            if (!function.header().kernel()) {
                common = place(used(function), common);
            }
        }
        for (PtxFunction function : module.functions()) {
            if (function.header().kernel()) {
                sharedBytes.put(function, place(used(function), common));
            }
        }
    }

    private int place(Set<PtxVariable> variables, int start) {
        int end = start;
        for (PtxVariable variable : variables) {
            if (!variable.isDynamicShared() && !shared.containsKey(variable)) {
                end = align(end, variable.alignment());
                shared.put(variable, end);
                end = Math.toIntExact(end + variable.bytes());
            } else if (!variable.isDynamicShared()) {
                end = Math.max(end, Math.toIntExact(shared.get(variable) + variable.bytes()));
            }
        }
        for (PtxVariable variable : variables) {
            if (variable.isDynamicShared()) {
                end = align(end, variable.alignment());
                shared.merge(variable, end, Math::max);
                end = Math.max(end, shared.get(variable));
            }
        }
        return end;
    }

    private static Set<PtxVariable> used(PtxFunction function) {
        Set<PtxVariable> used = new LinkedHashSet<>();
        for (PtxInstruction instruction : function.code()) {
            for (PtxOperand operand : instruction.sources()) {
                PtxVariable variable =
                        switch (operand) {
                            case PtxOperand.Memory memory -> memory.variable();
                            case PtxOperand.Address(PtxVariable found, long _) -> found;
                            default -> null;
                        };
                if (variable != null && variable.space() == PtxSpace.SHARED) {
                    used.add(variable);
                }
            }
        }
        return used;
    }

    private static int align(int offset, int alignment) {
        return offset + alignment - 1 & -alignment;
    }

    int constantOffset(PtxVariable variable) {
        return constants.get(variable);
    }

    int constantBytes() {
        return constantBytes;
    }

    int sharedOffset(PtxVariable variable) {
        return shared.get(variable);
    }

    /// Returns the number of bytes of a kernel's shared memory.
    int sharedBytes(PtxFunction kernel) {
        return sharedBytes.get(kernel);
    }

    /// Returns the offset of a global variable among the initialized variables or among the others.
    long globalOffset(PtxVariable variable) {
        return globals.get(variable);
    }

    long initializedBytes() {
        return initializedBytes;
    }

    long zeroBytes() {
        return zeroBytes;
    }

    int globalAlignment() {
        return globalAlignment;
    }

    /// Returns the initial contents of all initialized variables of a space, without addresses.
    MemorySegment contents(PtxModule module, PtxSpace space, long bytes) {
        MemorySegment contents = MemorySegment.ofArray(new byte[Math.toIntExact(bytes)]);
        for (PtxVariable variable : module.variables()) {
            if (variable.space() == space && isInitialized(variable)) {
                long at = space == PtxSpace.CONST ? constants.get(variable) : globals.get(variable);
                MemorySegment.copy(
                        variable.initial(), 0, contents, at, variable.initial().byteSize());
            }
        }
        return contents;
    }
}
