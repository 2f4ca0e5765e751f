package io.gpuvm.ptx.allocate;

import io.gpuvm.gf100.isa.Field;
import io.gpuvm.gf100.isa.LogicOp;
import io.gpuvm.gf100.isa.Opcode;
import io.gpuvm.ptx.ir.IrInstruction;
import io.gpuvm.ptx.ir.IrOperand;
import io.gpuvm.ptx.ir.Modifiers;
import io.gpuvm.ptx.ir.Slot;
import io.gpuvm.ptx.ir.Value;
import java.util.ArrayList;
import java.util.List;

/// Copies between registers of one file that take effect at the same time, as a sequence of
/// instructions.
final class ParallelCopy {
    private static final int NONE = -1;
    private static final Modifiers EXCLUSIVE = Modifiers.NONE.with(Field.LOGIC_INNER, LogicOp.XOR);

    private final Value.Kind kind;

    /// Register whose content a register receives, by receiver, or [#NONE].
    private final int[] sources;

    private final int[] readers;
    private final List<Integer> targets = new ArrayList<>();
    private final List<IrInstruction> literals = new ArrayList<>();
    private final List<IrInstruction> sequence = new ArrayList<>();

    /// @param registers number of registers of the file
    ParallelCopy(Value.Kind kind, int registers) {
        this.kind = kind;
        sources = new int[registers];
        readers = new int[registers];
        java.util.Arrays.fill(sources, NONE);
    }

    void add(int target, int source) {
        if (target != source) {
            sources[target] = source;
            readers[source]++;
            targets.add(target);
        }
    }

    void add(int target, IrOperand.Literal source) {
        literals.add(
                kind == Value.Kind.WORD
                        ? word(Opcode.MOV, target).use(Slot.B, source)
                        : predicate(target).use(Slot.PA, source));
    }

    /// Returns the instructions.
    List<IrInstruction> sequence() {
        List<Integer> ready = new ArrayList<>();
        for (int target : targets) {
            if (readers[target] == 0) {
                ready.add(target);
            }
        }
        while (!ready.isEmpty()) {
            int target = ready.removeLast();
            int source = sources[target];
            move(target, source);
            sources[target] = NONE;
            if (--readers[source] == 0 && sources[source] != NONE) {
                ready.add(source);
            }
        }
        for (int target : targets) {
            rotate(target);
        }
        sequence.addAll(literals);
        return sequence;
    }

    /// Resolves a cycle: exchanges each register with its source.
    private void rotate(int start) {
        int at = start;
        while (sources[at] != NONE && sources[at] != start) {
            int source = sources[at];
            swap(at, source);
            sources[at] = NONE;
            at = source;
        }
        if (sources[at] != NONE) {
            sources[at] = NONE;
        }
    }

    private void swap(int one, int other) {
        exclusiveOr(one, other);
        exclusiveOr(other, one);
        exclusiveOr(one, other);
    }

    private void exclusiveOr(int target, int other) {
        sequence.add(
                kind == Value.Kind.WORD
                        ? define(IrInstruction.of(Opcode.LOP, EXCLUSIVE), target)
                                .use(Slot.A, Value.at(kind, target))
                                .use(Slot.B, Value.at(kind, other))
                        : define(IrInstruction.of(Opcode.PSETP, EXCLUSIVE), target)
                                .use(Slot.PA, Value.at(kind, target))
                                .use(Slot.PB, Value.at(kind, other)));
    }

    private void move(int target, int source) {
        sequence.add(
                kind == Value.Kind.WORD
                        ? word(Opcode.MOV, target).use(Slot.B, Value.at(kind, source))
                        : predicate(target).use(Slot.PA, Value.at(kind, source)));
    }

    private IrInstruction word(Opcode opcode, int target) {
        return define(IrInstruction.of(opcode, Modifiers.NONE), target);
    }

    private IrInstruction predicate(int target) {
        return define(IrInstruction.of(Opcode.PSETP, Modifiers.NONE), target);
    }

    private IrInstruction define(IrInstruction instruction, int target) {
        return instruction.define(Value.at(kind, target));
    }
}
