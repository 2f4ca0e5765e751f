package io.gpuvm.cli;

import io.gpuvm.gf100.asm.Assembler;
import io.gpuvm.gf100.asm.AssemblyException;
import io.gpuvm.gf100.isa.InstructionTable;
import java.io.PrintWriter;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `gpuvm asm`: assembles a source into a cubin.
@Command(
        name = "asm",
        description = {
            "Assemble machine code for the GPU (sm_20).",
            "docs/assembler.md describes the language."
        },
        sortOptions = false,
        footer = {
            "",
            "Example:",
            "  gpuvm asm docs/examples/vadd.sass -o vadd.cubin",
            "",
            "Exit status: 0 assembled; 1 errors in the source, one line is printed for each;"
                    + " 2 wrong arguments."
        })
final class AsmCommand implements Callable<Integer> {
    @Spec private CommandSpec spec;

    @Parameters(paramLabel = "FILE", description = "Source.")
    private Path source;

    @Option(
            names = {"-o", "--output"},
            required = true,
            paramLabel = "FILE",
            description = "File for the machine code.")
    private Path output;

    @ArgGroup private Format format;

    /// Format of the output.
    private static final class Format {
        @Option(names = "--cubin", description = "Output of a cubin; the default.")
        private boolean cubin;

        @Option(
                names = "--raw",
                description = "Output of instructions only; the source has at most one kernel.")
        private boolean raw;
    }

    @Override
    public Integer call() {
        String text = new String(CodeFiles.read(source), StandardCharsets.UTF_8);
        try {
            boolean raw = format != null && format.raw;
            String name = source.toString();
            CodeFiles.write(
                    output,
                    raw
                            ? bytes(Assembler.code(name, text))
                            : Assembler.assemble(name, text).toBytes());
            return 0;
        } catch (AssemblyException e) {
            PrintWriter err = spec.commandLine().getErr();
            err.println(e.getMessage());
            err.flush();
            return 1;
        }
    }

    private static byte[] bytes(long[] words) {
        ByteBuffer bytes =
                ByteBuffer.allocate(words.length * InstructionTable.INSTRUCTION_BYTES)
                        .order(ByteOrder.LITTLE_ENDIAN);
        bytes.asLongBuffer().put(words);
        return bytes.array();
    }
}
