package io.gpuvm.cli;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Tests of arguments after `gpuvm real-guest workload` that are refused before a guest is powered
/// on.
class GuestWorkloadTest {
    private final Shell shell = new Shell();

    @Test
    void givenCorrectArguments_whenChecked_thenArgumentsAreAccepted() {
        assertDoesNotThrow(() ->
                GuestWorkload.check(
                        List.of("all", "mmul=64", "--size", "16", "--seed=3", "--repeat=2")));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'' | WORKLOAD is missing",
                "sort | workload=sort",
                "mmul=0 | mmul: size=0",
                "mmul --sizes=3 | Unknown option: '--sizes=3'",
                "mmul --size=many | --size",
                "mmul --repeat=0 | --repeat 0",
                "mmul --json=x | --json: not valid in a guest",
                "mmul --gpu=soft | --gpu: not valid in a guest",
                "mmul --socket=/x | --socket: not valid in a guest",
                "mmul --nouveau | --nouveau: not valid in a guest",
                "--pci mmul | --pci: not valid in a guest",
                "--list | --list: not valid in a guest",
            })
    void givenWrongArguments_whenRealGuestIsCalled_thenStatusIs2AndErrorNamesArgument(
            String arguments, String message) {
        List<String> words = new ArrayList<>(List.of("real-guest", "workload"));
        if (!arguments.isEmpty()) {
            words.addAll(List.of(arguments.split(" ")));
        }

        assertEquals(2, shell.run(words.toArray()), shell::err);
        assertTrue(shell.err().startsWith("gpuvm: "), shell::err);
        assertTrue(shell.err().contains(message), shell::err);
    }
}
