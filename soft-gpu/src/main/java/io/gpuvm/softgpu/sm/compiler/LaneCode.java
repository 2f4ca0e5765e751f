package io.gpuvm.softgpu.sm.compiler;

import io.gpuvm.gf100.isa.LogicOp;
import io.gpuvm.gf100.isa.OperandKind;
import io.gpuvm.softgpu.sm.alu.Floats;
import io.gpuvm.softgpu.sm.code.Instruction;
import io.gpuvm.softgpu.sm.code.Rows;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.TypeKind;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/// The body of a loop over lanes: what instructions do for one of them, values being in local
/// variables.
///
/// A register is read when it is first needed, and written at the end if it was changed and anybody
/// needs it. Predicates and the bits of the condition code ([Flag]) are words of 0 or -1 here.
/// Methods that push or pop mean the operand stack of the method that is generated.
final class LaneCode {
    /// A register's value: as an integer, as a float, or both.
    private static final class Value {
        int integer = NONE;
        int real = NONE;
        boolean isChanged;

        /// Whether the float may be a NaN other than the one, so that its bits are not to be used.
        boolean isRaw;
    }

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

    /// Local variables of what guards have come to, by guard.
    private final Map<Integer, Integer> masks = new HashMap<>();

    private int scratch;

    /// Local variable: 0 or -1, whether the lane executes the current instruction; [#NONE] if every
    /// lane does.
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
        if (!isGuarded && !frame.isMasked()) {
            return;
        }
        int key = (i.guard << 1 | i.guardFlip & 1) << 1 | (isGuarded ? 1 : 0);
        Integer known = masks.get(key);
        if (known == null) {
            if (isGuarded) {
                pushFlag(i.guard, i.guardFlip);
            }
            if (frame.isMasked()) {
                pushFlag(Flag.ACTIVE, 0);
            }
            if (isGuarded && frame.isMasked()) {
                code.iand();
            }
            known = store();
            masks.put(key, known);
        }
        guard = known;
    }

    /// Pushes a number.
    void push(int number) {
        code.loadConstant(number);
    }

    /// Pushes a register's bits.
    void pushInt(int row) {
        if (row == Rows.ZERO) {
            code.iconst_0();
            return;
        }
        Value value = registers.computeIfAbsent(row, _ -> new Value());
        if (value.integer == NONE) {
            if (value.real != NONE) {
                code.fload(value.real);
                floatToBits();
                value.isRaw = false;
            } else {
                getInt(row);
            }
            value.integer = store();
        }
        code.iload(value.integer);
    }

    /// Pushes a register's number.
    void pushFloat(int row) {
        if (row == Rows.ZERO) {
            code.fconst_0();
            return;
        }
        Value value = registers.computeIfAbsent(row, _ -> new Value());
        if (value.real == NONE) {
            if (value.isChanged) {
                code.iload(value.integer);
                bitsToFloat();
            } else {
                getFloat(row);
            }
            value.real = storeFloat();
        }
        code.fload(value.real);
    }

    /// Pops bits and makes them a register's value, for the lanes that execute.
    ///
    /// @param row [Rows#target] of the register
    void setInt(int row) {
        if (row == Rows.SINK || row == Rows.SINK + Rows.STRIDE) {
            code.pop();
            return;
        }
        if (guard != NONE) {
            int fresh = store();
            pushInt(row);
            blend(fresh);
        }
        Value value = registers.computeIfAbsent(row, _ -> new Value());
        value.integer = store();
        value.real = NONE;
        value.isRaw = false;
        value.isChanged = true;
    }

    /// Pops a number that an operation has made, and makes it a register's value, for the lanes
    /// that execute; the one NaN if it is none.
    void setFloat(int row) {
        if (row == Rows.SINK) {
            code.pop();
            return;
        }
        if (guard != NONE) {
            floatToBits();
            setInt(row);
            return;
        }
        Value value = registers.computeIfAbsent(row, _ -> new Value());
        value.real = storeFloat();
        value.integer = NONE;
        value.isRaw = true;
        value.isChanged = true;
    }

    /// Pushes 0 or -1.
    ///
    /// @param flip -1 for the opposite
    void pushFlag(int number, int flip) {
        if (number == Flag.TRUE) {
            code.loadConstant(ALL ^ flip);
            return;
        }
        Integer known = flags.get(number);
        if (known == null) {
            code.iload(frame.flagWord(number));
            getInt(Rows.LANE_BITS);
            code.iand();
            spread();
            known = store();
            flags.put(number, known);
        }
        code.iload(known);
        if (flip != 0) {
            invert();
        }
    }

    /// Pops 0 or -1, and makes it a predicate's value or a bit of the condition code, for the lanes
    /// that execute.
    void setFlag(int number) {
        if (number == Flag.TRUE) {
            code.pop();
            return;
        }
        if (guard != NONE) {
            int fresh = store();
            pushFlag(number, 0);
            blend(fresh);
        }
        flags.put(number, store());
        changedFlags.add(number);
        masks.keySet().removeIf(key -> key >> 2 == number);
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

    /// Pops a float into a new local variable.
    int storeFloat() {
        int slot = code.allocateLocal(TypeKind.FLOAT);
        code.fstore(slot);
        return slot;
    }

    /// Pushes a constant that the segment has read.
    void pushConstant(int bank, int offset) {
        code.iload(frame.constant(bank, offset));
    }

    /// Writes what has changed and is needed, and collects flags.
    void finish() {
        registers.forEach((row, value) -> {
            if (value.isChanged && frame.isNeeded(row)) {
                int at = row;
                putInt(at, () -> pushInt(at));
            }
        });
        changedFlags.forEach(number -> {
            if (frame.isFlagNeeded(number)) {
                int word = frame.collected(number);
                code.iload(word);
                pushFlag(number, 0);
                getInt(Rows.LANE_BITS);
                code.iand().ior().istore(word);
            }
        });
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

    /// Pops a number that an operation has made, pushes its bits.
    private void floatToBits() {
        int number = storeFloat();
        int row = scratchRow();
        address(row);
        code.fload(number);
        code.invokevirtual(Names.UNSAFE, "putFloat", Names.PUT_FLOAT);
        getInt(row);
        int bits = store();
        push(INFINITY);
        code.iload(bits);
        push(Integer.MAX_VALUE);
        code.iand().isub();
        push(SIGN_BIT);
        code.ishr();
        int isNan = store();
        code.iload(bits).iload(bits);
        push(Floats.NAN);
        code.ixor().iload(isNan).iand().ixor();
    }

    private void bitsToFloat() {
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
