package io.gpuvm.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Tests of `gpuvm asm` and `gpuvm disasm`, as called by users.
class AssemblerCommandsTest {
    private static final Path EXAMPLES = Path.of(System.getProperty("gpuvm.root"), "docs/examples");

    private final Shell shell = new Shell();
    @TempDir private Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"vadd.sass", "sum.sass"})
    void givenExample_whenAssembledListedAndAssembledAgain_thenCubinsAreEqual(String example)
            throws IOException {
        Path first = folder.resolve("first.cubin");
        Path listing = folder.resolve("listing.sass");
        Path second = folder.resolve("second.cubin");

        assertEquals(0, shell.run("asm", EXAMPLES.resolve(example), "-o", first), shell::err);
        assertEquals(0, shell.run("disasm", first), shell::err);
        assertFalse(shell.out().contains(".word"));
        Files.writeString(listing, shell.out());
        assertEquals(0, shell.run("asm", "--cubin", listing, "-o", second), shell::err);

        assertArrayEquals(Files.readAllBytes(first), Files.readAllBytes(second));
    }

    @Test
    void givenRawCode_whenListedAndAssembled_thenBytesAreEqual() throws IOException {
        Path source = write("l: NOP\nBRA l\n.word 0xffffffffffffffff\nEXIT\n");
        Path code = folder.resolve("code");
        Path again = folder.resolve("again");

        assertEquals(0, shell.run("asm", "--raw", source, "-o", code), shell::err);
        assertEquals(0, shell.run("disasm", "--raw", code), shell::err);
        assertTrue(shell.out().startsWith(".L_0000:"), shell::out);
        Files.writeString(source, shell.out());
        assertEquals(0, shell.run("asm", "--raw", source, "-o", again), shell::err);

        assertArrayEquals(Files.readAllBytes(code), Files.readAllBytes(again));
    }

    @Test
    void givenTwoKernels_whenOneIsSelected_thenOnlySelectedKernelIsPrinted() throws IOException {
        Path source = write(".kernel one\nEXIT\n.kernel two\nEXIT\n");
        Path cubin = folder.resolve("both.cubin");
        shell.run("asm", source, "-o", cubin);

        assertEquals(0, shell.run("disasm", cubin, "--kernel", "two"), shell::err);
        assertTrue(shell.out().contains(".kernel two"));
        assertFalse(shell.out().contains(".kernel one"));

        assertEquals(2, shell.run("disasm", cubin, "--kernel", "three"));
        assertTrue(shell.err().contains("--kernel=three, expected one of one, two"));
    }

    @Test
    void givenErrors_whenAssembled_thenEachErrorIsPrintedAndNoFileIsWritten() throws IOException {
        Path source = write(".kernel k\nFOO\nMOV R0, R99\n");
        Path cubin = folder.resolve("none.cubin");

        assertEquals(1, shell.run("asm", source, "-o", cubin));
        assertEquals(
                source
                        + ":2:1: 'FOO': expected an instruction\n"
                        + source
                        + ":3:9: 'R99': expected a register (R0..R62, RZ)\n",
                shell.err());
        assertFalse(Files.exists(cubin));
    }

    @Test
    void givenInvalidCubin_whenListed_thenErrorNamesFile() throws IOException {
        Path text = write("hello");

        assertEquals(2, shell.run("disasm", text));
        assertTrue(shell.err().contains(text + ": not a cubin (with --raw: instructions only)"));
        assertEquals(2, shell.run("disasm", "--raw", text));
        assertTrue(shell.err().contains("bytes=5, expected a multiple of 8"));
        assertEquals(2, shell.run("disasm", folder.resolve("nothing")));
        assertTrue(shell.err().contains("no such file"));
    }

    private Path write(String text) throws IOException {
        return Files.writeString(folder.resolve("source.sass"), text);
    }
}
