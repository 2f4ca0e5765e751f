package io.gpuvm.tests.conformance;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import io.gpuvm.daemon.ConfigException;
import io.gpuvm.tests.support.EventLines;
import java.io.PrintStream;
import org.junit.platform.engine.FilterResult;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.PostDiscoveryFilter;
import org.junit.platform.launcher.TagFilter;
import org.junit.platform.launcher.core.LauncherConfig;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/// Program that runs the conformance tests without a build tool, for instance in a virtual machine
/// that has the GPU as a PCI card. See [ConformanceOptions#HELP].
///
/// Results are written to standard output, one line each (see [EventLines]), and stack traces to
/// standard error.
public final class ConformanceMain {
    private static final int PASSED = 0;
    private static final int FAILED = 1;
    private static final int BAD_ARGUMENTS = 2;

    private ConformanceMain() {}

    /// Exits with status 0 if no test failed and at least one test ran, 2 for wrong arguments, else
    /// 1.
    public static void main(String[] arguments) {
        System.exit(run(arguments, System.out, System.err));
    }

    static int run(String[] arguments, PrintStream out, PrintStream err) {
        ConformanceOptions options;
        try {
            options = ConformanceOptions.parse(arguments);
            Place.of(options.gpu()).close();
        } catch (ConfigException | IllegalArgumentException e) {
            err.println(e.getMessage());
            return BAD_ARGUMENTS;
        }
        if (options.help()) {
            out.print(ConformanceOptions.HELP);
            return PASSED;
        }
        System.setProperty(Place.PROPERTY, options.gpu());
        EventLines lines = new EventLines(out, err);
        if (options.busy()) {
            return BusyGpu.run(out, err) ? PASSED : FAILED;
        }
        if (options.cycles() > 0) {
            Cycles.run(options.cycles(), lines);
        } else {
            runTests(options, lines);
        }
        lines.summary();
        return lines.succeeded() ? PASSED : FAILED;
    }

    private static void runTests(ConformanceOptions options, EventLines lines) {
        LauncherDiscoveryRequestBuilder request =
                LauncherDiscoveryRequestBuilder.request()
                        .selectors(Specification.TESTS.stream().map(c -> selectClass(c)).toList())
                        .filters((PostDiscoveryFilter) test -> select(options, test));
        if (!options.excludedTags().isEmpty()) {
            request.filters(TagFilter.excludeTags(options.excludedTags()));
        }
        LauncherDiscoveryRequest tests = request.build();
        LauncherConfig config =
                LauncherConfig.builder()
                        .enableLauncherSessionListenerAutoRegistration(false)
                        .enableLauncherDiscoveryListenerAutoRegistration(false)
                        .enablePostDiscoveryFilterAutoRegistration(false)
                        .enableTestExecutionListenerAutoRegistration(false)
                        .build();
        LauncherFactory.create(config).execute(tests, lines);
    }

    private static FilterResult select(ConformanceOptions options, TestDescriptor test) {
        boolean selected =
                test.getSource()
                        .filter(MethodSource.class::isInstance)
                        .map(source -> options.selects(EventLines.nameOf((MethodSource) source)))
                        .orElse(true);
        return FilterResult.includedIf(selected);
    }
}
