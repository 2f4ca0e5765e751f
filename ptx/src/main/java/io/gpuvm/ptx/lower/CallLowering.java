package io.gpuvm.ptx.lower;

import io.gpuvm.gf100.cubin.ConstantSection;
import io.gpuvm.gf100.isa.Comparison;
import io.gpuvm.gf100.isa.Field;
import io.gpuvm.gf100.isa.MemorySize;
import io.gpuvm.gf100.isa.Opcode;
import io.gpuvm.ptx.check.PtxFunctionHeader;
import io.gpuvm.ptx.check.PtxOperand;
import io.gpuvm.ptx.check.PtxParameter;
import io.gpuvm.ptx.check.PtxSignature;
import io.gpuvm.ptx.check.PtxType;
import io.gpuvm.ptx.check.PtxVariable;
import io.gpuvm.ptx.ir.IrInstruction;
import io.gpuvm.ptx.ir.IrOperand;
import io.gpuvm.ptx.ir.Modifiers;
import io.gpuvm.ptx.ir.Slot;
import io.gpuvm.ptx.ir.Value;

/// Lowers calls: arguments and results are in memory at the caller's stack pointer.
final class CallLowering {
    /// Alignment of results after the parameters of a call.
    private static final int RESULT_ALIGNMENT = 16;

    /// Name of the callee of an indirect call.
    private static final String INDIRECT = "";

    private final FunctionLowering lowering;
    private final Code code;

    CallLowering(FunctionLowering lowering, Code code) {
        this.lowering = lowering;
        this.code = code;
    }

    /// Lowers a call.
    void lower(PtxOperand.Call call) {
        PtxSignature signature = call.signature();
        for (int i = 0; i < call.arguments().size(); i++) {
            PtxParameter parameter = signature.parameters().get(i);
            pass(call.arguments().get(i), parameter, parameter.offset());
        }
        IrOperand target =
                call.target() instanceof PtxOperand.Address ? null : lowering.word(call.target());
        IrInstruction instruction = Code.make(Opcode.JCAL);
        if (target == null) {
            PtxOperand.Address address = (PtxOperand.Address) call.target();
            instruction.callee(lowering.addresses().name((PtxFunctionHeader) address.symbol()));
        } else {
            instruction = Code.make(Opcode.JMX).callee(INDIRECT).use(Slot.A, code.value(target));
        }
        code.effect(instruction);
        int start = resultOffset(signature);
        for (int i = 0; i < call.results().size(); i++) {
            PtxParameter parameter = signature.results().get(i);
            receive(call.results().get(i), parameter, start + parameter.offset());
        }
    }

    /// Returns the offset of results in the memory for the arguments of a call.
    static int resultOffset(PtxSignature signature) {
        return signature.parameterBytes() + RESULT_ALIGNMENT - 1 & -RESULT_ALIGNMENT;
    }

    private void pass(PtxOperand argument, PtxParameter parameter, int offset) {
        if (argument instanceof PtxOperand.Memory memory) {
            copyTo(memory.variable(), parameter);
            return;
        }
        int bytes = (int) parameter.bytes();
        Modifiers modifiers =
                Modifiers.NONE
                        .with(Field.SIZE, MemoryLowering.size(bytes, false))
                        .with(Field.OFFSET, offset);
        IrOperand data =
                bytes == Long.BYTES
                        ? code.combine(lowering.wide(argument))
                        : code.value(word(argument, parameter));
        code.effect(
                Code.make(Opcode.STL, modifiers)
                        .use(Slot.A, lowering.addresses().localBase())
                        .use(Slot.DATA, data));
    }

    /// Returns a value of at most 32 bits; a predicate is 0 or 1.
    private IrOperand word(PtxOperand argument, PtxParameter parameter) {
        IrOperand word = lowering.word(argument);
        return parameter.type() == PtxType.PRED
                ? code.select(word, false, Code.literal(1), IrOperand.Literal.ZERO)
                : word;
    }

    /// Copies a variable that is not in the place of the argument.
    private void copyTo(PtxVariable variable, PtxParameter parameter) {
        int from = lowering.addresses().offset(variable);
        copy(from, parameter.offset(), parameter.bytes());
    }

    private void copy(int from, int to, long bytes) {
        if (from == to) {
            return;
        }
        for (int at = 0; at < bytes; ) {
            int size = bytes - at >= Integer.BYTES ? Integer.BYTES : 1;
            Modifiers modifiers = Modifiers.NONE.with(Field.SIZE, MemoryLowering.size(size, false));
            Value word =
                    code.word(
                            Code.make(Opcode.LDL, modifiers.with(Field.OFFSET, from + at))
                                    .use(Slot.A, lowering.addresses().localBase()));
            code.effect(
                    Code.make(Opcode.STL, modifiers.with(Field.OFFSET, to + at))
                            .use(Slot.A, lowering.addresses().localBase())
                            .use(Slot.DATA, word));
            at += size;
        }
    }

    private void receive(PtxOperand result, PtxParameter parameter, int offset) {
        if (result instanceof PtxOperand.Memory memory) {
            copy(offset, lowering.addresses().offset(memory.variable()), parameter.bytes());
            return;
        }
        int bytes = (int) parameter.bytes();
        Modifiers modifiers =
                Modifiers.NONE
                        .with(Field.SIZE, MemoryLowering.size(bytes, parameter.type().isSigned()))
                        .with(Field.OFFSET, offset);
        IrInstruction load =
                Code.make(Opcode.LDL, modifiers).use(Slot.A, lowering.addresses().localBase());
        if (bytes == Long.BYTES) {
            lowering.set(result, code.pair(load));
            return;
        }
        IrOperand word = code.word(load);
        lowering.set(
                result,
                parameter.type() == PtxType.PRED
                        ? code.compare(Comparison.NE, word, IrOperand.Literal.ZERO, false)
                        : word);
    }

    /// Loads the parameters of a function that are registers, and copies those of a kernel to local
    /// memory if the kernel uses their generic addresses.
    void receiveParameters() {
        PtxSignature signature = lowering.source().header().signature();
        if (lowering.source().header().kernel()) {
            copyParameters(signature.parameterBytes());
            return;
        }
        for (PtxParameter parameter : signature.parameters()) {
            if (parameter.register() != null) {
                receive(
                        new PtxOperand.Register(parameter.register()),
                        parameter,
                        lowering.addresses().incoming() + parameter.offset());
            }
        }
    }

    private void copyParameters(int bytes) {
        int copy = lowering.addresses().parameterCopy();
        if (copy < 0) {
            return;
        }
        Modifiers modifiers = Modifiers.NONE.with(Field.SIZE, MemorySize.B32);
        for (int at = 0; at < bytes; at += Integer.BYTES) {
            IrOperand word =
                    new IrOperand.Constant(ConstantSection.DRIVER, ConstantSection.PARAMETERS + at);
            code.effect(
                    Code.make(Opcode.STL, modifiers.with(Field.OFFSET, copy + at))
                            .use(Slot.A, lowering.addresses().localBase())
                            .use(Slot.DATA, code.value(word)));
        }
    }

    /// Stores the results of a function that are registers.
    void returnResults() {
        PtxSignature signature = lowering.source().header().signature();
        int start = lowering.addresses().incoming() + resultOffset(signature);
        for (PtxParameter result : signature.results()) {
            if (result.register() != null) {
                pass(new PtxOperand.Register(result.register()), result, start + result.offset());
            }
        }
    }
}
