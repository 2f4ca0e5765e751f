package io.gpuvm.softgpu.sm.compiler;

import io.gpuvm.gf100.isa.LogicOp;
import io.gpuvm.gf100.isa.OperandKind;
import io.gpuvm.softgpu.sm.alu.Conditions;
import io.gpuvm.softgpu.sm.alu.Floats;
import io.gpuvm.softgpu.sm.alu.Integers;
import io.gpuvm.softgpu.sm.code.Instruction;
import io.gpuvm.softgpu.sm.code.Rows;
import io.gpuvm.softgpu.sm.flow.Effects;
import io.gpuvm.softgpu.sm.flow.ThreadValues;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.classfile.TypeKind;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/// The body of a loop over lanes: what instructions do for one of them, values being in local
/// variables.
///
/// A register is read when it is first needed, and written at the end if it was changed and anybody
/// needs it; lanes that are not active compute what they like until then. Predicates and the bits
/// of the condition code ([Flag]) are words of 0 or -1 here. Methods that push or pop mean the
/// operand stack of the method that is generated.
final class LaneCode {
    /// A register's value, in as many ways as it has been asked for: local variables.
    private static final class Value {
        int integer = NONE;

        /// Bits, which are of any NaN if it is none.
        int raw = NONE;

        int real = NONE;
        boolean isChanged;

        /// Whether it is known to be no denormal number.
        boolean isFlushed;
    }

    /// What a guarded instruction has computed: the value for whatever has the same guard.
    ///
    /// @param slot local variable: the value
    /// @param guard local variable: the guard
    private record Fresh(int slot, int guard) {}

    private static final int NONE = -1;
    private static final int SIGN_BIT = Integer.SIZE - 1;
    private static final int INFINITY = Float.floatToRawIntBits(Float.POSITIVE_INFINITY);
    private static final int ALL = -1;

    private final CodeBuilder code;
    private final SegmentFrame frame;

    /// Local variable: the lane, times the size of a word.
    private final int offset;

    private final Map<Integer, Value> registers = new TreeMap<>();

    /// By number ([Flag]): local variables of what has been read or written.
    private final Map<Integer, Integer> flags = new TreeMap<>();

    private final Set<Integer> changedFlags = new TreeSet<>();

    /// By number ([Flag]): what the last instruction that set it set it to.
    private final Map<Integer, Fresh> freshFlags = new HashMap<>();

    /// Local variables of what guards have come to, by guard.
    private final Map<Integer, Integer> masks = new HashMap<>();

    private int scratch;

    /// Which of the rows with the lanes' bits is the next to be read.
    private int laneRow;

    /// Local variable: a NaN if a number that has been written is none, or is infinite.
    private int suspect = NONE;

    /// Rows of numbers that have been written with whatever NaN the machine has made.
    private final Set<Integer> rawRows = new TreeSet<>();

    /// Local variable: 0 or -1, whether the lane, if it is active, executes the current
    /// instruction; [#NONE] if every lane does.
    private int guard = NONE;

    LaneCode(CodeBuilder code, SegmentFrame frame, int offset) {
        this.code = code;
        this.frame = frame;
        this.offset = offset;
    }

    CodeBuilder code() {
        return code;
    }

    /// Begins an instruction.
    void begin(Instruction i) {
        guard = NONE;
        boolean isGuarded = i.guard != Instruction.TRUE_PREDICATE || i.guardFlip != 0;
        if (i.condition != Instruction.ALWAYS) {
            pushTest(i.condition);
            if (isGuarded) {
                pushFlag(i.guard, i.guardFlip);
                code.iand();
            }
            guard = store();
        } else if (isGuarded) {
            guard =
                    masks.computeIfAbsent(
                            i.guard << 1 | i.guardFlip & 1,
                            _ -> {
                                pushFlag(i.guard, i.guardFlip);
                                return store();
                            });
        }
    }

    /// Pushes -1 if the condition code passes a test, else 0.
    ///
    /// @param test ordinal of [io.gpuvm.gf100.isa.ConditionCode]
    void pushTest(int test) {
        int deciding = Effects.conditionsOfTest(test);
        push(test);
        for (int flag = Flag.ZERO; flag <= Flag.OVERFLOW; flag++) {
            if ((deciding >>> flag - Flag.ZERO & 1) != 0) {
                pushFlag(flag, 0);
            } else {
                push(0);
            }
        }
        call(Conditions.class, "test", Names.ofInts(5));
    }

    /// Pushes -1 if the lane is one of some, else 0.
    ///
    /// @param lanes their bits
    void pushIsAmong(int lanes) {
        push(lanes);
        laneBitToMask();
    }

