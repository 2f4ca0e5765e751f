package io.gpuvm.guests.real;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Processors of guests and processors of backends, so that the two do not delay each other. Guests
/// have the first half; if there is only one processor, guests and backends share it.
///
/// @param guests processors of QEMU and of programs
/// @param backends processors of backends and of the native GPU's threads
public record ProcessorSplit(HostProcessors guests, HostProcessors backends) {
    /// @param available numbers of the processors that this process may use, in ascending order; at
    ///   least one
    public static ProcessorSplit of(List<Integer> available) {
        int half = available.size() / 2;
        return half == 0
                ? new ProcessorSplit(new HostProcessors(available), new HostProcessors(available))
                : new ProcessorSplit(
                        new HostProcessors(available.subList(0, half)),
                        new HostProcessors(available.subList(half, available.size())));
    }

    /// Returns all processors, in ascending order.
    public HostProcessors all() {
        return new HostProcessors(
                Stream.concat(guests.numbers().stream(), backends.numbers().stream())
                        .distinct()
                        .sorted()
                        .toList());
    }

    /// Returns a description for readers.
    public String described() {
        return "guest on %s, backend on %s".formatted(text(guests), text(backends));
    }

    private static String text(HostProcessors processors) {
        return (processors.numbers().size() == 1 ? "processor " : "processors ")
                + processors.numbers().stream()
                        .map(String::valueOf)
                        .collect(Collectors.joining(", "));
    }
}
