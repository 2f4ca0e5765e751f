package io.gpuvm.tests.conformance;

import java.util.ArrayList;
import java.util.List;

/// What the command line asks for. Read by hand, because a parser takes longer to load in a small
/// virtual machine than all of these take to read.
///
/// @param gpu which GPU
/// @param selected parts of names of tests, any of which selects; empty for all tests
/// @param excludedTags tags of tests to leave out
/// @param cycles how often to open and close the GPU instead of running tests, 0 for tests
/// @param busy whether to keep the GPU busy instead
/// @param help whether to explain all this instead
record ConformanceOptions(
        String gpu,
        List<String> selected,
        List<String> excludedTags,
        int cycles,
        boolean busy,
        boolean help) {
    static final String HELP =
            """
            Usage: ConformanceMain [--gpu GPU] [--select NAME].. [--exclude-tag TAG]..
                                   [--cycles N | --busy]

            Tests whether a GPU does what every GPU must do.

              --gpu GPU          soft[,KEY=VALUE].. or vfio:BDF; virtual:GPU for the virtual GPU of
                                 one of two machines that share it, virtual-naive:GPU and
                                 virtual-lazy:GPU for other ways of shadowing. Default: soft.
              --select NAME      only tests whose Class.method contains NAME; repeat for more
              --exclude-tag TAG  leaves out tests with TAG, for instance iommu-fault; repeatable
              --cycles N         opens and closes the GPU N times, with a short check each time
              --busy             keeps channels copying for ever; prints `busy` once they do and
                                 every second from then on
              --help             prints this

            Prints lines that start with @gpuvm, with a JSON object each: one for each test and one
            with the sums. Exit status: 0 all passed, 1 something failed or nothing ran, 2 bad
            arguments.
            """;

    private static final String DEFAULT_GPU = "soft";

    ConformanceOptions {
        selected = List.copyOf(selected);
        excludedTags = List.copyOf(excludedTags);
    }

    /// @throws IllegalArgumentException if something makes no sense, with what to do
    static ConformanceOptions parse(String... arguments) {
        String gpu = DEFAULT_GPU;
        List<String> selected = new ArrayList<>();
        List<String> excludedTags = new ArrayList<>();
        int cycles = 0;
        boolean busy = false;
        boolean help = false;
        for (int i = 0; i < arguments.length; i++) {
            String option = arguments[i];
            switch (option) {
                case "--gpu" -> gpu = value(arguments, ++i);
                case "--select" -> selected.add(value(arguments, ++i));
                case "--exclude-tag" -> excludedTags.add(value(arguments, ++i));
                case "--cycles" -> cycles = count(value(arguments, ++i));
                case "--busy" -> busy = true;
                case "-h", "--help" -> help = true;
                default ->
                        throw new IllegalArgumentException(option + ": unknown option, see --help");
            }
        }
        if (busy && cycles > 0) {
            throw new IllegalArgumentException("--busy and --cycles: only one of them");
        }
        return new ConformanceOptions(gpu, selected, excludedTags, cycles, busy, help);
    }

    /// Whether a test is to run.
    boolean selects(String test) {
        return selected.isEmpty() || selected.stream().anyMatch(test::contains);
    }

    private static String value(String[] arguments, int at) {
        if (at == arguments.length) {
            throw new IllegalArgumentException(arguments[at - 1] + ": needs a value");
        }
        return arguments[at];
    }

    private static int count(String text) {
        try {
            int number = Integer.parseInt(text);
            if (number > 0) {
                return number;
            }
        } catch (NumberFormatException _) {
            // The message below says it.
        }
        throw new IllegalArgumentException("--cycles=" + text + ", limit=a number above 0");
    }
}
