package io.gpuvm.cuda.api.table;

import java.util.List;
import java.util.stream.Stream;

/// The CUDA runtime API as data. Immutable.
///
/// @param functions supported functions in the order of the file
/// @param unsupported other exported names, which answer `cudaErrorNotSupported`
/// @param errors values of `cudaError`
public record RuntimeTable(
        List<RuntimeFunction> functions, List<RuntimeName> unsupported, List<RuntimeError> errors) {

    /// Returns all exported names, supported or not, without twins.
    public Stream<RuntimeName> names() {
        return Stream.concat(functions.stream().map(RuntimeFunction::name), unsupported.stream());
    }
}
