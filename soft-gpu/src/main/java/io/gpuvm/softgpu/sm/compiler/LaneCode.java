package io.gpuvm.softgpu.sm.compiler;

import io.gpuvm.softgpu.sm.code.Instruction;
import io.gpuvm.softgpu.sm.code.Rows;
import io.gpuvm.softgpu.sm.flow.ThreadValues;
import java.lang.classfile.CodeBuilder;
import java.lang.constant.ConstantDescs;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/// Body of a loop over lanes: the effects of instructions on one lane, with values in local
/// variables.
///
/// A register is read when it is first needed. It is written at the end, if it was changed and is
/// needed later; until then, inactive lanes compute undefined values. [LaneFlags] handles the
/// predicates and the bits of the condition code, [LaneRows] the accesses to the warp's rows.
/// Methods that push or pop refer to the operand stack of the generated method.
final class LaneCode extends WordCode {
    /// Value of a register, in a local variable for each form that has been requested.
    private static final class Value {
        int integer = NONE;

        /// Bits, with any payload if the value is a NaN.
        int raw = NONE;

        int real = NONE;
        boolean isChanged;

        /// True if the value is known not to be a denormal number.
        boolean isFlushed;
    }

    private static final int NONE = -1;

    private final CodeBuilder code;
    private final LaneLoopFrame frame;
    private final LaneRows rows;
    private final LaneFlags flags;
    private final Map<Integer, Value> registers = new TreeMap<>();

    /// Local variable: a NaN if a NaN or an infinite number has been written.
    private int suspect = NONE;

    /// Rows of numbers that may contain a NaN with any payload.
    private final Set<Integer> rawRows = new TreeSet<>();

    LaneCode(CodeBuilder code, LaneLoopFrame frame, int offset) {
        super(code);
        this.code = code;
        this.frame = frame;
        rows = new LaneRows(this, frame, offset);
        flags = new LaneFlags(this, rows, frame);
    }

    /// Begins an instruction.
    void begin(Instruction i) {
        flags.begin(i);
    }

    /// Returns the lane's predicates and condition code, and whether it executes.
    LaneFlags flags() {
        return flags;
    }

    /// Returns the lane's words in the warp's registers.
    LaneRows rows() {
        return rows;
    }

    /// Pushes a register's bits.
    void pushInt(int row) {
        if (row == Rows.ZERO) {
            code.iconst_0();
            return;
        }
        Value value = value(row);
        if (value.integer == NONE) {
            if (value.isChanged) {
                pushRaw(row);
                oneNan();
            } else {
                rows.getInt(row);
            }
            value.integer = store();
        }
        code.iload(value.integer);
    }

    /// Pushes a register's bits; a NaN that arithmetic has produced may have any payload.
    void pushRaw(int row) {
        Value value = value(row);
        if (!value.isChanged || value.integer != NONE) {
            pushInt(row);
            return;
        }
        if (value.raw == NONE) {
            code.fload(value.real);
            rows.floatToRaw();
            value.raw = store();
        }
        code.iload(value.raw);
    }

    /// Pushes the bits of two registers.
    ///
    /// @param row row of the lower word
    void pushLong(int row) {
        pushInt(row);
        pushInt(Rows.upper(row));
        wide();
    }

    /// Pops bits and assigns them to two registers, for the lanes that execute.
    ///
    /// @param row [Rows#target] of the lower word's register
    void setLong(int row) {
        int bits = storeLong();
        code.lload(bits).l2i();
        setInt(row);
        code.lload(bits).bipush(Integer.SIZE).lushr().l2i();
        setInt(row + Rows.STRIDE);
    }

    /// Pushes a register's number.
    void pushFloat(int row) {
        if (row == Rows.ZERO) {
            code.fconst_0();
            return;
        }
        Value value = value(row);
        if (value.real == NONE) {
            if (value.isChanged) {
                code.iload(value.integer != NONE ? value.integer : value.raw);
                rows.bitsToFloat();
            } else {
                rows.getFloat(row);
            }
            value.real = storeFloat();
        }
        code.fload(value.real);
    }

    /// Returns whether a register is known not to contain a denormal number.
    boolean isFlushed(int row) {
        return row == Rows.ZERO || registers.containsKey(row) && value(row).isFlushed;
    }

    /// Pops bits and assigns them to a register, for the lanes that execute.
    ///
    /// @param row [Rows#target] of the register
    void setInt(int row) {
        if (isSink(row)) {
            code.pop();
            return;
        }
        if (flags.isGuarded()) {
            int fresh = store();
            pushInt(row);
            flags.blend(fresh);
        }
        change(row).integer = store();
    }

    /// Pops bits, which may be any NaN, and assigns their number to a register, for the lanes that
    /// execute; every NaN becomes the canonical NaN.
    ///
    /// @param isFlushed whether the number is known not to be denormal
    void setRaw(int row, boolean isFlushed) {
        if (flags.isGuarded() || isSink(row)) {
            oneNan();
            setInt(row);
            return;
        }
        Value value = change(row);
        value.raw = store();
        value.isFlushed = isFlushed;
    }

