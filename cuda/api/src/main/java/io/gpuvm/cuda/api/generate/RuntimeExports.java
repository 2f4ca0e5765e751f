package io.gpuvm.cuda.api.generate;

import io.gpuvm.cuda.api.table.ApiTable;
import io.gpuvm.cuda.api.table.RuntimeLibrary;

/// Generator of the version script of one library of the runtime API: it exports the names of the
/// library's version of CUDA, and hides all others.
///
/// @param library the library
record RuntimeExports(RuntimeLibrary library) implements Generator {
    @Override
    public String generate(ApiTable table) {
        SourceText text = new SourceText();
        text.line(Notices.runtimeC());
        String version = library.hasSymbolVersions() ? library.soname() + " {" : "{";
        text.open(version).open("global:");
        library.symbols(table.runtime()).forEach(symbol -> text.line(symbol + ";"));
        text.dedent().open("local:").line("*;").dedent();
        return text.close("};").toString();
    }
}
