package io.gpuvm.cuda.api.generate;

import io.gpuvm.cuda.api.table.ApiTable;

/// Generator of the linker's version script: it exports the names of the API, without versions, and
/// hides all others.
final class LinkerExports implements Generator {
    @Override
    public String generate(ApiTable table) {
        SourceText text = new SourceText();
        text.line(Notices.c());
        text.open("{").open("global:");
        table.symbols().forEach(symbol -> text.line(symbol + ";"));
        text.dedent().open("local:").line("*;").dedent();
        return text.close("};").toString();
    }
}
