package io.gpuvm.ptx.lower;

import io.gpuvm.gf100.isa.Comparison;
import io.gpuvm.gf100.isa.Field;
import io.gpuvm.gf100.isa.MemorySize;
import io.gpuvm.gf100.isa.Opcode;
import io.gpuvm.gf100.isa.SpecialRegister;
import io.gpuvm.ptx.check.PtxInstruction;
import io.gpuvm.ptx.check.PtxModifier;
import io.gpuvm.ptx.check.PtxOperand;
import io.gpuvm.ptx.check.PtxOperation;
import io.gpuvm.ptx.ir.IrInstruction;
import io.gpuvm.ptx.ir.IrOperand;
import io.gpuvm.ptx.ir.Modifiers;
import io.gpuvm.ptx.ir.Slot;
import io.gpuvm.ptx.ir.Value;
import java.util.List;

/// Lowers shuffles: exchanges of values within a warp. Each thread of a block has a word of shared
/// memory; the words of a warp are adjacent, and its threads execute in lockstep.
final class ShuffleLowering {
    private final FunctionLowering lowering;
    private final Code code;
    private final WarpLowering warps;

    ShuffleLowering(FunctionLowering lowering, Code code, WarpLowering warps) {
        this.lowering = lowering;
        this.code = code;
        this.warps = warps;
    }

    /// Lowers a shuffle.
    void lower(PtxInstruction instruction) {
        PtxOperation operation = instruction.operation();
        List<PtxOperand> sources = instruction.sources();
        if (operation.has(PtxModifier.SYNC)) {
            warps.checkMembers(sources.getLast());
        }
        IrOperand own = code.shiftLeft(warps.thread(), Code.literal(2));
        Source source =
                source(operation, lowering.word(sources.get(1)), lowering.word(sources.get(2)));
        IrOperand warp = code.and(own, Code.literal(-WarpLowering.LANES * Integer.BYTES));
        IrOperand other = code.or(warp, code.shiftLeft(source.lane, Code.literal(2)));
        Modifiers word =
                Modifiers.NONE
                        .with(Field.SIZE, MemorySize.B32)
                        .with(Field.OFFSET, lowering.addresses().exchange());
        code.effect(
                Code.make(Opcode.STS, word)
                        .use(Slot.A, code.value(own))
                        .use(Slot.DATA, code.value(lowering.word(sources.getFirst())))
                        .isVolatile(true));
        PtxOperand result = instruction.results().getFirst();
        IrInstruction load = Code.make(Opcode.LDS, word).use(Slot.A, code.value(other));
        IrOperand former = lowering.former(result, 0);
        if (former != null) {
            load.use(Slot.KEPT, code.value(former));
        }
        Value loaded = code.function().word();
        code.effect(load.define(loaded).isVolatile(true));
        lowering.setGuarded(result, new Wide(loaded, IrOperand.Literal.ZERO));
        if (instruction.results().size() > 1) {
            lowering.set(instruction.results().get(1), source.isInside);
        }
    }

    /// Thread from which a shuffle takes its value.
    ///
    /// @param lane number of the thread in the warp
    /// @param isInside predicate, true if the thread is in the segment; otherwise, the thread takes
    ///   its own value
    private record Source(IrOperand lane, IrOperand isInside) {}

    /// Returns the source of a shuffle; see the PTX manual, `shfl`.
    ///
    /// @param distance distance, or number, of the thread
    /// @param control bound in the lowest 5 bits, mask of the segment in those from 8 upwards
    private Source source(PtxOperation operation, IrOperand distance, IrOperand control) {
        final int laneBits = 5;
        IrOperand lane = code.special(SpecialRegister.LANEID);
        IrOperand by = code.and(distance, Code.literal(WarpLowering.LANES - 1));
        IrOperand bound = code.and(control, Code.literal(WarpLowering.LANES - 1));
        IrOperand segment = code.field(control, Byte.SIZE, laneBits, false);
        IrOperand others = code.not(segment);
        IrOperand least = code.and(lane, segment);
        IrOperand greatest = code.or(least, code.and(bound, others));
        boolean isUp = operation.has(PtxModifier.UP);
        IrOperand wanted;
        if (isUp) {
            wanted = code.difference(lane, by);
        } else if (operation.has(PtxModifier.DOWN)) {
            wanted = code.sum(lane, by);
        } else if (operation.has(PtxModifier.BFLY)) {
            wanted = code.exclusiveOr(lane, by);
        } else {
            wanted = code.or(least, code.and(by, others));
        }
        if (Code.is(greatest, WarpLowering.LANES - 1)
                && !isUp
                && !operation.has(PtxModifier.DOWN)) {
            return new Source(wanted, Code.literal(1));
        }
        Value isInside = code.compare(isUp ? Comparison.GE : Comparison.LE, wanted, greatest, true);
        return new Source(code.select(isInside, wanted, lane), isInside);
    }
}
