package io.gpuvm.ptx.emit;

import io.gpuvm.gf100.isa.BreakpointKind;
import io.gpuvm.gf100.isa.Field;
import io.gpuvm.gf100.isa.InstructionTable;
import io.gpuvm.gf100.isa.Opcode;
import io.gpuvm.ptx.ir.Block;
import io.gpuvm.ptx.ir.Function;
import io.gpuvm.ptx.ir.IrInstruction;
import io.gpuvm.ptx.ir.IrOperand;
import io.gpuvm.ptx.ir.Modifiers;
import io.gpuvm.ptx.ir.Slot;
import io.gpuvm.ptx.ir.Terminator;
import io.gpuvm.ptx.ir.Use;
import io.gpuvm.ptx.ir.Value;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Emits the machine code of a function whose registers are allocated, with blocks in their order.
public final class Emitter {
    /// Reference to a symbol in the code.
    ///
    /// @param offset offset of the instruction in bytes
    /// @param address symbol, or null for a call
    /// @param callee called function, or null
    public record Reference(int offset, IrOperand.Address address, String callee) {}

    /// First of the instructions that implement an instruction with a source line.
    ///
    /// @param offset offset of the instruction in bytes
    /// @param line number of the implemented instruction, from 1
    public record Line(int offset, int line) {}

    /// Machine code of a function.
    public record Code(long[] words, List<Reference> references, List<Line> lines) {}

    /// Continuation of an edge.
    private sealed interface Way {
        /// The block, which has code.
        record To(Block block) implements Way {}

        /// Wait for the other threads.
        ///
        /// @param opcode instruction that waits: NOP with `.S`, BRK or CONT
        record Join(Opcode opcode) implements Way {}

        /// End of the thread or function.
        record End(Opcode opcode) implements Way {}
    }

    /// Instruction, with a block as its target.
    private record Item(IrInstruction instruction, Block target) {}

    private final Encoder encoder;
    private final Function function;
    private final List<Item> items = new ArrayList<>();
    private final Map<Block, Integer> starts = new HashMap<>();
    private final Set<Block> joins = new HashSet<>();
    private int blockStart;

    /// Code that jumps to the address in a register.
    private final Map<Integer, Block> jumps = new LinkedHashMap<>();

    /// Code that traps, or null if no trap has a guard.
    private Block trap;

    private Emitter(Encoder encoder, Function function) {
        this.encoder = encoder;
        this.function = function;
    }

    /// Returns the code of a function.
    public static Code emit(Encoder encoder, Function function) {
        Emitter emitter = new Emitter(encoder, function);
        emitter.layOut();
        emitter.addJumps();
        emitter.addTrap();
        return emitter.encode();
    }

    private void layOut() {
        for (Block block : function.blocks()) {
            for (IrInstruction instruction : block.instructions()) {
                if (instruction.target() != null) {
                    joins.add(settle(instruction.target()));
                }
            }
        }
        List<Block> kept = function.blocks().stream().filter(block -> !isSkipped(block)).toList();
        for (int i = 0; i < kept.size(); i++) {
            Block block = kept.get(i);
            starts.put(block, items.size());
            blockStart = items.size();
            block.instructions().forEach(this::add);
            end(block, i + 1 < kept.size() ? kept.get(i + 1) : null);
        }
    }

    /// Adds an instruction. A call through a register calls code that jumps there: the call pushes
    /// the return address. A trap with a guard, which has no encoding, branches to code that traps.
    private void add(IrInstruction instruction) {
        if (instruction.is(Opcode.JMX)) {
            Value target = (Value) instruction.operand(Slot.A);
            Block jump = jumps.computeIfAbsent(target.register(), _ -> Function.detached());
            items.add(new Item(guarded(Opcode.CAL, Modifiers.NONE, null), jump));
        } else if (instruction.is(Opcode.BPT) && instruction.find(Slot.GUARD) != null) {
            trap = trap == null ? Function.detached() : trap;
            Use guard = instruction.find(Slot.GUARD);
            IrInstruction branch = guarded(Opcode.BRA, Modifiers.NONE, guard);
            items.add(new Item(branch.line(instruction.line()), trap));
        } else {
            items.add(new Item(instruction, settle(instruction.target())));
        }
    }

    private void addTrap() {
        if (trap != null) {
            starts.put(trap, items.size());
            Modifiers kind = Modifiers.NONE.with(Field.BREAKPOINT, BreakpointKind.TRAP);
            items.add(new Item(guarded(Opcode.BPT, kind, null), null));
            add(Opcode.EXIT);
        }
    }

    private void addJumps() {
        jumps.forEach((register, block) -> {
            starts.put(block, items.size());
            IrInstruction jump = IrInstruction.of(Opcode.JMX, Modifiers.NONE);
            items.add(new Item(jump.use(Slot.A, Value.at(Value.Kind.WORD, register)), null));
        });
    }

    private boolean isSkipped(Block block) {
        return block != function.entry()
                && block.instructions().isEmpty()
                && !joins.contains(block)
                && (MainFlow.isEnd(block)
                        || block.terminator() instanceof Terminator.Jump(Block to) && to != block);
    }

    /// Returns the first block with code from a block that is pushed.
    private static Block settle(Block block) {
        Block at = block;
        Set<Block> seen = new HashSet<>();
        while (at != null
                && at.instructions().isEmpty()
                && at.terminator() instanceof Terminator.Jump(Block to)
                && !at.waitsAt(to)
                && seen.add(at)) {
            at = to;
        }
        return at;
    }

