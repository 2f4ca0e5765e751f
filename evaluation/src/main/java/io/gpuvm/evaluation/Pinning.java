package io.gpuvm.evaluation;

import io.gpuvm.guests.real.Children;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/// Assignment of processes and threads to processors, by `taskset`.
final class Pinning {
    /// Program of util-linux, an essential package.
    private static final String TASKSET = "/usr/bin/taskset";

    private static final Path NO_LOG = Path.of("/dev/null");

    private Pinning() {}

    /// Returns the command line that runs a command on some processors only.
    static List<String> command(List<Integer> processors, List<String> command) {
        List<String> pinned = new ArrayList<>(List.of(TASKSET, "--cpu-list", text(processors)));
        pinned.addAll(command);
        return pinned;
    }

    /// Moves running threads to processors.
    ///
    /// @param log file to which errors are appended
    /// @throws GuestLostException if Linux refuses
    static void move(List<Long> threads, List<Integer> processors, Children children, Path log)
            throws InterruptedException {
        for (long thread : threads) {
            List<String> command =
                    List.of(TASKSET, "--cpu-list", "--pid", text(processors), "" + thread);
            requireSuccess("thread", thread, children.start(command, log, log).waitFor());
        }
    }

    /// Moves all threads of this process to processors. Processes that it starts later begin there,
    /// too.
    ///
    /// @throws GuestLostException if Linux refuses
    static void moveThisProcess(List<Integer> processors, Children children)
            throws InterruptedException {
        long pid = ProcessHandle.current().pid();
        List<String> command =
                List.of(TASKSET, "--all-tasks", "--cpu-list", "--pid", text(processors), "" + pid);
        requireSuccess("process", pid, children.start(command, NO_LOG, NO_LOG).waitFor());
    }

    private static void requireSuccess(String kind, long id, int status) {
        if (status != 0) {
            throw new GuestLostException(
                    "taskset of %s %d: exit status %d".formatted(kind, id, status));
        }
    }

    private static String text(List<Integer> processors) {
        return processors.stream().map(String::valueOf).collect(Collectors.joining(","));
    }
}
