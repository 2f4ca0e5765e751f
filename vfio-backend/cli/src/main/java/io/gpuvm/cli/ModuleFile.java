package io.gpuvm.cli;

import io.gpuvm.daemon.ConfigException;
import io.gpuvm.gf100.asm.Assembler;
import io.gpuvm.gf100.asm.AssemblyException;
import io.gpuvm.gf100.cubin.Cubin;
import io.gpuvm.gf100.cubin.CubinException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/// A module of machine code from a file: a cubin, a fatbin, or a source for the assembler.
final class ModuleFile {
    private static final String SOURCE = ".sass";

    private ModuleFile() {}

    /// @throws ConfigException if the file cannot be read or is not such a module; the message
    ///   names the file
    static Cubin read(Path file) {
        byte[] bytes = CodeFiles.read(file);
        try {
            if (Cubin.isOne(bytes)) {
                return Cubin.read(bytes);
            }
            if (file.toString().endsWith(SOURCE)) {
                return Assembler.assemble(
                        file.toString(), new String(bytes, StandardCharsets.UTF_8));
            }
        } catch (CubinException e) {
            throw new ConfigException(file + ": " + e.getMessage(), e);
        } catch (AssemblyException e) {
            throw new ConfigException(e.getMessage(), e);
        }
        throw new ConfigException(file + ": not a cubin, and its name does not end in " + SOURCE);
    }
}
