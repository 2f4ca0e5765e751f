package io.gpuvm.cli;

import io.gpuvm.daemon.ConfigException;
import io.gpuvm.gf100.asm.Assembler;
import io.gpuvm.gf100.asm.AssemblyException;
import io.gpuvm.gf100.cubin.Cubin;
import io.gpuvm.gf100.cubin.CubinException;
import io.gpuvm.gf100.cubin.ModuleContent;
import io.gpuvm.ptx.PtxOptions;
import io.gpuvm.pv.runtime.GpuException;
import io.gpuvm.pv.runtime.ModuleFiles;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/// A module of machine code from a file: a cubin, a fatbin, a source in PTX, or a source for the
/// assembler.
final class ModuleFile {
    private static final String ASSEMBLY = ".sass";
    private static final String PTX = ".ptx";

    private ModuleFile() {}

    /// @throws ConfigException if the file cannot be read or is not such a module; the message
    ///   names the file
    static Cubin read(Path file) {
        byte[] bytes = CodeFiles.read(file);
        try {
            if (ModuleContent.isModule(bytes)) {
                return read(file, ModuleContent.of(bytes));
            }
            String text = new String(bytes, StandardCharsets.UTF_8);
            if (file.toString().endsWith(ASSEMBLY)) {
                return Assembler.assemble(file.toString(), text);
            }
            if (file.toString().endsWith(PTX)) {
                return read(file, new ModuleContent.Ptx(text));
            }
        } catch (CubinException e) {
            throw new ConfigException(file + ": " + e.getMessage(), e);
        } catch (AssemblyException | GpuException e) {
            throw new ConfigException(e.getMessage(), e);
        }
        throw new ConfigException(
                "%s: neither a cubin nor PTX, and its name ends neither in %s nor in %s"
                        .formatted(file, ASSEMBLY, PTX));
    }

    private static Cubin read(Path file, ModuleContent content) {
        return switch (content) {
            case ModuleContent.Code(byte[] elf) -> Cubin.read(elf);
            case ModuleContent.Ptx(String text) ->
                    ModuleFiles.compile(file.toString(), text, PtxOptions.DEFAULT);
        };
    }
}
