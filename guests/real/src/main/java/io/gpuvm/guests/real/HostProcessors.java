package io.gpuvm.guests.real;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Processors of the host on which a process of a run may run.
///
/// @param numbers numbers of the processors, as Linux counts them; empty for all processors
public record HostProcessors(List<Integer> numbers) {
    /// All processors of the host.
    public static final HostProcessors ALL = new HostProcessors(List.of());

    /// Line of `/proc/PID/status` with the processors that a process may use (proc(5)).
    private static final String ALLOWED = "Cpus_allowed_list:";

    /// Program that restricts a process to processors. It belongs to util-linux, an essential
    /// package.
    private static final String TASKSET = "/usr/bin/taskset";

    /// @throws IllegalArgumentException if a number is negative
    public HostProcessors {
        numbers = List.copyOf(numbers);
        for (int number : numbers) {
            if (number < 0) {
                throw new IllegalArgumentException(
                        "processor=%d, expected at least 0".formatted(number));
            }
        }
    }

    /// Returns the processors with the given numbers.
    public static HostProcessors of(Integer... numbers) {
        return new HostProcessors(List.of(numbers));
    }

    /// Returns the processors that this process may use, in ascending order.
    public static HostProcessors available() {
        try (Stream<String> lines = Files.lines(Path.of("/proc/self/status"))) {
            return parse(
                    lines.filter(line -> line.startsWith(ALLOWED))
                            .map(line -> line.substring(ALLOWED.length()).strip())
                            .findFirst()
                            .orElse("0"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Parses a list of numbers in the format of Linux, for instance `0-2,5`.
    static HostProcessors parse(String list) {
        List<Integer> numbers = new ArrayList<>();
        for (String part : list.split(",")) {
            String[] ends = part.split("-");
            int last = Integer.parseInt(ends[ends.length - 1]);
            for (int number = Integer.parseInt(ends[0]); number <= last; number++) {
                numbers.add(number);
            }
        }
        return new HostProcessors(numbers);
    }

    /// Returns the command line that runs a command on these processors only.
    public List<String> run(List<String> command) {
        if (numbers.isEmpty()) {
            return command;
        }
        List<String> restricted = new ArrayList<>(List.of(TASKSET, "--cpu-list", text()));
        restricted.addAll(command);
        return restricted;
    }

    /// Returns the command line that moves a running thread to these processors.
    ///
    /// @param id Linux's id of the thread
    public List<String> moveThread(long id) {
        return List.of(TASKSET, "--cpu-list", "--pid", text(), String.valueOf(id));
    }

    /// Returns the command line that moves all threads of a running process to these processors.
    public List<String> moveProcess(long pid) {
        return List.of(TASKSET, "--all-tasks", "--cpu-list", "--pid", text(), String.valueOf(pid));
    }

    /// Returns the numbers, separated by commas.
    public String text() {
        return numbers.stream().map(String::valueOf).collect(Collectors.joining(","));
    }
}
