package io.gpuvm.gf100.asm;

import io.gpuvm.gf100.isa.AtomicType;
import io.gpuvm.gf100.isa.Field;
import io.gpuvm.gf100.isa.Form;
import io.gpuvm.gf100.isa.InstructionTable;
import io.gpuvm.gf100.isa.MemorySize;
import io.gpuvm.gf100.isa.NumberType;

/// Numbers of registers and of barriers that code needs.
final class RegisterUse {
    private static final int ALL_BARRIERS = 16;
    private static final Field[] REGISTERS = {
        Field.DST,
        Field.SRC_A,
        Field.SRC_B,
        Field.SRC_C,
        Field.DATA,
        Field.SWAP,
        Field.DST_2,
        Field.ADDRESS_2,
        Field.BARRIER_REGISTER,
        Field.THREADS_REGISTER
    };

    private int registers;
    private int barriers;

    static RegisterUse of(long[] words) {
        RegisterUse use = new RegisterUse();
        for (long word : words) {
            use.add(word);
        }
        return use;
    }

    int registers() {
        return registers;
    }

    int barriers() {
        return barriers;
    }

    /// Adds a word. A word that is not an instruction needs no registers or barriers.
    private void add(long word) {
        Form form = InstructionTable.find(word);
        if (form == null) {
            return;
        }
        for (Field field : REGISTERS) {
            int number = form.get(field, word, ReservedNames.ZERO_REGISTER);
            if (number != ReservedNames.ZERO_REGISTER) {
                registers = Math.max(registers, number + width(field, form, word));
            }
        }
        if (form.has(Field.BARRIER)) {
            barriers = Math.max(barriers, form.get(Field.BARRIER, word) + 1);
        } else if (form.has(Field.BARRIER_REGISTER)) {
            boolean zero = form.get(Field.BARRIER_REGISTER, word) == ReservedNames.ZERO_REGISTER;
            barriers = Math.max(barriers, zero ? 1 : ALL_BARRIERS);
        }
    }

    /// Returns the number of consecutive registers of an operand.
    private static int width(Field field, Form form, long word) {
        int bytes =
                switch (field) {
                    case DST -> Math.max(arithmetic(form), dataBytes(form, word, Field.DST_TYPE));
                    case SRC_A -> addressBytes(form, word);
                    case SRC_B -> Math.max(arithmetic(form), dataBytes(form, word, Field.SRC_TYPE));
                    case SRC_C -> arithmetic(form);
                    case DATA, SWAP -> dataBytes(form, word, Field.DST_TYPE);
                    case DST_2 -> MemorySize.of(form.get(Field.SIZE_2, word)).bytes();
                    case ADDRESS_2 -> form.is(Field.EXTENDED_2, word) ? Long.BYTES : Integer.BYTES;
                    default -> Integer.BYTES;
                };
        return Math.max(1, bytes / Integer.BYTES);
    }

    private static int addressBytes(Form form, long word) {
        return form.is(Field.EXTENDED, word) ? Long.BYTES : arithmetic(form);
    }

    private static int arithmetic(Form form) {
        return switch (form.opcode()) {
            case DADD, DMUL, DFMA, DMNMX -> Long.BYTES;
            case DSET, DSETP -> Long.BYTES;
            default -> Integer.BYTES;
        };
    }

    private static int dataBytes(Form form, long word, Field type) {
        if (form.has(Field.COMPONENTS)) {
            return Integer.bitCount(form.get(Field.COMPONENTS, word)) * Integer.BYTES;
        }
        if (form.has(Field.SIZE)) {
            return MemorySize.of(form.get(Field.SIZE, word)).bytes();
        }
        if (form.has(Field.ATOMIC_TYPE)) {
            boolean wide = form.get(Field.ATOMIC_TYPE, word) == AtomicType.U64.code();
            return wide ? Long.BYTES : Integer.BYTES;
        }
        return form.has(type) ? NumberType.of(form.get(type, word)).bytes() : Integer.BYTES;
    }
}