    /// Pops a number that an operation has produced, and assigns it to a register, for the lanes
    /// that execute; every NaN becomes the canonical NaN.
    void setFloat(int row) {
        if (isSink(row)) {
            code.pop();
            return;
        }
        if (flags.isGuarded()) {
            rows.floatToRaw();
            setRaw(row, false);
            return;
        }
        change(row).real = storeFloat();
    }

    private static boolean isSink(int row) {
        return row >= Rows.SINK && row < Rows.MASKED;
    }

    private Value value(int row) {
        return registers.computeIfAbsent(row, _ -> new Value());
    }

    /// Creates a new value for a register.
    private Value change(int row) {
        Value value = new Value();
        value.isChanged = true;
        registers.put(row, value);
        return value;
    }

    /// Pushes a constant that the lane loop has read.
    void pushConstant(int bank, int offset) {
        code.iload(frame.constant(bank, offset));
    }

    /// Pops an address in shared memory, and pushes the word at this address. Lanes that do not
    /// execute may have any address; they read the first word.
    void loadShared() {
        flags.keepIfExecuting();
        int address = store();
        code.aload(frame.shared()).iload(address);
        code.invokevirtual(GeneratedNames.SHARED, "word", GeneratedNames.WORD);
    }

    /// Results of an instruction, in local variables that no longer change.
    ///
    /// @param integers local variables of the words, by row
    /// @param reals local variables of the same words as numbers, by row
    /// @param flags local variables of the flags, each 0 or -1, by number ([Flag])
    record Results(
            Map<Integer, Integer> integers,
            Map<Integer, Integer> reals,
            Map<Integer, Integer> flags) {}

    /// Returns the results of the instruction that was written last.
    Results results(ThreadValues writes) {
        Map<Integer, Integer> integers = new TreeMap<>();
        Map<Integer, Integer> reals = new TreeMap<>();
        for (long left = writes.registers(); left != 0; left &= left - 1) {
            int row = Rows.source(Long.numberOfTrailingZeros(left));
            keep(row, integers, reals);
        }
        Map<Integer, Integer> words = new TreeMap<>();
        for (int left = LaneLoopFrame.flags(writes); left != 0; left &= left - 1) {
            int flag = Integer.numberOfTrailingZeros(left);
            flags.pushWhole(flag);
            words.put(flag, store());
        }
        return new Results(integers, reals, words);
    }

    /// Stores a register's value in local variables, as an integer and as a number.
    void keep(int row, Map<Integer, Integer> integers, Map<Integer, Integer> reals) {
        pushInt(row);
        integers.put(row, store());
        code.iload(integers.get(row));
        code.invokestatic(ConstantDescs.CD_Float, "intBitsToFloat", GeneratedNames.INT_TO_FLOAT);
        reals.put(row, storeFloat());
    }

    /// Assigns results that other code has computed, for all lanes.
    void take(Results results) {
        results.integers()
                .forEach((row, slot) -> {
                    Value value = change(row);
                    value.integer = slot;
                    value.real = results.reals().get(row);
                });
        results.flags().forEach(flags::take);
    }

    /// Declares the value that a register holds in all lanes.
    void know(int row, int integer, int real) {
        Value value = value(row);
        value.integer = integer;
        value.real = real;
    }

    /// Writes the changed values that are needed, and collects flags.
    ///
    /// @return rows of numbers in which NaNs must become the canonical NaN, in the lanes that are
    ///   collected as [Flag#SUSPECT]
    Set<Integer> finish() {
        registers.forEach((row, value) -> {
            if (value.isChanged && frame.isNeeded(row)) {
                write(row, value);
            }
        });
        if (suspect != NONE) {
            code.fload(suspect);
            rows.floatToRaw();
            pushIsNan(store());
            rows.collect(Flag.SUSPECT);
        }
        flags.finish();
        return rawRows;
    }

    private void write(int row, Value value) {
        if (frame.isMasked()) {
            rows.putInt(
                    row,
                    () -> {
                        rows.getInt(row);
                        int former = store();
                        pushInt(row);
                        int fresh = store();
                        flags.push(Flag.ACTIVE, 0);
                        choose(fresh, former);
                    });
            return;
        }
        if (value.integer != NONE || !frame.isVector()) {
            rows.putInt(row, () -> pushInt(row));
            return;
        }
        // One check finds the NaNs of all values.
        boolean isFirst = suspect == NONE;
        pushFloat(row);
        code.fconst_0();
        if (isFirst) {
            code.fmul();
        } else {
            code.fload(suspect);
            code.invokestatic(GeneratedNames.MATH, "fma", GeneratedNames.FMA);
        }
        suspect = storeFloat();
        if (value.raw != NONE) {
            rows.putInt(row, () -> code.iload(value.raw));
        } else {
            rows.putFloat(row, value.real);
        }
        rawRows.add(row);
    }
}