    private Way way(Block from, Block to) {
        Block last = from;
        Block at = to;
        Set<Block> seen = null;
        while (true) {
            if (last.waitsAt(at)) {
                return new Way.Join(at.arrival());
            }
            if (!at.instructions().isEmpty() || joins.contains(at)) {
                return new Way.To(at);
            }
            switch (at.terminator()) {
                case Terminator.Jump(Block next) -> {
                    seen = seen == null ? new HashSet<>() : seen;
                    if (!seen.add(at)) {
                        joins.add(at);
                        return new Way.To(at);
                    }
                    last = at;
                    at = next;
                }
                case Terminator.Exit _ -> {
                    return new Way.End(Opcode.EXIT);
                }
                case Terminator.Return _ -> {
                    return new Way.End(Opcode.RET);
                }
                case Terminator.Branch _ -> {
                    return new Way.To(at);
                }
            }
        }
    }

    private void end(Block block, Block next) {
        switch (block.terminator()) {
            case Terminator.Exit _ -> add(Opcode.EXIT);
            case Terminator.Return _ -> add(Opcode.RET);
            case Terminator.Jump(Block to) -> go(way(block, to), null, next);
            case Terminator.Branch branch -> branch(block, branch, next);
        }
    }

    private void branch(Block block, Terminator.Branch branch, Block next) {
        Way taken = way(block, branch.taken());
        Way other = way(block, branch.other());
        Use guard = new Use(Slot.GUARD, branch.predicate(), branch.inverted());
        Use opposite = new Use(Slot.GUARD, branch.predicate(), !branch.inverted());
        if (taken.equals(other)) {
            go(taken, null, next);
        } else if (block.first() != null && taken instanceof Way.To && other instanceof Way.To) {
            boolean takenIsFirst = block.first() == branch.taken();
            go(takenIsFirst ? other : taken, takenIsFirst ? opposite : guard, null);
            go(takenIsFirst ? taken : other, null, next);
        } else if (!(taken instanceof Way.To) && isJump(other, next)) {
            // The threads that remain, as in a loop, execute one instruction.
            go(other, opposite, null);
            go(taken, null, next);
        } else if (!(taken instanceof Way.To)) {
            go(taken, guard, null);
            go(other, null, next);
        } else if (!(other instanceof Way.To) && isJump(taken, next)) {
            go(taken, guard, null);
            go(other, null, next);
        } else if (!(other instanceof Way.To) || taken.equals(new Way.To(next))) {
            go(other, opposite, null);
            go(taken, null, next);
        } else {
            go(taken, guard, null);
            go(other, null, next);
        }
    }

    /// Returns whether a way is a branch to a block other than the one that follows.
    private static boolean isJump(Way way, Block next) {
        return way instanceof Way.To(Block block) && block != next;
    }

    /// Adds the instruction for a way.
    ///
    /// @param guard condition, or null
    /// @param next block that follows, or null
    private void go(Way way, Use guard, Block next) {
        switch (way) {
            case Way.To(Block block) -> {
                if (block != next) {
                    items.add(new Item(guarded(Opcode.BRA, Modifiers.NONE, guard), block));
                }
            }
            case Way.End(Opcode opcode) ->
                    items.add(new Item(guarded(opcode, Modifiers.NONE, guard), null));
            case Way.Join(Opcode opcode) -> {
                if (opcode != Opcode.NOP) {
                    items.add(new Item(guarded(opcode, Modifiers.NONE, guard), null));
                } else if (guard != null || !joinLast()) {
                    Modifiers join = Modifiers.of(Field.JOIN, 1);
                    items.add(new Item(guarded(opcode, join, guard), null));
                }
            }
        }
    }

    /// Makes the last instruction a join, if it is in the same block and can be one.
    private boolean joinLast() {
        if (items.isEmpty() || items.size() == blockStart) {
            return false;
        }
        IrInstruction last = items.getLast().instruction;
        if (last.find(Slot.GUARD) != null || last.modifiers().is(Field.JOIN)) {
            return false;
        }
        switch (last.opcode()) {
            case SSY, PBK, PCNT, BRA, BRK, CONT, CAL, JCAL, EXIT, RET, BAR, NOP -> {
                return false;
            }
            default -> {}
        }
        Modifiers before = last.modifiers();
        last.modifiers(before.with(Field.JOIN, 1));
        if (encoder.fits(last)) {
            return true;
        }
        last.modifiers(before);
        return false;
    }

    private static IrInstruction guarded(Opcode opcode, Modifiers modifiers, Use guard) {
        IrInstruction instruction = IrInstruction.of(opcode, modifiers);
        if (guard != null) {
            instruction.uses().add(guard);
        }
        return instruction;
    }

    private void add(Opcode opcode) {
        items.add(new Item(guarded(opcode, Modifiers.NONE, null), null));
    }

    private Code encode() {
        long[] words = new long[items.size()];
        List<Reference> references = new ArrayList<>();
        List<Line> lines = new ArrayList<>();
        int line = 0;
        for (int i = 0; i < words.length; i++) {
            IrInstruction instruction = items.get(i).instruction;
            Block target = items.get(i).target;
            int offset = i * InstructionTable.INSTRUCTION_BYTES;
            int distance =
                    target == null
                            ? 0
                            : (starts.get(target) - i - 1) * InstructionTable.INSTRUCTION_BYTES;
            words[i] = encoder.encode(instruction, distance);
            for (Use use : instruction.uses()) {
                if (use.operand() instanceof IrOperand.Address address) {
                    references.add(new Reference(offset, address, null));
                }
            }
            if (instruction.callee() != null && !instruction.callee().isEmpty()) {
                references.add(new Reference(offset, null, instruction.callee()));
            }
            if (instruction.line() != 0 && instruction.line() != line) {
                line = instruction.line();
                lines.add(new Line(offset, line));
            }
        }
        return new Code(words, references, lines);
    }
}
