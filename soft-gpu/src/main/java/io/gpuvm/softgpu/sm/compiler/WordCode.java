package io.gpuvm.softgpu.sm.compiler;

import io.gpuvm.gf100.isa.LogicOp;
import io.gpuvm.softgpu.sm.alu.Floats;
import io.gpuvm.softgpu.sm.alu.Integers;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.TypeKind;
import java.lang.constant.MethodTypeDesc;

/// Writes operations on words that are on the operand stack of the generated method or in its local
/// variables. The code has no branches, because the JVM's compiler vectorizes only such code.
/// Methods that push or pop refer to that stack. A truth value is a word: 0 for false, -1 for true.
class WordCode {
    /// The truth value true, and a mask that keeps all bits.
    static final int ALL = -1;

    private static final int SIGN_BIT = Integer.SIZE - 1;
    private static final int INFINITY = Float.floatToRawIntBits(Float.POSITIVE_INFINITY);

    private final CodeBuilder code;

    WordCode(CodeBuilder code) {
        this.code = code;
    }

    /// Returns the builder of the generated code.
    final CodeBuilder code() {
        return code;
    }

    /// Pushes a number.
    final void push(int number) {
        code.loadConstant(number);
    }

    /// Pushes a Java boolean: 1 or 0.
    final void push(boolean truth) {
        push(truth ? 1 : 0);
    }

    /// Pops an integer into a new local variable.
    final int store() {
        int slot = code.allocateLocal(TypeKind.INT);
        code.istore(slot);
        return slot;
    }

    /// Pops a 64-bit number into a new local variable.
    final int storeLong() {
        int slot = code.allocateLocal(TypeKind.LONG);
        code.lstore(slot);
        return slot;
    }

    /// Pops a float into a new local variable.
    final int storeFloat() {
        int slot = code.allocateLocal(TypeKind.FLOAT);
        code.fstore(slot);
        return slot;
    }

    /// Pops arguments, and pushes the result of a static method.
    final void call(Class<?> owner, String name, MethodTypeDesc type) {
        code.invokestatic(owner.describeConstable().orElseThrow(), name, type);
    }

    /// Pops two words, and pushes them as one 64-bit number.
    final void wide() {
        call(Integers.class, "wide", GeneratedNames.WIDE);
    }

    /// Pops a word; pushes 0 if it is 0, else -1.
    final void spread() {
        int word = store();
        code.iload(word).iconst_0().iload(word).isub().ior();
        spreadSign();
    }

    /// Pops a word; pushes its complement.
    final void invert() {
        push(ALL);
        code.ixor();
    }

    /// Pops two words, and pushes their combination.
    final void combine(LogicOp op) {
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

    /// Pops 0 or -1; pushes the local variable `yes` for -1, `no` for 0.
    final void choose(int yes, int no) {
        int which = store();
        code.iload(no).iload(yes).iload(no).ixor().iload(which).iand().ixor();
    }

    /// Pushes -1 if a local variable is 0, else 0.
    final void pushIsZero(int slot) {
        code.iload(slot);
        spread();
        invert();
    }

    /// Pushes -1 if a local variable is less than another, else 0: the sign that the difference
    /// would have with one more bit (H. S. Warren, "Hacker's Delight", section 2-12).
    final void pushLess(int x, int y, boolean isSigned) {
        code.iload(isSigned ? x : y).iload(isSigned ? y : x);
        invert();
        code.iand().iload(x).iload(y).ixor();
        invert();
        code.iload(x).iload(y).isub().iand().ior();
        spreadSign();
    }

    /// Pushes -1 if a local variable has the bits of a NaN, else 0.
    final void pushIsNan(int slot) {
        push(INFINITY);
        code.iload(slot);
        push(Integer.MAX_VALUE);
        code.iand().isub();
        spreadSign();
    }

    /// Pops bits; pushes them, or the canonical NaN if they are a NaN.
    final void oneNan() {
        int bits = store();
        pushIsNan(bits);
        int isNan = store();
        code.iload(bits).iload(bits);
        push(Floats.NAN);
        code.ixor().iload(isNan).iand().ixor();
    }

    /// Pops a float, and pushes it with its sign cleared or changed.
    ///
    /// @param keep all ones to keep the sign, else the mask that clears it
    /// @param sign nonzero to change the sign
    final void changeFloatSign(int keep, int sign) {
        if (keep != ALL) {
            code.invokestatic(GeneratedNames.MATH, "abs", GeneratedNames.FLOAT_TO_FLOAT);
        }
        if (sign != 0) {
            code.fneg();
        }
    }

    /// Pops a word; pushes -1 if it is negative, else 0.
    final void spreadSign() {
        push(SIGN_BIT);
        code.ishr();
    }
}
