package io.gpuvm.ptx.build;

import io.gpuvm.gf100.cubin.ConstantSection;
import io.gpuvm.gf100.isa.Field;
import io.gpuvm.gf100.isa.Opcode;
import io.gpuvm.ptx.allocate.Allocator;
import io.gpuvm.ptx.allocate.Frame;
import io.gpuvm.ptx.check.PtxFunction;
import io.gpuvm.ptx.check.PtxModule;
import io.gpuvm.ptx.emit.Emitter;
import io.gpuvm.ptx.emit.Encoder;
import io.gpuvm.ptx.emit.Reconvergence;
import io.gpuvm.ptx.ir.Block;
import io.gpuvm.ptx.ir.Function;
import io.gpuvm.ptx.ir.IrInstruction;
import io.gpuvm.ptx.ir.IrOperand;
import io.gpuvm.ptx.ir.Modifiers;
import io.gpuvm.ptx.ir.Slot;
import io.gpuvm.ptx.ir.Terminator;
import io.gpuvm.ptx.ir.Value;
import io.gpuvm.ptx.lower.FunctionLowering;
import io.gpuvm.ptx.lower.Legalizer;
import io.gpuvm.ptx.optimize.Optimizer;
import java.util.BitSet;
import java.util.List;
import java.util.OptionalInt;

/// Compiles a function from its checked form to machine code.
final class FunctionCompiler {
    /// Machine code of a function.
    ///
    /// @param registers number of registers
    /// @param frameBytes bytes of local memory with spilled registers
    /// @param spills spilled registers
    /// @param barriers number of barriers
    /// @param nesting number of nested joins of threads
    /// @param textures slots of the textures that the instructions read
    record CompiledFunction(
            PtxFunction source,
            Emitter.Code code,
            int registers,
            int frameBytes,
            SpillUse spills,
            int barriers,
            int nesting,
            boolean hasStack,
            BitSet textures) {}

    private static final int ALL_BARRIERS = 16;
    private static final int FRAME_UNIT = 16;
    private static final int NONE = -1;

    private final Layouts layouts;
    private final Encoder encoder = new Encoder();

    FunctionCompiler(Layouts layouts) {
        this.layouts = layouts;
    }

    /// Compiles a function, or returns null if the registers do not suffice.
    ///
    /// @param module module that contains the function
    CompiledFunction compile(
            PtxModule module, PtxFunction source, int maxRegisters, boolean optimize) {
        FunctionAddresses addresses = new FunctionAddresses(layouts, source);
        Function function = FunctionLowering.lower(module, source, addresses);
        function.checkpoint();
        Optimizer.apply(function, optimize);
        function.checkpoint();
        Legalizer.apply(function, encoder);
        Optimizer.finish(function);
        if (addresses.hasStack()) {
            addFrame(function);
        }
        function.checkpoint();
        int nesting = Reconvergence.apply(function);
        function.checkpoint();
        int variableBytes = addresses.bytes();
        Frame frame = new Frame(addresses.localBase(), variableBytes);
        int reserved = addresses.hasStack() ? FunctionAddresses.STACK_POINTER : NONE;
        int registers = Allocator.allocate(function, frame, maxRegisters, reserved);
        if (registers < 0) {
            return null;
        }
        SpillUse spills = SpillUse.of(function, frame, variableBytes);
        int frameBytes = frame.bytes() + FRAME_UNIT - 1 & -FRAME_UNIT;
        if (addresses.hasStack()) {
            placeFrame(function, frameBytes);
        }
        return new CompiledFunction(
                source,
                Emitter.emit(encoder, function),
                Math.max(registers, reserved + 1),
                frameBytes,
                spills,
                barriers(function),
                nesting,
                addresses.hasStack(),
                TextureUse.of(function));
    }

    /// Adds the instructions that reserve and release the frame, whose size is not yet known.
    private static void addFrame(Function function) {
        List<IrInstruction> start = function.entry().instructions();
        start.addFirst(adjustment(true));
        if (function.isKernel()) {
            start.addFirst(
                    IrInstruction.of(Opcode.MOV, Modifiers.NONE)
                            .define(stackPointer())
                            .use(
                                    Slot.B,
                                    new IrOperand.Constant(
                                            ConstantSection.STACK, ConstantSection.STACK_POINTER)));
        }
        for (Block block : function.blocks()) {
            if (block.terminator() instanceof Terminator.Return) {
                block.add(adjustment(false));
            }
        }
    }

    private static Value stackPointer() {
        return Value.at(Value.Kind.WORD, FunctionAddresses.STACK_POINTER);
    }

    private static IrInstruction adjustment(boolean reserves) {
        return IrInstruction.of(Opcode.IADD, Modifiers.NONE)
                .define(stackPointer())
                .use(Slot.A, stackPointer())
                .use(Slot.B, new IrOperand.Literal(reserves ? -1 : 1));
    }

    /// Inserts the size of the frame; removes the adjustments of an empty one.
    private static void placeFrame(Function function, int bytes) {
        for (Block block : function.blocks()) {
            if (bytes == 0) {
                block.instructions().removeIf(FunctionCompiler::isAdjustment);
            }
            for (IrInstruction instruction : block.instructions()) {
                if (!(instruction.operand(Slot.A) instanceof Value base)
                        || base.register() != FunctionAddresses.STACK_POINTER) {
                    continue;
                }
                if (instruction.operand(Slot.B) instanceof IrOperand.Literal(int number)) {
                    int placed = isAdjustment(instruction) ? number * bytes : place(number, bytes);
                    instruction.replace(Slot.B, new IrOperand.Literal(placed));
                }
                Modifiers modifiers = instruction.modifiers();
                int offset = modifiers.get(Field.OFFSET);
                instruction.modifiers(modifiers.with(Field.OFFSET, place(offset, bytes)));
            }
        }
    }

    private static boolean isAdjustment(IrInstruction instruction) {
        return instruction.is(Opcode.IADD)
                && instruction.result().register() == FunctionAddresses.STACK_POINTER;
    }

    private static int place(int offset, int bytes) {
        return offset >= FunctionAddresses.INCOMING
                ? offset - FunctionAddresses.INCOMING + bytes
                : offset;
    }

    private static int barriers(Function function) {
        OptionalInt most =
                function.blocks().stream()
                        .flatMap(block -> block.instructions().stream())
                        .filter(instruction -> instruction.is(Opcode.BAR))
                        .mapToInt(instruction ->
                                instruction.find(Slot.BARRIER) != null
                                        ? ALL_BARRIERS
                                        : instruction.modifiers().get(Field.BARRIER) + 1)
                        .max();
        return most.orElse(0);
    }
}
