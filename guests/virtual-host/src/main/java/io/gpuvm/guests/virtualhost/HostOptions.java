package io.gpuvm.guests.virtualhost;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/// Options of a run.
///
/// @param tests names of tests, which run in this order in one machine
/// @param machine kind of the virtual host
/// @param select part of the names of the test cases to run; empty for all
/// @param gpu value of `gpuvm device --gpu` for the card
/// @param recording recording by `gpuvm serve --record`, for a test that replays it; null if there
///   is none
/// @param idle value of `--idle` of the card's process
/// @param seed seed of random choices
/// @param timeout timeout from power-on to power-off
/// @param keepFiles whether consoles and logs are kept after the run
record HostOptions(
        List<String> tests,
        HostMachine machine,
        String select,
        String gpu,
        Path recording,
        String idle,
        long seed,
        Duration timeout,
        boolean keepFiles) {
    static final String DEFAULT_GPU = "soft";
    static final String DEFAULT_IDLE = "backoff";
    static final String DEFAULT_TIMEOUT_SECONDS = "600";

    private static final long SEEDS = 1_000_000;

    HostOptions {
        tests = List.copyOf(tests);
        if (tests.isEmpty()) {
            throw new IllegalArgumentException("tests=0, expected at least 1");
        }
        if (select.chars().anyMatch(Character::isWhitespace)) {
            throw new IllegalArgumentException(
                    "--select '%s': expected one word".formatted(select));
        }
    }

    /// Returns a different seed in each run, in the range of a shell's arithmetic.
    static long anySeed() {
        return Math.floorMod(System.nanoTime(), SEEDS);
    }

    /// Returns options for tests on the default card in the usual machine.
    static HostOptions of(long seed, String... tests) {
        return of(HostMachine.USUAL, seed, tests);
    }

    /// Returns options for tests on the default card in the given machine.
    static HostOptions of(HostMachine machine, long seed, String... tests) {
        return new HostOptions(
                List.of(tests),
                machine,
                "",
                DEFAULT_GPU,
                null,
                DEFAULT_IDLE,
                seed,
                Duration.ofSeconds(Long.parseLong(DEFAULT_TIMEOUT_SECONDS)),
                false);
    }

    /// Returns these options with another card.
    HostOptions withGpu(String newGpu) {
        return new HostOptions(
                tests, machine, select, newGpu, recording, idle, seed, timeout, keepFiles);
    }

    /// Returns these options with a recording in the host.
    HostOptions withRecording(Path folder) {
        return new HostOptions(tests, machine, select, gpu, folder, idle, seed, timeout, keepFiles);
    }

    /// Returns these options with another timeout from power-on to power-off.
    HostOptions withTimeout(Duration limit) {
        return new HostOptions(
                tests, machine, select, gpu, recording, idle, seed, limit, keepFiles);
    }
}
