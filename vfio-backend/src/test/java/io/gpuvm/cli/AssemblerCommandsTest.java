package io.gpuvm.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/// `gpuvm asm` and `gpuvm disasm`, as people call them.
class AssemblerCommandsTest {
    private static final Path EXAMPLES = Path.of("../docs/examples");

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    @TempDir private Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"vadd.sass", "sum.sass"})
    void givenAnExample_whenAssembledListedAndAssembledAgain_thenTheCubinIsTheSame(String example)
            throws IOException {
        Path first = folder.resolve("first.cubin");
        Path listing = folder.resolve("listing.sass");
        Path second = folder.resolve("second.cubin");

        assertEquals(0, run("asm", EXAMPLES.resolve(example), "-o", first), err::toString);
        assertEquals(0, run("disasm", first), err::toString);
        Files.writeString(listing, out.toString());
        assertEquals(0, run("asm", "--cubin", listing, "-o", second), err::toString);

        assertArrayEquals(Files.readAllBytes(first), Files.readAllBytes(second));
        assertFalse(out.toString().contains(".word"));
    }

    @Test
    void givenRawCode_whenListedAndAssembled_thenTheBytesAreTheSame() throws IOException {
        Path source = write("l: NOP\nBRA l\n.word 0xffffffffffffffff\nEXIT\n");
        Path code = folder.resolve("code");
        Path again = folder.resolve("again");

        assertEquals(0, run("asm", "--raw", source, "-o", code), err::toString);
        assertEquals(0, run("disasm", "--raw", code), err::toString);
        Files.writeString(source, out.toString());
        assertEquals(0, run("asm", "--raw", source, "-o", again), err::toString);

        assertTrue(out.toString().startsWith(".L_0000:"), out::toString);
        assertArrayEquals(Files.readAllBytes(code), Files.readAllBytes(again));
    }

    @Test
    void givenTwoKernels_whenOneIsAskedFor_thenOnlyThatIsPrinted() throws IOException {
        Path source = write(".kernel one\nEXIT\n.kernel two\nEXIT\n");
        Path cubin = folder.resolve("both.cubin");
        run("asm", source, "-o", cubin);

        assertEquals(0, run("disasm", cubin, "--kernel", "two"), err::toString);
        assertTrue(out.toString().contains(".kernel two"));
        assertFalse(out.toString().contains(".kernel one"));

        assertEquals(2, run("disasm", cubin, "--kernel", "three"));
        assertTrue(err.toString().contains("--kernel=three, limit=one of: one two"));
    }

    @Test
    void givenErrors_whenAssembled_thenEachHasALineAndNothingIsWritten() throws IOException {
        Path source = write(".kernel k\nFOO\nMOV R0, R99\n");
        Path cubin = folder.resolve("none.cubin");

        assertEquals(1, run("asm", source, "-o", cubin));
        assertEquals(
                source
                        + ":2:1: 'FOO': expected an instruction\n"
                        + source
                        + ":3:9: 'R99': expected a register (R0..R62, RZ)\n",
                err.toString());
        assertFalse(Files.exists(cubin));
    }

    @Test
    void givenNoCubin_whenListed_thenTheErrorNamesTheFile() throws IOException {
        Path text = write("hello");

        assertEquals(2, run("disasm", text));
        assertTrue(err.toString().contains(text + ": no cubin (with --raw: code alone)"));
        assertEquals(2, run("disasm", "--raw", text));
        assertTrue(err.toString().contains("bytes=5, limit=a multiple of 8"));
        assertEquals(2, run("disasm", folder.resolve("nothing")));
        assertTrue(err.toString().contains("no such file"));
    }

    private Path write(String text) throws IOException {
        return Files.writeString(folder.resolve("source.sass"), text);
    }

    private int run(Object... arguments) {
        String[] words = new String[arguments.length];
        for (int i = 0; i < words.length; i++) {
            words[i] = arguments[i].toString();
        }
        CommandLine line = Main.commandLine();
        line.setOut(new PrintWriter(out, true));
        line.setErr(new PrintWriter(err, true));
        return line.execute(words);
    }
}
