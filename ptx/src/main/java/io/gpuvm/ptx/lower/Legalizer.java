package io.gpuvm.ptx.lower;

import io.gpuvm.gf100.isa.Field;
import io.gpuvm.gf100.isa.Opcode;
import io.gpuvm.ptx.emit.Encoder;
import io.gpuvm.ptx.ir.Block;
import io.gpuvm.ptx.ir.Dominators;
import io.gpuvm.ptx.ir.Function;
import io.gpuvm.ptx.ir.Graph;
import io.gpuvm.ptx.ir.IrInstruction;
import io.gpuvm.ptx.ir.IrOperand;
import io.gpuvm.ptx.ir.Loops;
import io.gpuvm.ptx.ir.Modifiers;
import io.gpuvm.ptx.ir.Pseudo;
import io.gpuvm.ptx.ir.Slot;
import io.gpuvm.ptx.ir.Use;
import io.gpuvm.ptx.ir.Value;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Moves numbers and constants to registers where an instruction cannot encode them: in a loop,
/// before the outermost loop. The allocation of registers moves them back if registers do not
/// suffice.
public final class Legalizer {
    /// Number of instructions after which a constant is moved to a register again.
    private static final int REACH = 64;

    /// Operand in a register since an instruction.
    private record Moved(Value value, int index) {}

    /// Operand of one or two words.
    private record Wanted(IrOperand operand, boolean isDouble) {}

    private final Function function;
    private final Encoder encoder;
    private final Map<Wanted, Moved> moved = new HashMap<>();
    private final Loops loops;

    /// Operands in registers since the block before a loop, by that block.
    private final Map<Block, Map<Wanted, Value>> hoisted = new HashMap<>();

    /// Block before the outermost loop that contains the current block; null outside loops.
    private Block before;

    private List<IrInstruction> code = new ArrayList<>();

    private Legalizer(Function function, Encoder encoder) {
        this.function = function;
        this.encoder = encoder;
        Graph graph = Graph.of(function);
        loops = Loops.of(graph, Dominators.of(graph));
    }

    /// Makes every instruction of a function encodable.
    public static void apply(Function function, Encoder encoder) {
        new Legalizer(function, encoder).apply();
    }

    private void apply() {
        for (Block block : function.blocks()) {
            moved.clear();
            before = beforeLoop(block);
            code = new ArrayList<>(block.instructions().size() + 8);
            for (IrInstruction instruction : block.instructions()) {
                if (instruction.pseudo() == null && instruction.callee() == null) {
                    legalize(instruction);
                }
                code.add(instruction);
            }
            block.instructions(code);
        }
    }

    /// Returns the block from which alone the outermost loop around a block is entered, or null.
    private Block beforeLoop(Block block) {
        int header = loops.header(block.index());
        if (header == Loops.NONE) {
            return null;
        }
        while (loops.outer(header) != Loops.NONE) {
            header = loops.outer(header);
        }
        Block found = null;
        for (Block from : function.blocks().get(header).predecessors()) {
            if (!loops.contains(header, from.index())) {
                if (found != null || from.successors().size() > 1) {
                    return null;
                }
                found = from;
            }
        }
        return found;
    }

    private void legalize(IrInstruction instruction) {
        if (instruction.is(Opcode.BPT) || encoder.fits(instruction)) {
            return;
        }
        swap(instruction);
        // A number is more likely than a constant to be in a register already.
        if (instruction.operand(Slot.B) instanceof IrOperand.Literal number
                && instruction.operand(Slot.C) instanceof IrOperand.Constant) {
            instruction.replace(Slot.B, register(number, isDouble(instruction)));
        }
        // The third source first: the second has more encodings.
        for (Slot slot : new Slot[] {Slot.A, Slot.DATA, Slot.SWAP, Slot.C, Slot.B}) {
            if (encoder.fits(instruction)) {
                return;
            }
            IrOperand operand = instruction.operand(slot);
            if (operand != null && !(operand instanceof Value)) {
                boolean isFree = slot == Slot.B || slot == Slot.C;
                boolean isZero = operand.equals(IrOperand.Literal.ZERO);
                if (isFree || !isZero) {
                    instruction.replace(slot, register(operand, isDouble(instruction)));
                }
            }
        }
        if (!encoder.fits(instruction)) {
            throw new IllegalStateException("no encoding of " + instruction);
        }
    }

