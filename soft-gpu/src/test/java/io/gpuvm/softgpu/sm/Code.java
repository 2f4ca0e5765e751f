package io.gpuvm.softgpu.sm;

import io.gpuvm.gf100.isa.Field;
import io.gpuvm.gf100.isa.Form;
import io.gpuvm.gf100.isa.InstructionTable;
import io.gpuvm.gf100.isa.Opcode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Machine code for test programs, from fields of the instruction table: with labels, but without
/// the assembler.
public final class Code {
    private static final int BYTES = Long.BYTES;
    private static final int ALWAYS = 7;

    private final List<Long> words = new ArrayList<>();
    private final Map<String, Integer> labels = new HashMap<>();
    private final List<Runnable> fixes = new ArrayList<>();
    private int predicate = ALWAYS;
    private boolean inverted;
    private boolean joins;

    /// Returns one word: the first form of the operation that has all of the fields.
    ///
    /// @param fields fields and their values, alternating
    public static long word(Opcode opcode, Object... fields) {
        for (Form form : InstructionTable.forms()) {
            if (form.opcode() == opcode && takes(form, fields)) {
                return set(form, fields);
            }
        }
        throw new IllegalArgumentException(opcode + " " + Arrays.toString(fields));
    }

    private static boolean takes(Form form, Object[] fields) {
        for (int i = 0; i < fields.length; i += 2) {
            Field field = (Field) fields[i];
            int value = (int) fields[i + 1];
            boolean fits =
                    form.isConstant(field)
                            ? form.get(field, form.template()) == value
                            : form.fits(field, value);
            if (!fits) {
                return false;
            }
        }
        return true;
    }

    private static long set(Form form, Object[] fields) {
        long word = form.template();
        for (int i = 0; i < fields.length; i += 2) {
            Field field = (Field) fields[i];
            if (!form.isConstant(field)) {
                word = form.set(field, (int) fields[i + 1], word);
            }
        }
        return word;
    }

    /// Restricts the next instruction to lanes whose predicate is true.
    public Code when(int number) {
        predicate = number;
        inverted = false;
        return this;
    }

    /// Restricts the next instruction to lanes whose predicate is false.
    public Code unless(int number) {
        predicate = number;
        inverted = true;
        return this;
    }

    /// Makes the next instruction a join: `.S`.
    public Code joining() {
        joins = true;
        return this;
    }

    /// Adds an instruction.
    public Code add(Opcode opcode, Object... fields) {
        return add(word(opcode, guarded(fields)));
    }

    private Object[] guarded(Object[] fields) {
        List<Object> all = new ArrayList<>(List.of(fields));
        if (predicate != ALWAYS || inverted) {
            all.addAll(List.of(Field.PREDICATE, predicate));
            all.addAll(List.of(Field.PREDICATE_NOT, inverted ? 1 : 0));
        }
        if (joins) {
            all.addAll(List.of(Field.JOIN, 1));
        }
        predicate = ALWAYS;
        inverted = false;
        joins = false;
        return all.toArray();
    }

    /// Adds words unchanged.
    public Code add(long... more) {
        for (long word : more) {
            words.add(word);
        }
        return this;
    }

    /// Adds an instruction with a label as its target; the label may be defined later.
    public Code to(String label, Opcode opcode, Object... fields) {
        int index = words.size();
        Object[] all = guarded(fields);
        words.add(0L);
        fixes.add(() -> {
            Object[] with = Arrays.copyOf(all, all.length + 2);
            with[all.length] = Field.TARGET;
            with[all.length + 1] = (labels.get(label) - index - 1) * BYTES;
            words.set(index, word(opcode, with));
        });
        return this;
    }

    /// Defines a label at the next instruction.
    public Code label(String name) {
        labels.put(name, words.size());
        return this;
    }

    /// Returns the offset of a label from the start, in bytes.
    public int offsetOf(String label) {
        return labels.get(label) * BYTES;
    }

    /// Adds an instruction that loads a number into a register.
    public Code load(int register, int value) {
        return add(Opcode.MOV32I, Field.DST, register, Field.IMMEDIATE, value);
    }

    public Code exit() {
        return add(Opcode.EXIT);
    }

    /// Returns the code.
    public long[] words() {
        fixes.forEach(Runnable::run);
        return words.stream().mapToLong(Long::longValue).toArray();
    }
}
