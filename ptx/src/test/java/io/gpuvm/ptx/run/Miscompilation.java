package io.gpuvm.ptx.run;

import io.gpuvm.gf100.cubin.ConstantSection;
import io.gpuvm.gf100.cubin.Cubin;
import io.gpuvm.gf100.cubin.CubinFunction;
import io.gpuvm.gf100.cubin.DriverBank;
import io.gpuvm.gf100.isa.Comparison;
import io.gpuvm.gf100.isa.Field;
import io.gpuvm.gf100.isa.Form;
import io.gpuvm.gf100.isa.InstructionTable;
import io.gpuvm.gf100.isa.MemorySize;
import io.gpuvm.gf100.isa.Opcode;
import io.gpuvm.gf100.isa.OperandKind;
import io.gpuvm.gf100.isa.Rounding;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/// Change of machine code as an error of the compiler would cause it.
enum Miscompilation {
    /// Sums and products round towards zero.
    ROUNDING {
        @Override
        long change(Form form, long word) {
            boolean applies =
                    switch (form.opcode()) {
                        case FADD, FMUL, FFMA, DADD, DMUL, DFMA -> true;
                        default -> false;
                    };
            boolean isNearest =
                    applies
                            && form.has(Field.ROUNDING)
                            && form.get(Field.ROUNDING, word) == Rounding.RN.ordinal();
            return isNearest ? form.set(Field.ROUNDING, Rounding.RZ.ordinal(), word) : word;
        }
    },

    /// Differences have their operands in the wrong order.
    SWAPPED_OPERANDS {
        @Override
        long change(Form form, long word) {
            if (form.opcode() != Opcode.IADD
                    || form.kindB() != OperandKind.REGISTER
                    || form.is(Field.NEGATE_A, word) == form.is(Field.NEGATE_B, word)) {
                return word;
            }
            int a = form.get(Field.SRC_A, word);
            return form.set(
                    Field.SRC_B, a, form.set(Field.SRC_A, form.get(Field.SRC_B, word), word));
        }
    },

    /// Shifts take their counts modulo 32.
    SHIFT_CLAMP {
        @Override
        long change(Form form, long word) {
            boolean shifts = form.opcode() == Opcode.SHL || form.opcode() == Opcode.SHR;
            return shifts ? form.set(Field.WRAP, 1, word) : word;
        }
    },

    /// Sums ignore the carry of the lower words.
    MISSING_CARRY {
        @Override
        long change(Form form, long word) {
            return form.has(Field.CARRY_IN) && form.opcode() != Opcode.ISETP
                    ? form.set(Field.CARRY_IN, 0, word)
                    : word;
        }
    },

    /// Stores and atomic operations ignore their guards.
    DROPPED_PREDICATE {
        @Override
        long change(Form form, long word) {
            boolean applies =
                    switch (form.opcode()) {
                        case ST, STL, STS, RED, ATOM -> true;
                        default -> false;
                    };
            return applies
                    ? form.set(Field.PREDICATE, TRUE, form.set(Field.PREDICATE_NOT, 0, word))
                    : word;
        }
    },

    /// The size of a block is read from the next word.
    CONSTANT_OFFSET {
        @Override
        long change(Form form, long word) {
            Field place = form.has(Field.B_OFFSET) ? Field.B_OFFSET : Field.OFFSET;
            boolean applies =
                    form.has(Field.B_BANK)
                            && form.get(Field.B_BANK, word) == ConstantSection.DRIVER
                            && form.get(place, word) == DriverBank.BLOCK;
            return applies ? form.set(place, DriverBank.BLOCK + Integer.BYTES, word) : word;
        }
    },

    /// Spilled registers are loaded from the place of their neighbours.
    SPILL_SLOT {
        @Override
        long change(Form form, long word) {
            if (form.opcode() != Opcode.LDL
                    || form.get(Field.OFFSET, word) < SPILLED
                    || form.get(Field.SIZE, word) != MemorySize.B32.ordinal()) {
                return word;
            }
            return form.set(Field.OFFSET, form.get(Field.OFFSET, word) ^ Integer.BYTES, word);
        }
    },

    /// Loads extend signed numbers with zeros.
    SIGN_EXTENSION {
        @Override
        long change(Form form, long word) {
            if (form.opcode() != Opcode.LD && form.opcode() != Opcode.LDL) {
                return word;
            }
            return switch (MemorySize.values()[form.get(Field.SIZE, word)]) {
                case S8 -> form.set(Field.SIZE, MemorySize.U8.ordinal(), word);
                case S16 -> form.set(Field.SIZE, MemorySize.U16.ordinal(), word);
                default -> word;
            };
        }
    },