    /// Pushes a number.
    void push(int number) {
        code.loadConstant(number);
    }

    /// Pushes a truth.
    void push(boolean truth) {
        push(truth ? 1 : 0);
    }

    /// Pops a number, pushes it with its sign taken away or changed.
    ///
    /// @param keep all ones, or not to take the sign away
    /// @param sign other than 0 to change it
    void changeFloatSign(int keep, int sign) {
        if (keep != ALL) {
            code.invokestatic(Names.MATH, "abs", Names.FLOAT_TO_FLOAT);
        }
        if (sign != 0) {
            code.fneg();
        }
    }

    /// Pops arguments, pushes what a static method makes of them.
    void call(Class<?> owner, String name, MethodTypeDesc type) {
        code.invokestatic(owner.describeConstable().orElseThrow(), name, type);
    }

    /// Pops an argument, pushes what a function that takes long makes of it; anything if the lane
    /// does not execute.
    void callIfExecuted(Runnable function) {
        if (guard == NONE && !frame.isMasked()) {
            function.run();
            return;
        }
        int argument = store();
        code.iconst_0();
        int result = store();
        pushIsExecuting();
        Label skipped = code.newLabel();
        code.ifeq(skipped);
        code.iload(argument);
        function.run();
        code.istore(result);
        code.labelBinding(skipped);
        code.iload(result);
    }

