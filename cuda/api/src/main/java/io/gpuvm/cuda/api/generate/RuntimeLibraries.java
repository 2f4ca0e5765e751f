package io.gpuvm.cuda.api.generate;

import io.gpuvm.cuda.api.table.ApiTable;
import io.gpuvm.cuda.api.table.RuntimeLibrary;

/// Generator of the list of libraries of the runtime API, which their build reads: lines `SONAME
/// LEVEL`.
final class RuntimeLibraries implements Generator {
    @Override
    public String generate(ApiTable table) {
        SourceText text = new SourceText();
        for (RuntimeLibrary library : RuntimeLibrary.values()) {
            text.format("%s %d", library.soname(), library.level());
        }
        return text.toString();
    }
}
