package io.gpuvm.workloads;

import io.gpuvm.gf100.asm.Assembler;
import io.gpuvm.gf100.cubin.Cubin;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// Sources of the kernels: files `NAME.sass` beside this class, in the language of
/// `docs/assembler.md`. Any thread.
final class KernelSource {
    private static final Map<String, Cubin> ASSEMBLED = new ConcurrentHashMap<>();

    private KernelSource() {}

    /// Returns the machine code of a source. The first call assembles it.
    ///
    /// @param name name of the source, without the extension
    static Cubin assembled(String name) {
        return ASSEMBLED.computeIfAbsent(name, KernelSource::assemble);
    }

    private static Cubin assemble(String name) {
        String file = name + ".sass";
        try (InputStream source = KernelSource.class.getResourceAsStream(file)) {
            if (source == null) {
                throw new IllegalStateException(
                        "source=" + file + ", expected a source of this module");
            }
            return Assembler.assemble(
                    file, new String(source.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
