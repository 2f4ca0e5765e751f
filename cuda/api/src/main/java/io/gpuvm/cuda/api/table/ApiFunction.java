package io.gpuvm.cuda.api.table;

import java.util.List;

/// Record of the table: a function of the CUDA driver API, or an operation of gpuvm's own.
///
/// @param opcode number on the wire, 1 to 65535
/// @param name name, with `cu` for functions
/// @param group heading under which the record is documented
/// @param callClass need for the backend and the GPU
/// @param engine engine that the call occupies
/// @param isByHand whether the library implements the function by hand
/// @param isAnytime whether the function may be called before `cuInit`
/// @param variants exported names, oldest first; empty for operations
/// @param sends calls as which the function travels; empty if it has a call of its own only
/// @param parameters parameters of the C function, in C's order
/// @param operands operands of the own call, in wire order; empty without an own call
/// @param results results of the own call, in wire order
public record ApiFunction(
        int opcode,
        String name,
        String group,
        CallClass callClass,
        CallEngine engine,
        boolean isByHand,
        boolean isAnytime,
        List<ApiVariant> variants,
        List<ApiSend> sends,
        List<ApiParameter> parameters,
        List<ApiOperand> operands,
        List<ApiOperand> results) {

    private static final String PREFIX = "cu";

    /// Returns whether the record is an operation of gpuvm's own.
    public boolean isOperation() {
        return variants.isEmpty();
    }

    /// Returns whether calls with the record's opcode travel.
    public boolean hasCall() {
        boolean sendsItself = sends.stream().anyMatch(send -> send.function().equals(name));
        return callClass != CallClass.LOCAL && (sends.isEmpty() || sendsItself);
    }

    /// Returns the name without `cu`, as in `gpuvm_send_MemAlloc`.
    public String shortName() {
        return isOperation() ? name : name.substring(PREFIX.length());
    }

    /// Returns whether calls with default streams differ, so that the stub passes one.
    public boolean hasTwin() {
        return variants.stream().anyMatch(ApiVariant::hasTwin);
    }

    /// Returns the stream parameter, or null if the function has none.
    public ApiParameter streamParameter() {
        return parameters.stream()
                .filter(parameter -> parameter.kind() == ValueKind.STREAM)
                .filter(parameter -> parameter.direction() == ParameterDirection.IN)
                .findFirst()
                .orElse(null);
    }

    /// Returns whether the stub passes the default stream as an additional argument: the function
    /// has a twin, but no parameter for a stream.
    public boolean takesDefaultStream() {
        return hasTwin() && streamParameter() == null;
    }

    /// Returns the place of operands and results on the wire.
    public WireLayout layout() {
        return new WireLayout(operands, results);
    }
}
