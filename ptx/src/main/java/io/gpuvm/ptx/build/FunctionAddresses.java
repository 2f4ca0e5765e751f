package io.gpuvm.ptx.build;

import io.gpuvm.gf100.cubin.ConstantSection;
import io.gpuvm.ptx.check.PtxFunction;
import io.gpuvm.ptx.check.PtxFunctionHeader;
import io.gpuvm.ptx.check.PtxInstruction;
import io.gpuvm.ptx.check.PtxOperand;
import io.gpuvm.ptx.check.PtxParameter;
import io.gpuvm.ptx.check.PtxSignature;
import io.gpuvm.ptx.check.PtxSymbol;
import io.gpuvm.ptx.check.PtxVariable;
import io.gpuvm.ptx.ir.Operand;
import io.gpuvm.ptx.ir.Value;
import io.gpuvm.ptx.lower.Addresses;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Locations of variables as one function sees them. A kernel that calls no function has its local
/// memory at address 0; other functions have a frame on the stack, whose lowest part contains the
/// arguments and results of calls.
final class FunctionAddresses implements Addresses {
    /// Register that contains the address of the frame.
    static final int STACK_POINTER = 1;

    /// Offset that represents the start of a function's parameters: they are above the frame, whose
    /// size is known only after the allocation of registers.
    static final int INCOMING = 4 << 20;

    private static final int RESULT_ALIGNMENT = 16;

    private final ModuleLayout layout;
    private final Map<PtxVariable, Integer> offsets = new HashMap<>();
    private final boolean hasStack;
    private int bytes;

    FunctionAddresses(ModuleLayout layout, PtxFunction function) {
        this.layout = layout;
        Map<PtxVariable, Integer> uses = new HashMap<>();
        boolean calls = false;
        for (PtxInstruction instruction : function.code()) {
            for (PtxOperand operand : instruction.sources()) {
                if (operand instanceof PtxOperand.Call call) {
                    calls = true;
                    place(call, uses);
                }
            }
        }
        boolean isKernel = function.header().kernel();
        hasStack = calls || !isKernel;
        uses.forEach((variable, count) -> {
            if (count > 1) {
                offsets.remove(variable);
            }
        });
        placeParameters(function);
        for (PtxVariable variable : function.variables()) {
            if (!offsets.containsKey(variable)) {
                offsets.put(variable, allocate(variable.bytes(), variable.alignment()));
            }
        }
    }

    private void placeParameters(PtxFunction function) {
        PtxSignature signature = function.header().signature();
        boolean isKernel = function.header().kernel();
        int start = isKernel ? ConstantSection.PARAMETERS : INCOMING;
        for (PtxParameter parameter : signature.parameters()) {
            if (parameter.variable() != null) {
                offsets.put(parameter.variable(), start + parameter.offset());
            }
        }
        for (PtxParameter result : signature.results()) {
            if (result.variable() != null) {
                offsets.put(result.variable(), start + resultOffset(signature) + result.offset());
            }
        }
    }

    private static int resultOffset(PtxSignature signature) {
        return signature.parameterBytes() + RESULT_ALIGNMENT - 1 & -RESULT_ALIGNMENT;
    }

    /// Reserves memory for a call, and places the variables that it passes there.
    private void place(PtxOperand.Call call, Map<PtxVariable, Integer> uses) {
        PtxSignature signature = call.signature();
        int results = resultOffset(signature);
        bytes = Math.max(bytes, results + signature.resultBytes() + 15 & -16);
        place(call.arguments(), signature.parameters(), 0, uses);
        place(call.results(), signature.results(), results, uses);
    }

    private void place(
            List<PtxOperand> operands,
            List<PtxParameter> parameters,
            int start,
            Map<PtxVariable, Integer> uses) {
        for (int i = 0; i < operands.size(); i++) {
            if (operands.get(i) instanceof PtxOperand.Memory memory && memory.variable() != null) {
                uses.merge(memory.variable(), 1, Integer::sum);
                offsets.put(memory.variable(), start + parameters.get(i).offset());
            }
        }
    }

    private int allocate(long size, int alignment) {
        int at = bytes + alignment - 1 & -alignment;
        bytes = Math.toIntExact(at + size);
        return at;
    }

    /// Returns whether the function has a frame on the stack.
    boolean hasStack() {
        return hasStack;
    }

    /// Returns the number of bytes of the frame, without spilled registers.
    int bytes() {
        return bytes;
    }

    @Override
    public int offset(PtxVariable variable) {
        return switch (variable.space()) {
            case CONST -> layout.constantOffset(variable);
            case SHARED -> layout.sharedOffset(variable);
            case GENERIC, GLOBAL, LOCAL, PARAM -> {
                Integer offset = offsets.get(variable);
                if (offset == null) {
                    offset = allocate(variable.bytes(), variable.alignment());
                    offsets.put(variable, offset);
                }
                yield offset;
            }
        };
    }

    @Override
    public Operand localBase() {
        return hasStack ? Value.at(Value.Kind.WORD, STACK_POINTER) : Operand.Literal.ZERO;
    }

    @Override
    public int incoming() {
        return INCOMING;
    }

    @Override
    public String name(PtxSymbol symbol) {
        return switch (symbol) {
            case PtxVariable variable -> variable.name();
            case PtxFunctionHeader header -> header.name();
        };
    }
}
