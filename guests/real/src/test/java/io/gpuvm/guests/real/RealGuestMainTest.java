package io.gpuvm.guests.real;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/// Tests of the arguments of `tests/real-guest/run`. A check of the workload's arguments that
/// always fails prevents the start of guests.
class RealGuestMainTest {
    private List<String> checked;
    private Exception failure;

    @Test
    void givenWorkload_whenOptionsFollow_thenOptionsBelongToWorkload() {
        run("--mode", "fv", "workload", "mmul=256", "--repeat", "3", "--mode");
        assertEquals(List.of("mmul=256", "--repeat", "3", "--mode"), checked);
        assertEquals("checked", failure.getMessage());
    }

    @Test
    void givenPairOfWorkloads_whenRun_thenArgumentsOfEachProcessAreChecked() {
        run("workload-pair", "cpy=80M", "--repeat", "3");
        assertEquals(List.of("cpy=80M", "--repeat", "3"), checked);
    }

    @Test
    void givenSuite_whenOptionFollows_thenOptionIsRefused() {
        run("suite", "CopyTest", "--shared");
        assertEquals(
                "argument=--shared, expected no option after the program", failure.getMessage());
    }

    @Test
    void givenWorkloadAmongPrograms_whenRun_thenArgumentsAreChecked() {
        run("probe,workload", "mmul");
        assertEquals(List.of("mmul"), checked);
    }

    @Test
    void givenOtherProgram_whenOptionFollows_thenOptionIsRefused() {
        run("copy", "seed=2", "--keep");
        assertNull(checked);
        assertEquals("argument=--keep, expected no option after the program", failure.getMessage());
    }

    private void run(String... arguments) {
        new CommandLine(new RealGuestMain(this::check))
                .setExecutionExceptionHandler((e, _, _) -> {
                    failure = e;
                    return CommandLine.ExitCode.USAGE;
                })
                .execute(arguments);
    }

    private void check(List<String> arguments) {
        checked = arguments;
        throw new IllegalArgumentException("checked");
    }
}
