package io.gpuvm.cuda.compiler;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// Parsed command line of the compiler driver. Immutable.
///
/// @param values values of each option that occurs, in their order; an empty text for flags
/// @param inputs files
/// @param forwarded unknown options, which are for the host's compiler
record CcArguments(
        Map<CcOption, List<String>> values, List<String> inputs, List<String> forwarded) {
    CcArguments {
        Map<CcOption, List<String>> copies = new EnumMap<>(CcOption.class);
        values.forEach((option, all) -> copies.put(option, List.copyOf(all)));
        values = copies;
        inputs = List.copyOf(inputs);
        forwarded = List.copyOf(forwarded);
    }

    boolean has(CcOption option) {
        return values.containsKey(option);
    }

    /// Returns all values of an option.
    List<String> all(CcOption option) {
        return values.getOrDefault(option, List.of());
    }

    /// Returns the last value of an option, or a default if the option is absent.
    String last(CcOption option, String otherwise) {
        return has(option) ? all(option).getLast() : otherwise;
    }

    /// Returns the words of an option whose values are lists of options, divided by commas or
    /// blanks.
    List<String> words(CcOption option) {
        return all(option).stream()
                .flatMap(value -> Stream.of(value.split("[,\\s]+")))
                .filter(word -> !word.isEmpty())
                .toList();
    }

    /// Returns the value of an option that is true or false.
    boolean isTrue(CcOption option, boolean otherwise) {
        return switch (last(option, Boolean.toString(otherwise))) {
            case "true" -> true;
            case "false" -> false;
            default ->
                    throw CcException.usage(
                            "%s=%s, expected true or false"
                                    .formatted(option.names().getFirst(), last(option, "")));
        };
    }

    /// Returns the name of the result that the user has specified, or null.
    Path output() {
        return has(CcOption.OUTPUT) ? Path.of(last(CcOption.OUTPUT, "")) : null;
    }

    /// Returns whether functions and variables of the GPU may be defined in other sources.
    boolean isRelocatable() {
        if (has(CcOption.DEVICE_C)) {
            return true;
        }
        return !has(CcOption.DEVICE_W) && isTrue(CcOption.RELOCATABLE, false);
    }

    /// Returns whether the GPU's code is not optimized.
    boolean isDeviceDebug() {
        return has(CcOption.DEVICE_DEBUG);
    }

    /// Returns whether the GPU's code has lines.
    boolean hasLines() {
        return has(CcOption.DEBUG) || has(CcOption.DEVICE_DEBUG) || has(CcOption.LINES);
    }

    /// Returns all GPUs that the user has named, as values of `-arch` or `arch=`.
    List<String> architectures() {
        List<String> names = new ArrayList<>(all(CcOption.ARCHITECTURE));
        for (String generated : all(CcOption.GENERATE)) {
            for (String part : generated.split(",")) {
                if (part.strip().startsWith("arch=")) {
                    names.add(part.strip().substring("arch=".length()));
                }
            }
        }
        return names;
    }
}
