package io.gpuvm.ptx.lower;

import io.gpuvm.gf100.cubin.ConstantSection;
import io.gpuvm.gf100.cubin.DriverBank;
import io.gpuvm.gf100.isa.BarrierOp;
import io.gpuvm.gf100.isa.BreakpointKind;
import io.gpuvm.gf100.isa.Comparison;
import io.gpuvm.gf100.isa.Field;
import io.gpuvm.gf100.isa.LogicOp;
import io.gpuvm.gf100.isa.MembarLevel;
import io.gpuvm.gf100.isa.Opcode;
import io.gpuvm.gf100.isa.SpecialRegister;
import io.gpuvm.gf100.isa.VoteMode;
import io.gpuvm.ptx.check.PtxInstruction;
import io.gpuvm.ptx.check.PtxModifier;
import io.gpuvm.ptx.check.PtxOperand;
import io.gpuvm.ptx.check.PtxOperation;
import io.gpuvm.ptx.check.PtxType;
import io.gpuvm.ptx.ir.IrInstruction;
import io.gpuvm.ptx.ir.IrOperand;
import io.gpuvm.ptx.ir.Modifiers;
import io.gpuvm.ptx.ir.Slot;
import io.gpuvm.ptx.ir.Value;
import java.util.List;

/// Lowers barriers, fences, votes and traps.
final class WarpLowering {
    /// Number of threads of a warp.
    static final int LANES = 32;

    private final FunctionLowering lowering;
    private final Code code;
    private final ShuffleLowering shuffles;

    WarpLowering(FunctionLowering lowering, Code code) {
        this.lowering = lowering;
        this.code = code;
        shuffles = new ShuffleLowering(lowering, code, this);
    }

    void lower(PtxInstruction instruction) {
        PtxOperation operation = instruction.operation();
        switch (instruction.opcode()) {
            case BAR, BARRIER -> barrier(instruction);
            case MEMBAR, FENCE -> code.effect(fence(operation));
            case VOTE -> vote(instruction);
            case SHFL -> shuffles.lower(instruction);
            case ACTIVEMASK ->
                    lowering.set(instruction.results().getFirst(), ballot(Code.literal(1), false));
            case TRAP -> code.effect(breakpoint(BreakpointKind.TRAP));
            case BRKPT -> code.effect(breakpoint(BreakpointKind.PAUSE));
            case PMEVENT -> {
                int event = Code.bits(lowering.word(instruction.sources().getFirst()));
                code.effect(
                        Code.make(
                                Opcode.NOP,
                                Modifiers.of(Field.TRIGGER, 1).with(Field.CODE, 1 << event)));
            }
            default -> throw lowering.unsupported();
        }
    }

    private static IrInstruction breakpoint(BreakpointKind kind) {
        return Code.make(Opcode.BPT, Modifiers.NONE.with(Field.BREAKPOINT, kind));
    }

    /// Returns a fence for the scope of an operation.
    static IrInstruction fence(PtxOperation operation) {
        return Code.make(Opcode.MEMBAR, Modifiers.NONE.with(Field.LEVEL, level(operation)));
    }

    private static MembarLevel level(PtxOperation operation) {
        if (operation.has(PtxModifier.CTA)) {
            return MembarLevel.CTA;
        }
        return operation.has(PtxModifier.SYS) ? MembarLevel.SYS : MembarLevel.GL;
    }

    private void barrier(PtxInstruction instruction) {
        PtxOperation operation = instruction.operation();
        if (operation.has(PtxModifier.WARP)) {
            // Threads of a warp execute in lockstep; the fence orders their accesses.
            checkMembers(instruction.sources().getFirst());
            code.effect(
                    Code.make(Opcode.MEMBAR, Modifiers.NONE.with(Field.LEVEL, MembarLevel.CTA)));
            return;
        }
        boolean reduces = operation.has(PtxModifier.RED);
        List<PtxOperand> sources = instruction.sources();
        int count = sources.size() - (reduces ? 1 : 0);
        IrInstruction barrier = Code.make(Opcode.BAR);
        Modifiers modifiers = Modifiers.NONE.with(Field.BARRIER_OP, operationOf(operation).code());
        IrOperand number = lowering.word(sources.getFirst());
        if (number instanceof IrOperand.Literal(int known)) {
            modifiers = modifiers.with(Field.BARRIER, known);
        } else {
            barrier.use(Slot.BARRIER, code.value(number));
        }
        if (count > 1) {
            IrOperand threads = lowering.word(sources.get(1));
            if (threads instanceof IrOperand.Literal(int known)) {
                modifiers = modifiers.with(Field.THREADS, known);
            } else {
                barrier.use(Slot.THREADS, code.value(threads));
            }
        }
        if (reduces) {
            PtxOperand predicate = sources.getLast();
            barrier.use(
                    Slot.P, lowering.predicate(predicate), FunctionLowering.inverted(predicate));
        }
        barrier.modifiers(modifiers);
        if (!reduces) {
            code.effect(barrier);
            return;
        }
        PtxOperand result = instruction.results().getFirst();
        Value value =
                operation.type() == PtxType.PRED
                        ? code.function().predicate()
                        : code.function().word();
        code.effect(barrier.define(value));
        lowering.set(result, value);
    }

