package io.gpuvm.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.gf100.cubin.Cubin;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Tests of `gpuvm ptxas`, as called by users and by compilers.
class PtxasCommandTest {
    private static final Path EXAMPLE =
            Path.of(System.getProperty("gpuvm.root"), "docs/examples/vadd.ptx");

    private final Shell shell = new Shell();
    @TempDir private Path folder;

    @Test
    void givenExample_whenCompiled_thenCubinHasKernelAndNothingIsPrinted() throws IOException {
        Path cubin = folder.resolve("vadd.cubin");

        assertEquals(0, shell.run("ptxas", EXAMPLE, "-o", cubin), shell::err);

        assertEquals("", shell.out() + shell.err());
        assertEquals(4, Cubin.read(Files.readAllBytes(cubin)).function("vadd").parameters().size());
    }

    @Test
    void givenVerbose_whenCompiled_thenResourcesArePrinted() {
        Path cubin = folder.resolve("vadd.cubin");

        assertEquals(0, shell.run("ptxas", EXAMPLE, "-o", cubin, "-v"), shell::err);

        assertTrue(shell.err().contains("info: 0 bytes gmem\n"), shell::err);
        assertTrue(shell.err().contains("info: kernel vadd for sm_20\n"), shell::err);
        assertTrue(
                shell.err()
                        .contains(
                                "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill"
                                        + " loads\n"),
                shell::err);
        assertTrue(
                shell.err()
                        .matches(
                                "(?s).*    Used [0-9]+ registers, 0 bytes smem, 0 bytes lmem, 60"
                                        + " bytes cmem\\[0\\]\n.*"),
                shell::err);
    }

    @Test
    void givenOptionsOfClang_whenCompiled_thenCubinIsWritten() {
        Path cubin = folder.resolve("vadd.cubin");

        assertEquals(
                0,
                shell.run(
                        "ptxas",
                        "-m64",
                        "-O3",
                        "-v",
                        "--gpu-name",
                        "sm_20",
                        "--output-file",
                        cubin,
                        EXAMPLE),
                shell::err);
        assertTrue(Files.exists(cubin));
    }

    @Test
    void givenLimitOfRegisters_whenCompiled_thenNearestPossibleNumberIsUsed() throws IOException {
        Path few = folder.resolve("few.cubin");
        Path least = folder.resolve("least.cubin");

        assertEquals(0, shell.run("ptxas", EXAMPLE, "-o", few, "--maxrregcount", 3), shell::err);
        assertEquals("warning: --maxrregcount=3, nearest possible number=16\n", shell.err());
        assertEquals(0, shell.run("ptxas", EXAMPLE, "-o", least, "-maxrregcount", 16), shell::err);
        assertEquals("", shell.err());

        assertArrayEquals(Files.readAllBytes(few), Files.readAllBytes(least));
    }

    @Test
    void givenErrors_whenCompiled_thenEachErrorIsPrintedAndNoFileIsWritten() throws IOException {
        Path source =
                write(
                        """
                        .version 3.0
                        .target sm_20
                        .visible .entry k()
                        {
                            foo.u32 %a;
                            mov.u32 %b, 1;
                            ret;
                        }
                        """);
        Path cubin = folder.resolve("none.cubin");

        assertEquals(1, shell.run("ptxas", source, "-o", cubin));

        String[] lines = shell.err().split("\n");
        assertEquals(2, lines.length, shell::err);
        assertTrue(lines[0].startsWith(source + ", line 5, column 5: error: "), shell::err);
        assertTrue(lines[1].startsWith(source + ", line 6, column 13: error: "), shell::err);
        assertFalse(Files.exists(cubin));
    }

    @Test
    void givenWrongArguments_whenCalled_thenErrorNamesThem() {
        Path cubin = folder.resolve("none.cubin");

        assertEquals(2, shell.run("ptxas", EXAMPLE));
        assertEquals(2, shell.run("ptxas", EXAMPLE, "-o", cubin, "--gpu-name", "sm_35"));
        assertTrue(shell.err().contains("--gpu-name=sm_35, expected one of sm_20, sm_21"));
        assertEquals(2, shell.run("ptxas", EXAMPLE, "-o", cubin, "-O5"));
        assertTrue(shell.err().contains("--opt-level=5, expected 0 to 4"), shell::err);
        assertEquals(2, shell.run("ptxas", EXAMPLE, "-o", cubin, "--maxrregcount", 0));
        assertTrue(shell.err().contains("--maxrregcount=0, expected at least 1"), shell::err);
        assertEquals(2, shell.run("ptxas", folder.resolve("nothing"), "-o", cubin));
        assertTrue(shell.err().contains("no such file"), shell::err);
    }

    private Path write(String text) throws IOException {
        return Files.writeString(folder.resolve("source.ptx"), text);
    }
}
