package io.gpuvm.ptx.lower;

import io.gpuvm.gf100.isa.BreakpointKind;
import io.gpuvm.gf100.isa.Comparison;
import io.gpuvm.gf100.isa.Field;
import io.gpuvm.gf100.isa.Opcode;
import io.gpuvm.ptx.check.PtxInstruction;
import io.gpuvm.ptx.check.PtxModifier;
import io.gpuvm.ptx.check.PtxOpcode;
import io.gpuvm.ptx.check.PtxOperand;
import io.gpuvm.ptx.check.PtxOperation;
import io.gpuvm.ptx.check.PtxType;
import io.gpuvm.ptx.check.PtxVariable;
import io.gpuvm.ptx.ir.IrInstruction;
import io.gpuvm.ptx.ir.IrOperand;
import io.gpuvm.ptx.ir.Modifiers;
import io.gpuvm.ptx.ir.Slot;
import io.gpuvm.ptx.ir.Value;

/// Lowers fetches of texels of linear memory by their index.
///
/// The machine's instruction contains the texture's slot. A handle in a register is therefore a
/// number by which the code selects the slot; where the number is known, nothing remains of the
/// selection.
final class TextureLowering {
    private static final int COMPONENTS = 4;
    private static final int ALL = (1 << COMPONENTS) - 1;

    /// Value of [Field#GROUPING] of a fetch that the next instructions may wait for, `.T`.
    private static final int ALONE = 1;

    private final FunctionLowering lowering;
    private final Code code;

    TextureLowering(FunctionLowering lowering, Code code) {
        this.lowering = lowering;
        this.code = code;
    }

    /// Returns the handle of a texture, which is not an address. No texture has the handle 0.
    ///
    /// @throws LoweringException if the variable is not a texture of the program
    static Wide handle(FunctionLowering lowering, PtxVariable variable) {
        if (variable.type() != PtxType.TEXREF || variable.role() != PtxVariable.Role.STATIC) {
            throw lowering.refusal(
                    "%s: expected a texture of the module".formatted(variable.name()));
        }
        return new Wide(
                Code.literal(lowering.addresses().slot(variable) + 1), IrOperand.Literal.ZERO);
    }

    void lower(PtxInstruction instruction) {
        check(instruction);
        PtxOperand image = ((PtxOperand.Image) instruction.sources().getFirst()).handle();
        IrOperand texel = lowering.word(instruction.sources().getLast());
        IrOperand index = texel.equals(IrOperand.Literal.ZERO) ? texel : code.value(texel);
        Wide handle = lowering.wide(image);
        Value fetched = handle.isLiteral() ? fetch(known(handle), index) : select(handle, index);
        for (int i = 0; i < COMPONENTS; i++) {
            lowering.set(instruction.results().get(i), code.extract(fetched, i));
        }
    }

    private void check(PtxInstruction instruction) {
        PtxOperation operation = instruction.operation();
        boolean isLinear =
                operation.opcode() == PtxOpcode.TEX
                        && operation.has(PtxModifier.DIM_1D)
                        && operation.sourceType() == PtxType.S32
                        && !operation.has(PtxModifier.BASE);
        if (!isLinear) {
            throw lowering.refusal(
                    operation.text()
                            + " is not supported: textures are linear memory, expected tex.1d"
                            + " with a coordinate of type .s32");
        }
        if (instruction.sources().size() != 2) {
            throw lowering.refusal(operation.text() + ": expected [TEXTURE, COORDINATE]");
        }
    }

    private int known(Wide handle) {
        long number = handle.bits();
        if (number < 1 || number > lowering.addresses().textures()) {
            throw lowering.refusal("handle=%d, expected that of a texture".formatted(number));
        }
        return (int) number - 1;
    }

    private static IrInstruction instruction(int slot, IrOperand index) {
        return Code.make(
                        Opcode.TLD,
                        Modifiers.of(Field.TEXTURE, slot)
                                .with(Field.COMPONENTS, ALL)
                                .with(Field.LEVEL_ZERO, 1)
                                .with(Field.GROUPING, ALONE))
                .use(Slot.A, index);
    }

    private Value fetch(int slot, IrOperand index) {
        Value fetched = code.function().wide(COMPONENTS);
        code.effect(instruction(slot, index).define(fetched));
        return fetched;
    }

    /// Fetches from the texture that has a handle, which is different for each thread. A thread
    /// with another handle traps.
    private Value select(Wide handle, IrOperand index) {
        int textures = lowering.addresses().textures();
        if (textures == 0) {
            throw lowering.refusal(
                    "handle of a texture: expected a texture of the module; texture objects need"
                            + " sm_30, this GPU is sm_20");
        }
        IrOperand zero = IrOperand.Literal.ZERO;
        Value fetched = code.combine(zero, zero, zero, zero);
        Value isNarrow = isNarrow(handle);
        trapUnlessKnown(handle, textures, isNarrow);
        for (int slot = 0; slot < textures; slot++) {
            Value isThis =
                    code.predicate(
                            Code.comparison(
                                            Comparison.EQ,
                                            handle.low(),
                                            Code.literal(slot + 1),
                                            false)
                                    .use(Slot.P, isNarrow));
            Value next = code.function().wide(COMPONENTS);
            code.add(
                    instruction(slot, index)
                            .use(Slot.GUARD, isThis)
                            .use(Slot.KEPT, fetched)
                            .define(next));
            fetched = next;
        }
        return fetched;
    }

    /// Returns whether the upper word of a handle is 0; false for threads that the instruction's
    /// guard excludes.
    private Value isNarrow(Wide handle) {
        IrInstruction isNarrow =
                Code.comparison(Comparison.EQ, handle.high(), IrOperand.Literal.ZERO, false);
        if (lowering.guard() != null) {
            isNarrow.use(Slot.P, lowering.guard(), lowering.guardInverted());
        }
        return code.predicate(isNarrow);
    }

    private void trapUnlessKnown(Wide handle, int textures, Value isNarrow) {
        IrOperand slot = code.sum(handle.low(), Code.literal(-1));
        Value isKnown =
                code.predicate(
                        Code.comparison(Comparison.LT, slot, Code.literal(textures), false)
                                .use(Slot.P, isNarrow));
        Value isWrong = isKnown;
        if (lowering.guard() != null) {
            isWrong =
                    code.predicate(
                            Code.make(Opcode.PSETP)
                                    .use(Slot.PA, lowering.guard(), lowering.guardInverted())
                                    .use(Slot.PB, isKnown, true));
        }
        code.add(
                Code.make(Opcode.BPT, Modifiers.NONE.with(Field.BREAKPOINT, BreakpointKind.TRAP))
                        .use(Slot.GUARD, isWrong, lowering.guard() == null));
    }
}
