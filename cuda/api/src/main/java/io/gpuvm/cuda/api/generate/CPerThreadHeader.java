package io.gpuvm.cuda.api.generate;

import io.gpuvm.cuda.api.table.ApiTable;
import io.gpuvm.cuda.api.table.RuntimeName;

/// Generator of the programs' `gpuvm_per_thread.h`: names of the runtime API that stand for those
/// whose default stream is the calling thread's own.
final class CPerThreadHeader implements Generator {
    @Override
    public String generate(ApiTable table) {
        SourceText text = new SourceText();
        text.line(Notices.runtimeC());
        text.line("#ifndef GPUVM_PER_THREAD_H").line("#define GPUVM_PER_THREAD_H").blank();
        table.runtime()
                .names()
                .filter(RuntimeName::hasTwin)
                .forEach(name -> text.format("#define %s %s", name.symbol(), name.twinSymbol()));
        return text.blank().line("#endif").toString();
    }
}