    /// Pushes -1 if the lane is active and executes the instruction, else 0.
    private void pushIsExecuting() {
        push(ALL);
        if (guard != NONE) {
            code.iload(guard).iand();
        }
        if (frame.isMasked()) {
            pushFlag(Flag.ACTIVE, 0);
            code.iand();
        }
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
                getInt(row);
            }
            value.integer = store();
        }
        code.iload(value.integer);
    }

    /// Pushes a register's bits, of whatever NaN if it is one that arithmetic has made.
    void pushRaw(int row) {
        Value value = value(row);
        if (!value.isChanged || value.integer != NONE) {
            pushInt(row);
            return;
        }
        if (value.raw == NONE) {
            code.fload(value.real);
            floatToRaw();
            value.raw = store();
        }
        code.iload(value.raw);
    }

    /// Pushes the bits of two registers.
    ///
    /// @param row of the lower word
    void pushLong(int row) {
        pushInt(row);
        pushInt(Rows.upper(row));
        wide();
    }

    /// Pops two words, pushes them as one number.
    private void wide() {
        call(Integers.class, "wide", Names.WIDE);
    }

    /// Pops bits and makes them the value of two registers, for the lanes that execute.
    ///
    /// @param row [Rows#target] of the lower word's
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
                bitsToFloat();
            } else {
                getFloat(row);
            }
            value.real = storeFloat();
        }
        code.fload(value.real);
    }

    /// Whether a register is known to hold no denormal number.
    boolean isFlushed(int row) {
        return row == Rows.ZERO || registers.containsKey(row) && value(row).isFlushed;
    }

    /// Pops bits and makes them a register's value, for the lanes that execute.
    ///
    /// @param row [Rows#target] of the register
    void setInt(int row) {
        if (isSink(row)) {
            code.pop();
            return;
        }
        if (guard != NONE) {
            int fresh = store();
            pushInt(row);
            blend(fresh);
        }
        change(row).integer = store();
    }

    /// Pops bits that are of any NaN if they are of one, and makes the number a register's value,
    /// for the lanes that execute; the one NaN if it is none.
    ///
    /// @param isFlushed whether it is no denormal number
    void setRaw(int row, boolean isFlushed) {
        if (guard != NONE || isSink(row)) {
            oneNan();
            setInt(row);
            return;
        }
        Value value = change(row);
        value.raw = store();
        value.isFlushed = isFlushed;
    }

    /// Pops a number that an operation has made, and makes it a register's value, for the lanes
    /// that execute; the one NaN if it is none.
    void setFloat(int row) {
        if (isSink(row)) {
            code.pop();
            return;
        }
        if (guard != NONE) {
            floatToRaw();
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

    /// A new value for a register.
    private Value change(int row) {
        Value value = new Value();
        value.isChanged = true;
        registers.put(row, value);
        return value;
    }

    /// Pushes 0 or -1, right for the lanes that execute the current instruction.
    ///
    /// @param flip -1 for the opposite
    void pushFlag(int number, int flip) {
        if (number == Flag.TRUE) {
            code.loadConstant(ALL ^ flip);
            return;
        }
        Fresh fresh = freshFlags.get(number);
        if (fresh != null && fresh.guard() == guard) {
            code.iload(fresh.slot());
        } else {
            pushWholeFlag(number);
        }
        if (flip != 0) {
            invert();
        }
    }

    /// Pushes 0 or -1, right for all lanes.
    void pushWholeFlag(int number) {
        Integer known = flags.get(number);
        if (known == null) {
            code.iload(frame.flagWord(number));
            laneBitToMask();
            known = store();
            flags.put(number, known);
        }
        code.iload(known);
    }

    /// Pops 0 or -1, and makes it a predicate's value or a bit of the condition code, for the lanes
    /// that execute.
    void setFlag(int number) {
        if (number == Flag.TRUE) {
            code.pop();
            return;
        }
        freshFlags.remove(number);
        if (guard != NONE) {
            int fresh = store();
            pushWholeFlag(number);
            blend(fresh);
            freshFlags.put(number, new Fresh(fresh, guard));
        }
        flags.put(number, store());
        changedFlags.add(number);
        masks.keySet().removeIf(key -> key >> 1 == number);
    }

    /// What an instruction has written: local variables that nothing changes any more.
    ///
    /// @param integers by row
    /// @param reals the same as numbers, by row
    /// @param flags by number ([Flag]): 0 or -1
    record Results(
            Map<Integer, Integer> integers,
            Map<Integer, Integer> reals,
            Map<Integer, Integer> flags) {}

    /// What the instruction that was just written has written.
    Results results(ThreadValues writes) {
        Map<Integer, Integer> integers = new TreeMap<>();
        Map<Integer, Integer> reals = new TreeMap<>();
        for (long left = writes.registers(); left != 0; left &= left - 1) {
            int row = Rows.source(Long.numberOfTrailingZeros(left));
            keep(row, integers, reals);
        }
        Map<Integer, Integer> words = new TreeMap<>();
        for (int left = SegmentFrame.flags(writes); left != 0; left &= left - 1) {
            int flag = Integer.numberOfTrailingZeros(left);
            pushWholeFlag(flag);
            words.put(flag, store());
        }
        return new Results(integers, reals, words);
    }

    /// Keeps what a register holds, both ways.
    void keep(int row, Map<Integer, Integer> integers, Map<Integer, Integer> reals) {
        pushInt(row);
        integers.put(row, store());
        code.iload(integers.get(row));
        code.invokestatic(ConstantDescs.CD_Float, "intBitsToFloat", Names.INT_TO_FLOAT);
        reals.put(row, storeFloat());
    }

    /// Takes over what was written elsewhere, for all lanes.
    void take(Results results) {
        results.integers()
                .forEach((row, slot) -> {
                    Value value = change(row);
                    value.integer = slot;
                    value.real = results.reals().get(row);
                });
        results.flags()
                .forEach((flag, slot) -> {
                    flags.put(flag, slot);
                    freshFlags.remove(flag);
                    changedFlags.add(flag);
                    masks.keySet().removeIf(key -> key >> 1 == flag);
                });
    }

    /// Says what a register holds in all lanes.
    void know(int row, int integer, int real) {
        Value value = value(row);
        value.integer = integer;
        value.real = real;
    }

    /// Pops a word; pushes -1, or 0 if it is 0.
    void spread() {
        int word = store();
        code.iload(word).iconst_0().iload(word).isub().ior();
        push(SIGN_BIT);
        code.ishr();
    }

    /// Pops a word; pushes its complement.
    void invert() {
        push(ALL);
        code.ixor();
    }

    /// Pops a register's former value, pushes the new one: that of the lanes that do not execute is
    /// the former.
    private void blend(int fresh) {
        code.dup().iload(fresh).ixor().iload(guard).iand().ixor();
    }

    /// Pushes a second operand's bits.
    void pushSecond(Instruction i) {
        switch (i.kindB) {
            case CONSTANT -> pushConstant(i.bank, i.bankOffset);
            case IMMEDIATE -> push(i.immediate);
            default -> pushInt(i.b);
        }
    }

    /// Pushes a third operand's bits.
    void pushThird(Instruction i) {
        if (i.kindC == OperandKind.CONSTANT) {
            pushConstant(i.bank, i.bankOffset);
        } else {
            pushInt(i.c);
        }
    }

    /// Pushes a second operand that is two words.
    ///
    /// @param isInteger whether a number in the instruction is one; otherwise it is a double's
    ///   upper word
    void pushSecondWide(Instruction i, boolean isInteger) {
        switch (i.kindB) {
            case CONSTANT -> pushConstantWide(i);
            case IMMEDIATE ->
                    code.loadConstant(isInteger ? i.immediate : (long) i.immediate << Integer.SIZE);
            default -> pushLong(i.b);
        }
    }

    /// Pushes a third operand that is two words.
    void pushThirdWide(Instruction i) {
        if (i.kindC == OperandKind.CONSTANT) {
            pushConstantWide(i);
        } else {
            pushLong(i.c);
        }
    }

    private void pushConstantWide(Instruction i) {
        int lower = WideOperands.lower(i);
        pushConstant(i.bank, lower);
        pushConstant(i.bank, lower + Integer.BYTES);
        wide();
    }

    /// Pushes a second operand's number.
    void pushSecondFloat(Instruction i) {
        switch (i.kindB) {
            case CONSTANT -> pushConstantFloat(i.bank, i.bankOffset);
            case IMMEDIATE -> code.loadConstant(Float.intBitsToFloat(i.immediate));
            default -> pushFloat(i.b);
        }
    }

    /// Pushes a third operand's number.
    void pushThirdFloat(Instruction i) {
        if (i.kindC == OperandKind.CONSTANT) {
            pushConstantFloat(i.bank, i.bankOffset);
        } else {
            pushFloat(i.c);
        }
    }

    private void pushConstantFloat(int bank, int offset) {
        pushConstant(bank, offset);
        code.invokestatic(ConstantDescs.CD_Float, "intBitsToFloat", Names.INT_TO_FLOAT);
    }

    /// Pushes -1 if a local variable is 0, else 0.
    void pushIsZero(int slot) {
        code.iload(slot);
        spread();
        invert();
    }

    /// Pops a word, and makes its sign a flag's value.
    void signToFlag(int flag) {
        push(SIGN_BIT);
        code.ishr();
        setFlag(flag);
    }

    /// Sets the condition code from an integer in a local variable: zero and sign; the others are
    /// cleared.
    void setConditions(int slot) {
        pushIsZero(slot);
        setFlag(Flag.ZERO);
        code.iload(slot);
        signToFlag(Flag.SIGN);
        code.iconst_0();
        setFlag(Flag.CARRY);
        code.iconst_0();
        setFlag(Flag.OVERFLOW);
    }

    /// Pops two words, pushes what they come to.
    void combine(LogicOp op) {
        switch (op) {
            case AND -> code.iand();
            case OR -> code.ior();
            case XOR -> code.ixor();
            case PASS_B -> {
                int second = store();
                code.pop().iload(second);
            }
        }
    }

    /// Pops 0 or -1; pushes one local variable or the other.
    void choose(int yes, int no) {
        int which = store();
        code.iload(no).iload(yes).iload(no).ixor().iload(which).iand().ixor();
    }

    /// Pushes -1 if a local variable is less than another, else 0: the sign of the difference, had
    /// it a bit more (H. S. Warren, "Hacker's Delight", section 2-12).
    void pushLess(int x, int y, boolean isSigned) {
        code.iload(isSigned ? x : y).iload(isSigned ? y : x);
        invert();
        code.iand().iload(x).iload(y).ixor();
        invert();
        code.iload(x).iload(y).isub().iand().ior();
        push(SIGN_BIT);
        code.ishr();
    }

    /// Pops an integer into a new local variable.
    int store() {
        int slot = code.allocateLocal(TypeKind.INT);
        code.istore(slot);
        return slot;
    }

    /// Pops two words into a new local variable.
    int storeLong() {
        int slot = code.allocateLocal(TypeKind.LONG);
        code.lstore(slot);
        return slot;
    }

    /// Pops a float into a new local variable.
    int storeFloat() {
        int slot = code.allocateLocal(TypeKind.FLOAT);
        code.fstore(slot);
        return slot;
    }

    /// Pops an address in shared memory, pushes the word there. Lanes that do not execute read the
    /// first one: they may have any address.
    void loadShared() {
        if (guard != NONE) {
            code.iload(guard).iand();
        }
        if (frame.isMasked()) {
            pushFlag(Flag.ACTIVE, 0);
            code.iand();
        }
        int address = store();
        code.aload(frame.shared()).iload(address);
        code.invokevirtual(Names.SHARED, "word", Names.WORD);
    }

    /// Pushes a constant that the segment has read.
    void pushConstant(int bank, int offset) {
        code.iload(frame.constant(bank, offset));
    }

    /// Writes what has changed and is needed, and collects flags.
    ///
    /// @return rows of those numbers that are to be made the one NaN in lanes that are collected as
    ///   [Flag#SUSPECT]
    Set<Integer> finish() {
        registers.forEach((row, value) -> {
            if (value.isChanged && frame.isNeeded(row)) {
                write(row, value);
            }
        });
        if (suspect != NONE) {
            code.fload(suspect);
            floatToRaw();
            pushIsNan(store());
            collect(Flag.SUSPECT);
        }
        changedFlags.forEach(number -> {
            if (frame.isFlagNeeded(number)) {
                pushWholeFlag(number);
                collect(number);
            }
        });
        return rawRows;
    }

    private void write(int row, Value value) {
        if (frame.isMasked()) {
            putInt(
                    row,
                    () -> {
                        getInt(row);
                        int former = store();
                        pushInt(row);
                        int fresh = store();
                        pushFlag(Flag.ACTIVE, 0);
                        choose(fresh, former);
                    });
            return;
        }
        if (value.integer != NONE || !frame.isVector()) {
            putInt(row, () -> pushInt(row));
            return;
        }
        // A NaN's bits are looked at once for all.
        boolean isFirst = suspect == NONE;
        pushFloat(row);
        code.fconst_0();
        if (isFirst) {
            code.fmul();
        } else {
            code.fload(suspect);
            code.invokestatic(Names.MATH, "fma", Names.FMA);
        }
        suspect = storeFloat();
        address(row);
        if (value.raw != NONE) {
            code.iload(value.raw);
            code.invokevirtual(Names.UNSAFE, "putInt", Names.PUT_INT);
        } else {
            code.fload(value.real);
            code.invokevirtual(Names.UNSAFE, "putFloat", Names.PUT_FLOAT);
        }
        rawRows.add(row);
    }

    /// Pops 0 or -1, and adds the lane's bit to a flag's word.
    private void collect(int number) {
        int word = frame.collected(number);
        getInt(Rows.LANE_BITS + nextLaneRow());
        code.iand().iload(word).ior().istore(word);
    }

    /// Pops a word; pushes -1 if it has the lane's bit, else 0. By a product, since the JVM's
    /// compiler makes vectors of no loop that both selects lanes' bits and collects others.
    private void laneBitToMask() {
        getInt(Rows.LANE_SIGNS + nextLaneRow());
        code.imul();
        push(SIGN_BIT);
        code.ishr();
    }

    /// Words from the first of the rows with a number for each lane to the one that is to be read.
    private int nextLaneRow() {
        int next = laneRow * Rows.STRIDE;
        laneRow = (laneRow + 1) % Rows.LANE_BITS_ROWS;
        return next;
    }

    private void getInt(int row) {
        address(row);
        code.invokevirtual(Names.UNSAFE, "getInt", Names.GET_INT);
    }

    private void getFloat(int row) {
        address(row);
        code.invokevirtual(Names.UNSAFE, "getFloat", Names.GET_FLOAT);
    }

    private void putInt(int row, Runnable value) {
        address(row);
        value.run();
        code.invokevirtual(Names.UNSAFE, "putInt", Names.PUT_INT);
    }

    private void address(int row) {
        code.aload(frame.unsafe()).aload(frame.words()).lload(offset);
        code.loadConstant(RowAccess.offset(row)).ladd();
    }

    /// Pops a number, pushes its bits.
    void floatToRaw() {
        if (!frame.isVector()) {
            code.invokestatic(ConstantDescs.CD_Float, "floatToRawIntBits", Names.FLOAT_TO_INT);
            return;
        }
        int number = storeFloat();
        int row = scratchRow();
        address(row);
        code.fload(number);
        code.invokevirtual(Names.UNSAFE, "putFloat", Names.PUT_FLOAT);
        getInt(row);
    }

    /// Pops bits; pushes them, or those of the one NaN if they are of a NaN.
    private void oneNan() {
        int bits = store();
        pushIsNan(bits);
        int isNan = store();
        code.iload(bits).iload(bits);
        push(Floats.NAN);
        code.ixor().iload(isNan).iand().ixor();
    }

    /// Pushes -1 if a local variable has the bits of a NaN, else 0.
    void pushIsNan(int slot) {
        push(INFINITY);
        code.iload(slot);
        push(Integer.MAX_VALUE);
        code.iand().isub();
        push(SIGN_BIT);
        code.ishr();
    }

    /// Pops bits, pushes their number.
    void bitsToFloat() {
        if (!frame.isVector()) {
            code.invokestatic(ConstantDescs.CD_Float, "intBitsToFloat", Names.INT_TO_FLOAT);
            return;
        }
        int bits = store();
        int row = scratchRow();
        putInt(row, () -> code.iload(bits));
        getFloat(row);
    }

    private int scratchRow() {
        int row = Rows.SCRATCH + scratch * Rows.STRIDE;
        scratch = (scratch + 1) % Rows.SCRATCH_ROWS;
        return row;
    }
}
