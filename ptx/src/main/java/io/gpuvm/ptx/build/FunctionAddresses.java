package io.gpuvm.ptx.build;

import io.gpuvm.gf100.cubin.ConstantSection;
import io.gpuvm.gf100.cubin.CubinFunction;
import io.gpuvm.gf100.cubin.Location;
import io.gpuvm.ptx.check.PtxFunction;
import io.gpuvm.ptx.check.PtxInstruction;
import io.gpuvm.ptx.check.PtxOpcode;
import io.gpuvm.ptx.check.PtxOperand;
import io.gpuvm.ptx.check.PtxParameter;
import io.gpuvm.ptx.check.PtxSignature;
import io.gpuvm.ptx.check.PtxSpace;
import io.gpuvm.ptx.check.PtxSymbol;
import io.gpuvm.ptx.check.PtxVariable;
import io.gpuvm.ptx.ir.IrOperand;
import io.gpuvm.ptx.ir.Value;
import io.gpuvm.ptx.lower.Addresses;
import io.gpuvm.ptx.lower.LoweringException;
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
    private static final int NONE = -1;

    private final Layouts layouts;
    private final PtxFunction function;
    private final Map<PtxVariable, Integer> offsets = new HashMap<>();
    private final boolean hasStack;
    private final int parameterCopy;
    private int bytes;

    /// @throws LoweringException if the function's variables need more local memory than a thread
    ///   can have
    FunctionAddresses(Layouts layouts, PtxFunction function) {
        this.layouts = layouts;
        this.function = function;
        Map<PtxVariable, Integer> uses = new HashMap<>();
        boolean calls = false;
        boolean copiesParameters = false;
        for (PtxInstruction instruction : function.code()) {
            copiesParameters |=
                    instruction.opcode() == PtxOpcode.CVTA
                            && instruction.operation().space() == PtxSpace.PARAM;
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
        parameterCopy =
                isKernel && copiesParameters
                        ? allocate(words(function.header().signature()), RESULT_ALIGNMENT)
                        : NONE;
        for (PtxVariable variable : function.variables()) {
            if (!offsets.containsKey(variable)) {
                offsets.put(variable, allocate(variable.bytes(), variable.alignment()));
            }
        }
    }

    private static int words(PtxSignature signature) {
        return signature.parameterBytes() + Integer.BYTES - 1 & -Integer.BYTES;
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
        if (size > CubinFunction.MAX_LOCAL_BYTES - at) {
            throw new LoweringException(
                    function.position(),
                    "function %s: bytes of local memory=%d, limit=%d"
                            .formatted(function.name(), at + size, CubinFunction.MAX_LOCAL_BYTES));
        }
        bytes = (int) (at + size);
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
            case CONST -> constantOffset(variable);
            case SHARED ->
                    layouts.shared().offset(function, layouts.program().definition(variable));
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

    private int constantOffset(PtxVariable variable) {
        Location location = layouts.module().location(variable);
        if (location == null) {
            throw new LoweringException(
                    function.position(),
                    "function %s: %s is not defined".formatted(function.name(), variable.name()));
        }
        return (int) location.offset();
    }

    @Override
    public int parameterCopy() {
        return parameterCopy;
    }

    @Override
    public boolean hasShared() {
        return !layouts.shared().isEmpty();
    }

    @Override
    public int exchange() {
        return layouts.shared().exchange(function);
    }

    @Override
    public int sharedBytes() {
        return function.header().kernel() ? layouts.shared().bytes(function) : -1;
    }

    @Override
    public int constantBytes() {
        return layouts.module().constantBytes();
    }

    @Override
    public IrOperand.Constant constantWindow() {
        return new IrOperand.Constant(ConstantSection.USER, layouts.module().constantWindow());
    }

    @Override
    public IrOperand localBase() {
        return hasStack ? Value.at(Value.Kind.WORD, STACK_POINTER) : IrOperand.Literal.ZERO;
    }

    @Override
    public int incoming() {
        return INCOMING;
    }

    @Override
    public int slot(PtxVariable texture) {
        return layouts.textures().slot(texture);
    }

    @Override
    public int textures() {
        return layouts.textures().count();
    }

    @Override
    public String name(PtxSymbol symbol) {
        return layouts.program().name(symbol);
    }
}
