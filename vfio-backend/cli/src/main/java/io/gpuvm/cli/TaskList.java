package io.gpuvm.cli;

import io.gpuvm.daemon.ConfigException;
import io.gpuvm.gf100.unit.ByteSize;
import io.gpuvm.workloads.Workload;
import io.gpuvm.workloads.Workloads;
import io.gpuvm.workloads.measure.Task;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Tasks of `gpuvm run`, from its arguments `WORKLOAD[=SIZE]`.
final class TaskList {
    private static final String ALL = "all";

    /// Workload of an argument; the size is null without `=SIZE`. A workload with parameters, such
    /// as `mix:share=30`, has no size here.
    private record Named(String name, Integer size) {
        static Named parse(String argument) {
            int equals = argument.indexOf('=');
            return equals < 0 || argument.indexOf(':') >= 0
                    ? new Named(argument, null)
                    : new Named(argument.substring(0, equals), size(argument, equals + 1));
        }

        private static int size(String argument, int from) {
            try {
                return Math.toIntExact(ByteSize.parse("size", argument.substring(from)));
            } catch (IllegalArgumentException | ArithmeticException e) {
                throw new ConfigException(
                        "%s: expected WORKLOAD=SIZE, with a size up to %d, for instance cpy=1M"
                                .formatted(argument, Integer.MAX_VALUE),
                        e);
            }
        }
    }

    private TaskList() {}

    /// Returns the tasks of the arguments, in order. `all` stands for the workloads that no other
    /// argument names.
    ///
    /// @param size size of workloads without `=SIZE`, or null for their usual sizes
    /// @throws ConfigException if there are no arguments, or if an argument is invalid
    static List<Task> of(List<String> arguments, Integer size) {
        if (arguments.isEmpty()) {
            throw new ConfigException(
                    "WORKLOAD is missing; 'gpuvm run --list' prints all workloads");
        }
        List<Named> named = arguments.stream().map(Named::parse).toList();
        Set<String> others = new HashSet<>();
        named.forEach(one -> others.add(one.name()));
        List<Task> tasks = new ArrayList<>();
        for (Named one : named) {
            Integer ownSize = one.size() == null ? size : one.size();
            if (one.name().equals(ALL)) {
                Workloads.all().stream()
                        .filter(workload -> !others.contains(workload.name()))
                        .forEach(workload -> tasks.add(task(workload, ownSize)));
            } else {
                tasks.add(task(workload(one.name()), ownSize));
            }
        }
        return List.copyOf(tasks);
    }

    private static Task task(Workload workload, Integer size) {
        try {
            return size == null ? Task.usual(workload) : new Task(workload, size);
        } catch (IllegalArgumentException e) {
            throw new ConfigException(workload.name() + ": " + e.getMessage(), e);
        }
    }

    private static Workload workload(String name) {
        try {
            return Workloads.named(name);
        } catch (IllegalArgumentException e) {
            throw new ConfigException(e.getMessage(), e);
        }
    }
}
