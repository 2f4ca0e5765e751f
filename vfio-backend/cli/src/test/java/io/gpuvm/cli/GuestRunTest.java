package io.gpuvm.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.ExitCode;

class GuestRunTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void givenDeviceOfOtherDriver_whenRun_thenProgressLinePrecedesError() throws Exception {
        int status = run("mmul=16", "--seed=2", "--repeat", "3", "--nouveau=/dev/null");

        assertEquals(ExitCode.USAGE, status);
        assertEquals(
                List.of(
                        "opening the GPU through nouveau",
                        "gpuvm: --nouveau: /dev/null: name of the DRM driver: DRM_IOCTL_VERSION: ENOTTY"),
                err.toString().lines().toList());
    }

    @Test
    void givenNoGpuOption_whenRun_thenArgumentsAreRefused() throws Exception {
        assertRefused("expected --nouveau or --pci", "mmul");
    }

    @Test
    void givenUnknownOption_whenRun_thenArgumentsAreRefused() throws Exception {
        assertRefused("--gpu: not valid in a guest", "mmul", "--gpu", "soft", "--pci");
    }

    @Test
    void givenOptionWithoutValue_whenRun_thenArgumentsAreRefused() throws Exception {
        assertRefused("--size: expected a value", "mmul", "--nouveau", "--size");
    }

    @Test
    void givenNumberOutOfRange_whenRun_thenMessageNamesLimit() throws Exception {
        assertRefused(
                "--size=2147483648, expected a number up to 2147483647",
                "mmul",
                "--nouveau",
                "--size",
                "2147483648");
        assertRefused("--repeat 0: expected 1 to 10000", "mmul", "--nouveau", "--repeat", "0");
    }

    private void assertRefused(String message, String... arguments) throws Exception {
        assertEquals(ExitCode.USAGE, run(arguments));
        assertEquals("gpuvm: " + message, err.toString().lines().toList().getLast());
    }

    private int run(String... arguments) throws Exception {
        return GuestRun.execute(
                List.of(arguments), new PrintWriter(out, true), new PrintWriter(err, true));
    }
}
