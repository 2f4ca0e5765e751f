package io.gpuvm.ptx.lower;

import io.gpuvm.ptx.check.PtxFunction;
import io.gpuvm.ptx.check.PtxRegister;
import io.gpuvm.ptx.check.PtxType;
import io.gpuvm.ptx.ir.IrOperand;
import java.util.ArrayList;
import java.util.List;

/// Current operands of a function's registers during the walk over the dominator tree. A register
/// has one or two variables, one for each word.
final class Registers {
    /// Change of a variable.
    private record Change(int variable, IrOperand former) {}

    private final int[] first;
    private final int[] widths;
    private final boolean[] predicates;
    private final IrOperand[] current;
    private final List<Change> changes = new ArrayList<>();

    Registers(PtxFunction function) {
        List<PtxRegister> registers = function.registers();
        first = new int[registers.size() + 1];
        for (PtxRegister register : registers) {
            first[register.index() + 1] = first[register.index()] + words(register.type());
        }
        int count = first[registers.size()];
        predicates = new boolean[count + 1];
        widths = new int[count + 1];
        widths[count] = 1;
        for (PtxRegister register : registers) {
            predicates[first[register.index()]] = register.type() == PtxType.PRED;
            widths[first[register.index()]] = words(register.type());
        }
        current = new IrOperand[count + 1];
    }

    static int words(PtxType type) {
        return type.bytes() == Long.BYTES ? 2 : 1;
    }

    /// Returns the first variable of a register.
    int variable(PtxRegister register) {
        return first[register.index()];
    }

    /// Returns the variable of the carry flag: 0 or 1.
    int carry() {
        return current.length - 1;
    }

    /// Returns the number of variables of the register whose first variable this is.
    int width(int variable) {
        return widths[variable];
    }

    int count() {
        return current.length;
    }

    boolean isPredicate(int variable) {
        return predicates[variable];
    }

    /// Returns the operand, or null if the variable is undefined.
    IrOperand known(int variable) {
        return current[variable];
    }

    /// Returns the operand. An undefined variable is zero.
    IrOperand get(int variable) {
        IrOperand operand = current[variable];
        return operand == null ? IrOperand.Literal.ZERO : operand;
    }

    void set(int variable, IrOperand operand) {
        changes.add(new Change(variable, current[variable]));
        current[variable] = operand;
    }

    /// Returns a mark for [#reset(int)].
    int mark() {
        return changes.size();
    }

    /// Undoes all changes since a mark.
    void reset(int mark) {
        while (changes.size() > mark) {
            Change last = changes.removeLast();
            current[last.variable] = last.former;
        }
    }
}
