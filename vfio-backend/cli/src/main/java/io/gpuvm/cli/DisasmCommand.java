package io.gpuvm.cli;

import io.gpuvm.daemon.ConfigException;
import io.gpuvm.gf100.asm.Listing;
import io.gpuvm.gf100.cubin.Cubin;
import io.gpuvm.gf100.cubin.CubinException;
import io.gpuvm.gf100.cubin.CubinFunction;
import java.io.PrintWriter;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `gpuvm disasm`: disassembles a cubin into a source.
@Command(
        name = "disasm",
        description = "Disassemble machine code for the GPU into a source for asm.",
        sortOptions = false)
final class DisasmCommand implements Callable<Integer> {
    @Spec private CommandSpec spec;

    @Parameters(paramLabel = "FILE", description = "Cubin; with --raw, instructions only.")
    private Path file;

    @Option(
            names = "--kernel",
            paramLabel = "NAME",
            description = "Name of the only kernel, or function, to print. Default: all.")
    private String kernel;

    @Option(names = "--raw", description = "File of instructions only.")
    private boolean raw;

    @Override
    public Integer call() {
        byte[] bytes = CodeFiles.read(file);
        PrintWriter out = spec.commandLine().getOut();
        out.print(raw ? code(bytes) : cubin(bytes));
        out.flush();
        return 0;
    }

    private String code(byte[] bytes) {
        if (kernel != null) {
            throw new ConfigException(
                    "--kernel=" + kernel + ": not valid with --raw, which has no names");
        }
        try {
            return Listing.of(MemorySegment.ofArray(bytes));
        } catch (IllegalArgumentException e) {
            throw new ConfigException(file + ": " + e.getMessage(), e);
        }
    }

    private String cubin(byte[] bytes) {
        if (!Cubin.isOne(bytes)) {
            throw new ConfigException(file + ": not a cubin (with --raw: instructions only)");
        }
        try {
            Cubin cubin = Cubin.read(bytes);
            checkKernel(cubin);
            return Listing.of(cubin, function -> kernel == null || function.name().equals(kernel));
        } catch (CubinException | IllegalArgumentException e) {
            throw new ConfigException(file + ": " + e.getMessage(), e);
        }
    }

    private void checkKernel(Cubin cubin) {
        if (kernel != null && cubin.function(kernel) == null) {
            String known =
                    cubin.functions().stream()
                            .map(CubinFunction::name)
                            .collect(Collectors.joining(", "));
            throw new ConfigException("--kernel=" + kernel + ", expected one of " + known);
        }
    }
}
