package io.gpuvm.tests.conformance;

import java.util.ArrayList;
import java.util.List;

/// Command line. Parsed by hand, because in a small virtual machine, loading the classes of a
/// parser takes longer than parsing all options.
///
/// @param gpu GPU to test
/// @param selected parts of test names, any of which selects a test; empty for all tests
/// @param excludedTags tags of tests to omit
/// @param cycles number of times to open and close the GPU instead of running tests; 0 to run tests
/// @param busy whether to keep the GPU busy instead of running tests
/// @param help whether to print the help text instead of running tests
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

            Test a GPU against the specification of all GPUs.

              --gpu GPU          soft[,KEY=VALUE].. or vfio:BDF; virtual:GPU for the virtual GPU of
                                 one of two machines that share GPU, virtual-naive:GPU and
                                 virtual-lazy:GPU for other shadowing strategies;
                                 passthrough:GPU for a guest's only GPU. Default: soft.
              --select NAME      part of Class.method of the tests to run; repeatable
              --exclude-tag TAG  tag of tests to omit, for instance iommu-fault; repeatable
              --cycles N         open and close the GPU N times, with a short check per cycle
              --busy             keep channels copying indefinitely; print `busy` when the copies
                                 have begun, and then once per second
              --help             print this text

            Output: lines that start with @gpuvm, each with a JSON object: one line per test and a
            last line with the totals. Exit status: 0 all passed, 1 a test failed or none ran, 2
            wrong arguments.
            """;

    private static final String DEFAULT_GPU = "soft";

    ConformanceOptions {
        selected = List.copyOf(selected);
        excludedTags = List.copyOf(excludedTags);
    }

    /// @throws IllegalArgumentException if an argument is invalid, with the reason
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
            throw new IllegalArgumentException("--busy: not valid with --cycles");
        }
        return new ConformanceOptions(gpu, selected, excludedTags, cycles, busy, help);
    }

    /// Returns whether a test is selected.
    boolean selects(String test) {
        return selected.isEmpty() || selected.stream().anyMatch(test::contains);
    }

    private static String value(String[] arguments, int at) {
        if (at == arguments.length) {
            throw new IllegalArgumentException(arguments[at - 1] + ": expected a value");
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
            // The exception below contains the message.
        }
        throw new IllegalArgumentException("--cycles=" + text + ", expected a number above 0");
    }
}
