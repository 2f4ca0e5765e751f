package io.gpuvm.guests.real;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/// Processors of the host on which a process of a run may run.
///
/// @param numbers numbers of the processors, as Linux counts them; empty for all processors
public record HostProcessors(List<Integer> numbers) {
    /// All processors of the host.
    public static final HostProcessors ALL = new HostProcessors(List.of());

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