    private static BarrierOp operationOf(PtxOperation operation) {
        if (operation.has(PtxModifier.ARRIVE)) {
            return BarrierOp.ARRIVE;
        }
        if (operation.has(PtxModifier.AND)) {
            return BarrierOp.AND;
        }
        return operation.has(PtxModifier.OR) ? BarrierOp.OR : BarrierOp.POPC;
    }

    private void vote(PtxInstruction instruction) {
        PtxOperation operation = instruction.operation();
        PtxOperand source = instruction.sources().getFirst();
        IrOperand predicate = lowering.predicate(source);
        boolean inverted = FunctionLowering.inverted(source);
        PtxOperand result = instruction.results().getFirst();
        if (operation.has(PtxModifier.SYNC)) {
            PtxOperand members = instruction.sources().getLast();
            checkMembers(members);
            if (!Code.is(lowering.word(members), -1)) {
                voteOfMembers(operation, result, ballot(predicate, inverted), members);
                return;
            }
        }
        if (operation.has(PtxModifier.BALLOT)) {
            lowering.set(result, ballot(predicate, inverted));
            return;
        }
        VoteMode mode =
                operation.has(PtxModifier.ALL)
                        ? VoteMode.ALL
                        : operation.has(PtxModifier.ANY) ? VoteMode.ANY : VoteMode.EQ;
        Value all = code.function().predicate();
        code.effect(
                Code.make(Opcode.VOTE, Modifiers.NONE.with(Field.VOTE, mode))
                        .use(Slot.P, predicate, inverted)
                        .define(all));
        lowering.set(result, all);
    }

    /// Assigns the result of a vote of some threads: threads with different member masks may vote
    /// at once.
    private void voteOfMembers(
            PtxOperation operation, PtxOperand result, Value votes, PtxOperand members) {
        IrOperand mask = lowering.word(members);
        IrOperand ours = code.and(votes, mask);
        if (operation.has(PtxModifier.BALLOT)) {
            lowering.set(result, ours);
            return;
        }
        Value isAny = code.compare(Comparison.NE, ours, IrOperand.Literal.ZERO, false);
        if (operation.has(PtxModifier.ANY)) {
            lowering.set(result, isAny);
            return;
        }
        IrOperand active = code.and(ballot(Code.literal(1), false), mask);
        Value isAll = code.compare(Comparison.EQ, ours, active, false);
        if (operation.has(PtxModifier.ALL)) {
            lowering.set(result, isAll);
            return;
        }
        lowering.set(
                result,
                code.predicate(
                        Code.make(Opcode.PSETP, Modifiers.NONE.with(Field.LOGIC_INNER, LogicOp.OR))
                                .use(Slot.PA, isAll)
                                .use(Slot.PB, isAny, true)));
    }

    /// Adds a trap for the case that threads of a member mask do not execute the instruction
    /// together. It is necessary only where threads may execute it one after the other; elsewhere,
    /// threads of the mask that are absent have ended, or violate the rules of PTX.
    void checkMembers(PtxOperand members) {
        if (!lowering.isSeparated()) {
            return;
        }
        IrOperand active = ballot(Code.literal(1), false);
        IrOperand absent = code.and(lowering.word(members), code.not(active));
        // The last warp of a block may have less threads.
        IrOperand first = code.and(thread(), Code.literal(-LANES));
        IrOperand threads =
                code.product(
                        code.product(blockSize(0), blockSize(1), false, false),
                        blockSize(2),
                        false,
                        false);
        IrOperand count = code.difference(threads, first);
        IrOperand present = code.sum(code.shiftLeft(Code.literal(1), count), Code.literal(-1));
        IrInstruction isWrong =
                Code.comparison(
                        Comparison.NE, code.and(absent, present), IrOperand.Literal.ZERO, false);
        if (lowering.guard() != null) {
            isWrong.use(Slot.P, lowering.guard(), lowering.guardInverted());
        }
        code.add(breakpoint(BreakpointKind.TRAP).use(Slot.GUARD, code.predicate(isWrong), false));
    }

    /// Returns the number of the thread in its block.
    IrOperand thread() {
        IrOperand x = code.special(SpecialRegister.TID_X);
        List<Integer> sizes = lowering.source().bounds().requiredThreads();
        if (!sizes.isEmpty() && sizes.stream().skip(1).allMatch(size -> size == 1)) {
            return x;
        }
        IrOperand y = code.special(SpecialRegister.TID_Y);
        IrOperand z = code.special(SpecialRegister.TID_Z);
        return code.productSum(code.productSum(z, blockSize(1), y), blockSize(0), x);
    }

    private static IrOperand blockSize(int dimension) {
        return new IrOperand.Constant(
                ConstantSection.DRIVER, DriverBank.BLOCK + dimension * Integer.BYTES);
    }

    private Value ballot(IrOperand predicate, boolean inverted) {
        Value votes = code.function().word();
        code.effect(
                Code.make(Opcode.VOTE, Modifiers.NONE.with(Field.VOTE, VoteMode.ANY))
                        .use(Slot.P, predicate, inverted)
                        .define(votes));
        return votes;
    }
}
