package io.gpuvm.ptx.lower;

import io.gpuvm.gf100.isa.BarrierOp;
import io.gpuvm.gf100.isa.BreakpointKind;
import io.gpuvm.gf100.isa.Field;
import io.gpuvm.gf100.isa.MembarLevel;
import io.gpuvm.gf100.isa.Opcode;
import io.gpuvm.gf100.isa.VoteMode;
import io.gpuvm.ptx.check.PtxInstruction;
import io.gpuvm.ptx.check.PtxModifier;
import io.gpuvm.ptx.check.PtxOperand;
import io.gpuvm.ptx.check.PtxOperation;
import io.gpuvm.ptx.check.PtxType;
import io.gpuvm.ptx.ir.Instruction;
import io.gpuvm.ptx.ir.Modifiers;
import io.gpuvm.ptx.ir.Operand;
import io.gpuvm.ptx.ir.Slot;
import io.gpuvm.ptx.ir.Value;
import java.util.List;

/// Lowers barriers, fences, votes and traps.
final class WarpLowering {
    private final FunctionLowering lowering;
    private final Code code;

    WarpLowering(FunctionLowering lowering, Code code) {
        this.lowering = lowering;
        this.code = code;
    }

    void lower(PtxInstruction instruction) {
        PtxOperation operation = instruction.operation();
        switch (instruction.opcode()) {
            case BAR, BARRIER -> barrier(instruction);
            case MEMBAR, FENCE ->
                    code.effect(
                            Code.make(
                                    Opcode.MEMBAR,
                                    Modifiers.NONE.with(Field.LEVEL, level(operation))));
            case VOTE -> vote(instruction);
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

    private static Instruction breakpoint(BreakpointKind kind) {
        return Code.make(Opcode.BPT, Modifiers.NONE.with(Field.BREAKPOINT, kind));
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
            return;
        }
        boolean reduces = operation.has(PtxModifier.RED);
        List<PtxOperand> sources = instruction.sources();
        int count = sources.size() - (reduces ? 1 : 0);
        Instruction barrier = Code.make(Opcode.BAR);
        Modifiers modifiers = Modifiers.NONE.with(Field.BARRIER_OP, operationOf(operation).code());
        Operand number = lowering.word(sources.getFirst());
        if (number instanceof Operand.Literal(int known)) {
            modifiers = modifiers.with(Field.BARRIER, known);
        } else {
            barrier.use(Slot.BARRIER, code.value(number));
        }
        if (count > 1) {
            Operand threads = lowering.word(sources.get(1));
            if (threads instanceof Operand.Literal(int known)) {
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
        code.add(barrier.define(value));
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
        Operand predicate = lowering.predicate(source);
        boolean inverted = FunctionLowering.inverted(source);
        PtxOperand result = instruction.results().getFirst();
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

    private Value ballot(Operand predicate, boolean inverted) {
        Value votes = code.function().word();
        code.effect(
                Code.make(Opcode.VOTE, Modifiers.NONE.with(Field.VOTE, VoteMode.ANY))
                        .use(Slot.P, predicate, inverted)
                        .define(votes));
        return votes;
    }
}
