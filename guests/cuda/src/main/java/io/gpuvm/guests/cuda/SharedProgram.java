package io.gpuvm.guests.cuda;

import io.gpuvm.statistics.Samples;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Program that runs in several places, with its durations. One thread.
final class SharedProgram {
    private static final int PARTS = 3;

    private final String name;
    private final String folder;
    private final String command;
    private final Map<String, List<Long>> ns = new LinkedHashMap<>();
    private final Map<String, List<Long>> hostNs = new LinkedHashMap<>();
    private String failure;

    private SharedProgram(String name, String folder, String command) {
        this.name = name;
        this.folder = folder;
        this.command = command;
    }

    /// Parses `NAME|FOLDER|COMMAND`. The first word of the command is the program's file.
    ///
    /// @throws IllegalArgumentException if the line has another form
    static SharedProgram parse(String line) {
        String[] parts = line.split("\\|", PARTS);
        if (parts.length != PARTS || parts[1].contains(" ") || parts[2].isBlank()) {
            throw new IllegalArgumentException(
                    "line=%s, expected NAME|FOLDER|COMMAND".formatted(line));
        }
        return new SharedProgram(parts[0], parts[1], parts[2].strip());
    }

    String name() {
        return name;
    }

    String folder() {
        return folder;
    }

    String command() {
        return command;
    }

    /// Returns the name of the program's file in its folder.
    String file() {
        return command.split(" ")[0];
    }

    /// Adds the result of a round.
    ///
    /// @param isCounted false for a warm-up, which must succeed, too
    void add(String place, TimedPlace.Run run, boolean isCounted) {
        if (run.status() != 0) {
            failure = "%s: exit status %d: %s".formatted(place, run.status(), run.last());
        } else if (isCounted) {
            ns.computeIfAbsent(place, _ -> new ArrayList<>()).add(run.ns());
            hostNs.computeIfAbsent(place, _ -> new ArrayList<>()).add(run.hostNs());
        }
    }

    boolean hasFailed() {
        return failure != null;
    }

    /// Returns the reason of the failure, or null.
    String failure() {
        return failure;
    }

    /// Returns the median duration in a place, in milliseconds.
    double medianMs(String place) {
        return Samples.of(ns.get(place)).median() / 1e6;
    }

    /// Returns the duration of all runs in a place by its clock, divided by that by the host's
    /// clock, which also counts the requests and answers.
    double clock(String place) {
        return (double) sum(ns.get(place)) / sum(hostNs.get(place));
    }

    private static long sum(List<Long> times) {
        return times.stream().mapToLong(Long::longValue).sum();
    }

    /// Returns the ratios of the durations in two places in the same rounds.
    Samples ratio(String place, String base) {
        List<Double> ratios = new ArrayList<>();
        for (int i = 0; i < ns.get(place).size(); i++) {
            ratios.add((double) ns.get(place).get(i) / ns.get(base).get(i));
        }
        return Samples.of(ratios);
    }
}
