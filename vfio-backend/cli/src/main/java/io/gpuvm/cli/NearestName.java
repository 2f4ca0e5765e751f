package io.gpuvm.cli;

import java.util.Collection;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.UnmatchedArgumentException;

/// Search for the name that a user probably meant, as picocli searches for that of an option.
final class NearestName {
    private static final String PREFIX = "--";

    private NearestName() {}

    /// Returns the known name that is most similar to an unknown one; null if none is similar.
    static String of(String unknown, Collection<String> known) {
        CommandSpec spec = CommandSpec.create();
        for (String name : known) {
            spec.addOption(OptionSpec.builder(PREFIX + name).build());
        }
        List<String> similar =
                new UnmatchedArgumentException(new CommandLine(spec), List.of(PREFIX + unknown))
                        .getSuggestions();
        return similar.isEmpty() ? null : similar.getFirst().substring(PREFIX.length());
    }
}
