package io.gpuvm.cuda.api.generate;

import io.gpuvm.cuda.api.table.ApiFunction;
import io.gpuvm.cuda.api.table.ApiOperand;
import io.gpuvm.cuda.api.table.ApiParameter;
import io.gpuvm.cuda.api.table.CallClass;
import io.gpuvm.cuda.api.table.OperandType;
import java.util.ArrayList;
import java.util.List;

/// Signatures of generated C functions.
final class CSignatures {
    private static final String DEFAULT_STREAM = "CUstream defaultStream";

    private CSignatures() {}

    /// Returns an exported function: `CUresult cuMemAlloc_v2(CUdeviceptr *address, size_t bytes)`.
    static String exported(ApiFunction function, String symbol) {
        return "CUresult " + symbol + list(declarations(function, false));
    }

    /// Returns the part by hand: `CUresult gpuvm_hand_MemAlloc(...)`, or `gpuvm_local_...`.
    static String byHand(ApiFunction function) {
        return "CUresult "
                + byHandName(function)
                + list(declarations(function, function.takesDefaultStream()));
    }

    /// Returns the name of the part by hand.
    static String byHandName(ApiFunction function) {
        String prefix = function.callClass() == CallClass.LOCAL ? "gpuvm_local_" : "gpuvm_hand_";
        return prefix + function.shortName();
    }

    /// Returns the body shared by a function and its twins.
    static String shared(ApiFunction function) {
        return "static CUresult run_"
                + function.shortName()
                + list(declarations(function, function.hasTwin()));
    }

    /// Returns the parameters of operands, in wire order.
    static List<String> operands(ApiFunction function) {
        List<String> declarations = new ArrayList<>();
        for (ApiOperand operand : function.operands()) {
            declarations.add(declaration(operand.type(), operand.name()));
            if (!operand.isWord() && !operand.isFixed()) {
                declarations.add("size_t " + operand.name() + "Bytes");
            }
        }
        return declarations;
    }

    /// Returns the parameters of results, in wire order.
    static List<String> results(ApiFunction function) {
        return function.results().stream()
                .map(result -> result.type().cType() + " *" + result.name())
                .toList();
    }

    /// Returns a parameter list with parentheses.
    static String list(List<String> declarations) {
        return "(" + (declarations.isEmpty() ? "void" : String.join(", ", declarations)) + ")";
    }

    private static String declaration(OperandType type, String name) {
        String cType = type.cType();
        return cType.endsWith("*") ? cType + name : cType + " " + name;
    }

    private static List<String> declarations(ApiFunction function, boolean withDefaultStream) {
        List<String> declarations = new ArrayList<>();
        function.parameters().stream().map(ApiParameter::declaration).forEach(declarations::add);
        if (withDefaultStream) {
            declarations.add(DEFAULT_STREAM);
        }
        return declarations;
    }
}
