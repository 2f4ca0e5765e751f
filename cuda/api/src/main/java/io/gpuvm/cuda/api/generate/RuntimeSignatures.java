package io.gpuvm.cuda.api.generate;

import io.gpuvm.cuda.api.table.RuntimeFunction;
import io.gpuvm.cuda.api.table.RuntimeParameter;
import java.util.ArrayList;
import java.util.List;

/// Signatures of generated C functions of the runtime API.
final class RuntimeSignatures {
    /// Name of the additional parameter.
    static final String DEFAULT_STREAM = "defaultStream";

    private static final String PREFIX = "cuda";

    private RuntimeSignatures() {}

    /// Returns an exported function: `cudaError_t cudaFree(void *pointer)`.
    static String exported(RuntimeFunction function, String symbol) {
        return "cudaError_t " + symbol + list(declarations(function));
    }

    /// Returns the part by hand: `cudaError_t gpuvm_runtime_Free(void *pointer)`.
    static String byHand(RuntimeFunction function) {
        List<String> declarations = new ArrayList<>(declarations(function));
        if (function.takesDefaultStream()) {
            declarations.add("cudaStream_t " + DEFAULT_STREAM);
        }
        return "cudaError_t " + byHandName(function) + list(declarations);
    }

    /// Returns the name of the part by hand.
    static String byHandName(RuntimeFunction function) {
        return "gpuvm_runtime_" + function.name().symbol().substring(PREFIX.length());
    }

    private static List<String> declarations(RuntimeFunction function) {
        return function.parameters().stream().map(RuntimeParameter::declaration).toList();
    }

    private static String list(List<String> declarations) {
        return CSignatures.list(declarations);
    }
}