    /// Exchanges the first two sources if that makes the first a register.
    private static void swap(IrInstruction instruction) {
        Use a = instruction.find(Slot.A);
        Use b = instruction.find(Slot.B);
        boolean useful = a != null && b != null && a.value() == null && b.value() != null;
        if (!useful) {
            return;
        }
        Modifiers modifiers = instruction.modifiers();
        switch (instruction.opcode()) {
            case IADD, FADD, DADD -> {
                Modifiers swapped =
                        modifiers
                                .with(Field.NEGATE_A, modifiers.get(Field.NEGATE_B))
                                .with(Field.NEGATE_B, modifiers.get(Field.NEGATE_A))
                                .with(Field.ABSOLUTE_A, modifiers.get(Field.ABSOLUTE_B))
                                .with(Field.ABSOLUTE_B, modifiers.get(Field.ABSOLUTE_A));
                instruction.modifiers(swapped);
            }
            case IMUL, FMUL, DMUL, IMAD, FFMA, DFMA, LOP, IMNMX, FMNMX, DMNMX -> {
                if (modifiers.get(Field.SIGNED_A) != modifiers.get(Field.SIGNED_B)
                        || modifiers.is(Field.INVERT_A)
                        || modifiers.is(Field.INVERT_B)
                        || modifiers.is(Field.NEGATE_A)
                        || modifiers.is(Field.ABSOLUTE_A)) {
                    return;
                }
            }
            default -> {
                return;
            }
        }
        IrOperand first = a.operand();
        instruction.replace(Slot.A, b.operand());
        instruction.replace(Slot.B, first);
    }

    private static boolean isDouble(IrInstruction instruction) {
        return switch (instruction.opcode()) {
            case DADD, DMUL, DFMA, DMNMX, DSET, DSETP -> true;
            default -> false;
        };
    }

    private Value register(IrOperand operand, boolean isDouble) {
        Wanted wanted = new Wanted(operand, isDouble);
        if (before != null) {
            return hoisted.computeIfAbsent(before, _ -> new HashMap<>())
                    .computeIfAbsent(wanted, _ -> value(operand, isDouble, before.instructions()));
        }
        Moved known = moved.get(wanted);
        if (known != null && code.size() - known.index < REACH) {
            return known.value;
        }
        Value value = value(operand, isDouble, code);
        moved.put(wanted, new Moved(value, code.size()));
        return value;
    }

    private Value value(IrOperand operand, boolean isDouble, List<IrInstruction> into) {
        return isDouble ? pair(operand, into) : move(operand, into);
    }

    private Value move(IrOperand operand, List<IrInstruction> into) {
        Value value = function.word();
        add(IrInstruction.of(Opcode.MOV, Modifiers.NONE).define(value).use(Slot.B, operand), into);
        return value;
    }

    /// Adds an instruction to the current block, or to the block before the loop.
    private void add(IrInstruction instruction, List<IrInstruction> into) {
        if (into == code) {
            code.add(instruction);
        } else {
            before.add(instruction);
        }
    }

    private Value pair(IrOperand operand, List<IrInstruction> into) {
        IrOperand low = IrOperand.Literal.ZERO;
        IrOperand high = operand;
        if (operand instanceof IrOperand.Constant(int bank, int offset)) {
            low = move(operand, into);
            high = new IrOperand.Constant(bank, offset + Integer.BYTES);
        }
        Value value = function.wide(2);
        add(
                IrInstruction.of(Pseudo.COMBINE)
                        .define(value)
                        .use(Slot.PART, low)
                        .use(Slot.PART, move(high, into)),
                into);
        return value;
    }
}
