package io.gpuvm.pv.runtime;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import io.gpuvm.tests.support.EventLines;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TagFilter;
import org.junit.platform.launcher.core.LauncherConfig;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/// Program that runs the runtime's tests on the GPU of the machine's nouveau, without a build tool:
/// the tests that [NativeTransport][io.gpuvm.pv.bare.NativeTransport] passes on a software GPU.
///
/// Results are written to standard output, one line each (see [EventLines]), and stack traces to
/// standard error.
public final class NouveauSuite {
    private static final List<Class<?>> TESTS =
            List.of(
                    CopyTest.class,
                    MemoryTest.class,
                    LaunchTest.class,
                    LaunchLimitsTest.class,
                    GpuTextureTest.class,
                    StreamTest.class,
                    ManyThreadsTest.class,
                    FailureTest.class,
                    EndingTest.class);

    /// Option for a GPU that a backend shares among virtual machines.
    private static final String SHARED_OPTION = "--shared";

    private NouveauSuite() {}

    /// Exits with status 0 if no test failed and at least one passed, else 1.
    ///
    /// @param arguments names of tests, as in the results: `CopyTest` or `CopyTest.METHOD`; no name
    ///   for all tests. `--shared` if a backend shares the GPU among virtual machines
    public static void main(String[] arguments) {
        List<String> names = new ArrayList<>(List.of(arguments));
        System.setProperty(TestContext.NOUVEAU, System.getProperty(TestContext.NOUVEAU, ""));
        if (names.remove(SHARED_OPTION)) {
            System.setProperty(TestContext.SHARED, "true");
        }
        EventLines lines = new EventLines(System.out, System.err);
        LauncherConfig config =
                LauncherConfig.builder()
                        .enableLauncherSessionListenerAutoRegistration(false)
                        .enableLauncherDiscoveryListenerAutoRegistration(false)
                        .enablePostDiscoveryFilterAutoRegistration(false)
                        .enableTestExecutionListenerAutoRegistration(false)
                        .build();
        LauncherFactory.create(config).execute(request(names), lines);
        lines.summary();
        System.exit(lines.succeeded() ? 0 : 1);
    }

    private static LauncherDiscoveryRequest request(List<String> names) {
        Stream<? extends DiscoverySelector> selectors =
                names.isEmpty()
                        ? TESTS.stream().map(type -> selectClass(type))
                        : names.stream().map(NouveauSuite::selector);
        return LauncherDiscoveryRequestBuilder.request()
                .selectors(selectors.toList())
                .filters(TagFilter.excludeTags("long"))
                .build();
    }

    private static DiscoverySelector selector(String name) {
        String[] parts = name.split("\\.", 2);
        String type = NouveauSuite.class.getPackageName() + '.' + parts[0];
        return parts.length == 1 ? selectClass(type) : selectMethod(type, parts[1]);
    }
}
