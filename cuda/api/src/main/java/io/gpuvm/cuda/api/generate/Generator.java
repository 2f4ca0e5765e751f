package io.gpuvm.cuda.api.generate;

import io.gpuvm.cuda.api.table.ApiTable;

/// Generator of one text from the table: a pure function.
@FunctionalInterface
public interface Generator {
    /// Returns the text, with a line feed at its end.
    String generate(ApiTable table);
}
