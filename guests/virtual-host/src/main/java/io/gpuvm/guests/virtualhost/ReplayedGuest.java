package io.gpuvm.guests.virtualhost;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.gpuvm.record.Recording;
import io.gpuvm.replay.EndState;
import io.gpuvm.replay.Pace;
import io.gpuvm.replay.Replay;
import io.gpuvm.replay.ReplayResult;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntPredicate;

/// Program that replays a recorded guest on a GPU, and checks the values that the guest reads and
/// the end state. The program writes the state to a file, or compares it with another GPU's state
/// in a file. Most VRAM pages are blank in that state; only some words of such a page are read.
///
/// Arguments: `model` or `compare`, the recording, the GPU's socket, the file of the state. Exit
/// status 0 if all reads are as recorded and, for `compare`, the states are equal.
final class ReplayedGuest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int PERCENT_STEP = 20;

    /// Registers and memory whose values depend on the time of a read: whether a runlist is still
    /// being loaded and whether a channel is on an engine, the free entries for flushes in the MMU,
    /// an interrupt that arrives asynchronously and is awaited in PMC, and the progress of a fence
    /// in memory. New values in memory that the guest reads do not belong here, because the replay
    /// waits for them.
    private static final List<String> MOMENTARY =
            List.of(
                    "PFIFO.PLAYLIST_RD_LEN",
                    "PFIFO.CHAN_TABLE.STATE[",
                    "PFIFO.ENGINE_INTR",
                    "PFFB.VM.CFG",
                    "BAR1");

    private boolean ok = true;

    private ReplayedGuest() {}

    /// Complete end state.
    private record SavedState(
            String registersSha256,
            long vramBytes,
            String vramSha256,
            Map<Integer, Integer> registers,
            Map<Integer, Long> pages) {
        static SavedState of(EndState state) {
            return new SavedState(
                    state.registersSha256(),
                    state.vramBytes(),
                    state.vramSha256(),
                    new TreeMap<>(state.registerValues()),
                    new TreeMap<>(state.pageSums()));
        }

        EndState state() {
            return new EndState(
                    registers.size(),
                    registersSha256,
                    vramBytes,
                    vramSha256,
                    pages.size(),
                    registers,
                    pages);
        }
    }

    public static void main(String[] args) throws InterruptedException {
        ReplayedGuest guest = new ReplayedGuest();
        Path file = Path.of(args[3]);
        boolean isModel = args[0].equals("model");
        EndState model = isModel ? null : read(file);
        ReplayResult result;
        try (Recording recording = Recording.open(Path.of(args[1]))) {
            IntPredicate blank = isModel ? _ -> false : page -> !model.pageSums().containsKey(page);
            result = replay(recording, Path.of(args[2]), blank);
        }
        guest.checkReads(result);
        if (isModel) {
            write(file, result.endState());
        } else {
            guest.compare(model, result.endState());
            measured("replay.reads", result.polls() + result.looks());
            measured("replay.differences", result.differences());
        }
        System.exit(guest.ok ? 0 : 1);
    }

    private static void write(Path file, EndState state) {
        try {
            JSON.writeValue(file.toFile(), SavedState.of(state));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static EndState read(Path file) {
        try {
            return JSON.readValue(file.toFile(), SavedState.class).state();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static ReplayResult replay(Recording recording, Path socket, IntPredicate blank)
            throws InterruptedException {
        long startNs = System.nanoTime();
        int[] told = {0};
        ReplayResult result =
                Replay.run(
                        recording,
                        null,
                        socket,
                        Pace.FULL,
                        percent -> {
                            if (percent >= told[0]) {
                                told[0] += PERCENT_STEP;
                                System.out.printf("replayed %d %%%n", percent);
                            }
                        },
                        blank);
        System.out.printf(
                "messages=%d seconds=%.1f, with the end state %.1f; polls=%d repetitions=%d"
                        + " unmet=%d looks=%d differences=%s%n",
                result.messages(),
                result.seconds(),
                (System.nanoTime() - startNs) / 1e9,
                result.polls(),
                result.repetitions(),
                result.unmet(),
                result.looks(),
                result.differencesAt());
        return result;
    }

    private void checkReads(ReplayResult result) {
        long moments = 0;
        for (Map.Entry<String, Long> place : result.differencesAt().entrySet()) {
            if (MOMENTARY.stream().anyMatch(place.getKey()::startsWith)) {
                moments += place.getValue();
            }
        }
        long reads = result.polls() + result.looks();
        long wrong = result.unmet() + result.differences() - moments;
        if (wrong > 0) {
            result.different().forEach(System.out::println);
        }
        check(
                reads > 0 && wrong == 0,
                "reads: %d, as recorded: %d, dependent on the time: %d, wrong: %d",
                reads,
                reads - wrong - moments,
                moments,
                wrong);
    }

    private void compare(EndState model, EndState state) {
        model.differences(state).forEach(line -> System.out.println("model's " + line));
        long registers = same(model.registerValues(), state.registerValues());
        check(
                model.registersSha256().equals(state.registersSha256()) && registers > 0,
                "end state: %d of %d registers equal the model's",
                registers,
                model.registers());
        long pages = same(model.pageSums(), state.pageSums());
        check(
                model.vramSha256().equals(state.vramSha256()) && pages > 0,
                "end state: %d of %d pages of VRAM equal the model's in all words; %d more in use",
                pages,
                model.pagesInUse(),
                state.pageSums().keySet().stream()
                        .filter(page -> !model.pageSums().containsKey(page))
                        .count());
        measured("replay.registers", registers);
        measured("replay.pagesInUse", pages);
    }

    private static <T> long same(Map<Integer, T> model, Map<Integer, T> state) {
        return model.entrySet().stream()
                .filter(one -> one.getValue().equals(state.get(one.getKey())))
                .count();
    }

    private void check(boolean right, String text, Object... values) {
        ok &= right;
        System.out.printf(
                "@gpuvm {\"event\":\"check\",\"ok\":%b,\"text\":\"%s\"}%n",
                right, text.formatted(values));
    }

    private static void measured(String name, long value) {
        System.out.printf(
                "@gpuvm {\"event\":\"measured\",\"name\":\"%s\",\"value\":%d}%n", name, value);
    }
}
