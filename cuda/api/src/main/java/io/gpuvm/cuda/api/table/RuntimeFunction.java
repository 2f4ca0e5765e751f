package io.gpuvm.cuda.api.table;

import java.util.List;

/// Supported function of the CUDA runtime API.
///
/// @param group heading on the page of functions
/// @param name exported name
/// @param runtimeClass work of the stub
/// @param parameters parameters in C's order; empty for functions without a stub
public record RuntimeFunction(
        String group,
        RuntimeName name,
        RuntimeClass runtimeClass,
        List<RuntimeParameter> parameters) {

    /// Returns whether a generated stub calls the part by hand.
    public boolean hasStub() {
        return runtimeClass != RuntimeClass.EXACT;
    }

    /// Returns whether the part by hand gets the default stream in an additional parameter.
    public boolean takesDefaultStream() {
        return name.hasTwin() && parameters.stream().noneMatch(RuntimeParameter::isStream);
    }
}
