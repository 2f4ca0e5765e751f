package io.gpuvm.cuda.api.table;

import java.util.List;

/// Value of `CUdevice_attribute`.
///
/// @param value number
/// @param names current name, then its synonyms
public record ApiAttribute(int value, List<String> names) {
    /// Returns the current name.
    public String name() {
        return names.getFirst();
    }
}
