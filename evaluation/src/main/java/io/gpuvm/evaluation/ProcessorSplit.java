package io.gpuvm.evaluation;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Processors of guests and of backends, so that the two do not delay each other. Guests have the
/// first half; with one processor, both share it.
///
/// @param guests numbers of the processors of QEMU and of programs
/// @param backends numbers of the processors of backends and of the native GPU's threads
record ProcessorSplit(List<Integer> guests, List<Integer> backends) {
    /// @param available processors that this process may use, in ascending order; at least one
    static ProcessorSplit of(List<Integer> available) {
        int half = available.size() / 2;
        return half == 0
                ? new ProcessorSplit(available, available)
                : new ProcessorSplit(
                        List.copyOf(available.subList(0, half)),
                        List.copyOf(available.subList(half, available.size())));
    }

    /// Returns the numbers of all processors, in ascending order.
    List<Integer> all() {
        return Stream.concat(guests.stream(), backends.stream()).distinct().sorted().toList();
    }

    /// Returns a description for readers.
    String described() {
        return "guest on %s, backend on %s".formatted(text(guests), text(backends));
    }

    private static String text(List<Integer> processors) {
        return (processors.size() == 1 ? "processor " : "processors ")
                + processors.stream().map(String::valueOf).collect(Collectors.joining(", "));
    }
}
