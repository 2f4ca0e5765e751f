package io.gpuvm.ptx.lower;

import io.gpuvm.gf100.isa.Comparison;
import io.gpuvm.gf100.isa.Field;
import io.gpuvm.gf100.isa.Opcode;
import io.gpuvm.gf100.isa.VideoPart;
import io.gpuvm.gf100.isa.VideoResult;
import io.gpuvm.ptx.check.PtxInstruction;
import io.gpuvm.ptx.check.PtxModifier;
import io.gpuvm.ptx.check.PtxOpcode;
import io.gpuvm.ptx.check.PtxOperand;
import io.gpuvm.ptx.check.PtxOperation;
import io.gpuvm.ptx.check.PtxType;
import io.gpuvm.ptx.check.PtxVideoPart;
import io.gpuvm.ptx.ir.IrInstruction;
import io.gpuvm.ptx.ir.IrOperand;
import io.gpuvm.ptx.ir.Modifiers;
import io.gpuvm.ptx.ir.Slot;
import java.util.List;

/// Lowers the scalar video instructions.
final class VideoLowering {
    private final FunctionLowering lowering;
    private final Code code;

    VideoLowering(FunctionLowering lowering, Code code) {
        this.lowering = lowering;
        this.code = code;
    }

    void lower(PtxInstruction instruction) {
        PtxOperation operation = instruction.operation();
        List<PtxOperand> sources = instruction.sources();
        PtxOperand result = instruction.results().getFirst();
        PtxVideoPart part = PtxVideoPart.WORD;
        if (result instanceof PtxOperand.Part whole) {
            part = whole.part();
            result = whole.value();
        }
        IrOperand third = sources.size() > 2 ? whole(sources.get(2)) : IrOperand.Literal.ZERO;
        boolean insertsAbove = part == PtxVideoPart.B1 || part == PtxVideoPart.B3;
        Modifiers modifiers = modifiers(instruction);
        if (instruction.opcode() != PtxOpcode.VMAD) {
            modifiers = modifiers.with(Field.VIDEO_RESULT, resultOf(operation, sources, part));
        }
        IrOperand value =
                code.word(
                        Code.make(opcode(instruction.opcode()), modifiers)
                                .use(Slot.A, code.value(whole(sources.get(0))))
                                .use(Slot.B, code.value(whole(sources.get(1))))
                                .use(Slot.C, insertsAbove ? IrOperand.Literal.ZERO : third));
        if (insertsAbove) {
            int first = part == PtxVideoPart.B1 ? Byte.SIZE : 3 * Byte.SIZE;
            IrInstruction insert =
                    Code.make(Opcode.BFI)
                            .use(Slot.A, value)
                            .use(Slot.B, Code.literal(first | Byte.SIZE << Byte.SIZE))
                            .use(Slot.C, third);
            value = code.word(insert);
        }
        lowering.set(result, value);
    }

    /// Returns the register or constant of an operand.
    private IrOperand whole(PtxOperand operand) {
        return lowering.word(operand instanceof PtxOperand.Part part ? part.value() : operand);
    }

    private static VideoPart part(PtxOperand operand) {
        return operand instanceof PtxOperand.Part part
                ? VideoPart.valueOf(part.part().name())
                : VideoPart.WORD;
    }

    private static boolean isNegated(PtxOperand operand) {
        return operand instanceof PtxOperand.Part part && part.negated();
    }

    private static Opcode opcode(PtxOpcode opcode) {
        return switch (opcode) {
            case VADD, VSUB -> Opcode.VADD;
            case VABSDIFF -> Opcode.VABSDIFF;
            case VMIN, VMAX -> Opcode.VMNMX;
            case VSHL -> Opcode.VSHL;
            case VSHR -> Opcode.VSHR;
            case VSET -> Opcode.VSET;
            default -> Opcode.VMAD;
        };
    }

    private static Modifiers modifiers(PtxInstruction instruction) {
        PtxOperation operation = instruction.operation();
        List<PtxType> types = operation.types();
        List<PtxOperand> sources = instruction.sources();
        boolean isSet = instruction.opcode() == PtxOpcode.VSET;
        boolean isMad = instruction.opcode() == PtxOpcode.VMAD;
        PtxType a = types.get(isSet ? 0 : 1);
        PtxType b = types.get(isSet ? 1 : 2);
        Modifiers modifiers =
                Modifiers.NONE
                        .with(Field.SIGNED_A, a.isSigned())
                        .with(Field.SIGNED_B, b.isSigned())
                        .with(Field.PART_A, part(sources.get(0)))
                        .with(Field.PART_B, part(sources.get(1)))
                        .with(Field.SATURATE, operation.has(PtxModifier.SAT));
        if (!isSet && !isMad) {
            modifiers = modifiers.with(Field.SIGNED, types.getFirst().isSigned());
        }
        return switch (instruction.opcode()) {
            case VSUB -> modifiers.with(Field.NEGATE_B, 1);
            case VMAX -> modifiers.with(Field.MAXIMUM, 1);
            case VSHL, VSHR -> modifiers.with(Field.WRAP, operation.has(PtxModifier.WRAP));
            case VSET ->
                    modifiers.with(
                            Field.COMPARISON, Comparison.valueOf(operation.comparison().name()));
            case VMAD ->
                    modifiers
                            .with(
                                    Field.NEGATE_PRODUCT,
                                    isNegated(sources.get(0)) ^ isNegated(sources.get(1)))
                            .with(Field.NEGATE_C, isNegated(sources.get(2)))
                            .with(Field.PLUS_ONE, operation.has(PtxModifier.PO))
                            .with(
                                    Field.VIDEO_SHIFT,
                                    operation.has(PtxModifier.SHR7)
                                            ? 1
                                            : operation.has(PtxModifier.SHR15) ? 2 : 0);
            default -> modifiers;
        };
    }

    private static VideoResult resultOf(
            PtxOperation operation, List<PtxOperand> sources, PtxVideoPart part) {
        return switch (part) {
            case B0, B1, B3 -> VideoResult.B0;
            case B2 -> VideoResult.B2;
            case H0 -> VideoResult.H0;
            case H1 -> VideoResult.H1;
            case WORD -> {
                if (sources.size() < 3) {
                    yield VideoResult.NONE;
                }
                yield operation.has(PtxModifier.ADD)
                        ? VideoResult.ACC
                        : operation.has(PtxModifier.MIN) ? VideoResult.MIN : VideoResult.MAX;
            }
        };
    }
}