    /// Comparisons for less are true for equal numbers.
    COMPARISON {
        @Override
        long change(Form form, long word) {
            boolean isLess =
                    form.opcode() == Opcode.ISETP
                            && form.get(Field.COMPARISON, word) == Comparison.LT.ordinal();
            return isLess ? form.set(Field.COMPARISON, Comparison.LE.ordinal(), word) : word;
        }
    },

    /// Selections take the other operand.
    INVERTED_SELECTION {
        @Override
        long change(Form form, long word) {
            return form.opcode() == Opcode.SEL
                    ? form.set(Field.PSRC_NOT, 1 - form.get(Field.PSRC_NOT, word), word)
                    : word;
        }
    },

    /// Threads continue after a condition without the others of their warp.
    LOST_RECONVERGENCE {
        @Override
        long[] change(long[] code) {
            long[] changed = code.clone();
            int target = 0;
            for (int i = 0; i < code.length; i++) {
                Form form = InstructionTable.find(code[i]);
                if (form.opcode() == Opcode.SSY) {
                    target = i + 1 + form.get(Field.TARGET, code[i]) / BYTES;
                    changed[i] = InstructionTable.forms(Opcode.NOP).getFirst().template();
                } else if (form.has(Field.JOIN) && form.is(Field.JOIN, code[i])) {
                    Form branch = branch();
                    changed[i] =
                            form.opcode() == Opcode.NOP
                                    ? guardedAs(form, code[i], branch, (target - i - 1) * BYTES)
                                    : form.set(Field.JOIN, 0, code[i]);
                }
            }
            return changed;
        }
    },

    /// A store to shared memory changes places with the load that follows.
    REORDERED_VOLATILE {
        @Override
        long[] change(long[] code) {
            long[] changed = code.clone();
            for (int i = 0; i + 1 < code.length; i++) {
                if (opcode(changed[i]) == Opcode.STS && opcode(changed[i + 1]) == Opcode.LDS) {
                    changed[i] = code[i + 1];
                    changed[i + 1] = code[i];
                }
            }
            return changed;
        }
    };

    private static final int TRUE = 7;
    private static final int BYTES = InstructionTable.INSTRUCTION_BYTES;

    /// Size of the local memory of random programs, which spilled registers follow.
    private static final int SPILLED = 64;

    /// Returns an instruction with the error.
    long change(Form form, long word) {
        return word;
    }

    /// Returns the code of a function with the error in all instructions to which it applies.
    long[] change(long[] code) {
        long[] changed = new long[code.length];
        for (int i = 0; i < code.length; i++) {
            changed[i] = change(InstructionTable.find(code[i]), code[i]);
        }
        return changed;
    }

    /// Returns a module with the error.
    Cubin apply(Cubin cubin) {
        List<CubinFunction> functions = new ArrayList<>();
        for (CubinFunction function : cubin.functions()) {
            long[] changed = change(function.code().toArray(ValueLayout.JAVA_LONG_UNALIGNED));
            functions.add(
                    new CubinFunction(
                            function.name(),
                            function.kernel(),
                            MemorySegment.ofArray(changed),
                            function.registers(),
                            function.barriers(),
                            function.sharedBytes(),
                            function.localBytes(),
                            function.stack(),
                            function.parameterOffset(),
                            function.parameterBytes(),
                            function.parameters(),
                            function.constants(),
                            function.textures(),
                            function.info()));
        }
        return new Cubin(
                cubin.architecture(),
                cubin.virtualArchitecture(),
                cubin.width(),
                functions,
                cubin.constants(),
                cubin.globalBytes(),
                cubin.globalInit(),
                cubin.globalAlignment(),
                cubin.symbols(),
                cubin.relocations());
    }

    private static Opcode opcode(long word) {
        return InstructionTable.find(word).opcode();
    }

    private static Form branch() {
        return InstructionTable.forms(Opcode.BRA).stream()
                .filter(form -> form.relative() && !form.has(Field.B_BANK))
                .findFirst()
                .orElseThrow();
    }

    private static long guardedAs(Form form, long word, Form branch, int distance) {
        long changed = branch.set(Field.TARGET, distance, branch.template());
        for (Field field : List.of(Field.PREDICATE, Field.PREDICATE_NOT)) {
            changed = branch.set(field, form.get(field, word), changed);
        }
        return changed;
    }
}
