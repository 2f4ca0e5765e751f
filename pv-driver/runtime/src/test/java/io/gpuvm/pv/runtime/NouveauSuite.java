package io.gpuvm.pv.runtime;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.io.PrintStream;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.TagFilter;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherConfig;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/// Runs the runtime's tests on the GPU of the machine's nouveau, without a build tool: the tests
/// that [NativeTransport][io.gpuvm.pv.bare.NativeTransport] passes on a software GPU.
///
/// Prints one line for each test, and a last line with the numbers.
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

    private NouveauSuite() {}

    /// Exits with status 0 if no test failed and at least one passed.
    ///
    /// @param names simple names of test classes, optionally with `#METHOD`; none for all
    public static void main(String[] names) {
        System.setProperty(TestContext.NOUVEAU, System.getProperty(TestContext.NOUVEAU, ""));
        LauncherDiscoveryRequestBuilder request =
                LauncherDiscoveryRequestBuilder.request().filters(TagFilter.excludeTags("long"));
        for (Class<?> type : TESTS) {
            if (names.length == 0) {
                request.selectors(selectClass(type));
            }
            for (String name : names) {
                String[] parts = name.split("#");
                if (parts[0].equals(type.getSimpleName())) {
                    request.selectors(
                            parts.length == 1
                                    ? selectClass(type)
                                    : DiscoverySelectors.selectMethod(type, parts[1]));
                }
            }
        }
        Results results = new Results(System.out);
        LauncherConfig config =
                LauncherConfig.builder()
                        .enableLauncherSessionListenerAutoRegistration(false)
                        .enableLauncherDiscoveryListenerAutoRegistration(false)
                        .enablePostDiscoveryFilterAutoRegistration(false)
                        .enableTestExecutionListenerAutoRegistration(false)
                        .build();
        LauncherFactory.create(config).execute(request.build(), results);
        System.exit(results.summarize() ? 0 : 1);
    }

    /// Printer of results.
    private static final class Results implements TestExecutionListener {
        private final PrintStream out;
        private final Map<String, Long> startedNs = new HashMap<>();
        private int passed;
        private int failed;
        private int skipped;

        Results(PrintStream out) {
            this.out = out;
        }

        @Override
        public void executionStarted(TestIdentifier test) {
            startedNs.put(test.getUniqueId(), System.nanoTime());
        }

        @Override
        public void executionSkipped(TestIdentifier test, String reason) {
            skipped++;
            out.printf("skipped: %s: %s%n", name(test), reason);
        }

        @Override
        public void executionFinished(TestIdentifier test, TestExecutionResult result) {
            long ns = System.nanoTime() - startedNs.remove(test.getUniqueId());
            long ms = TimeUnit.NANOSECONDS.toMillis(ns);
            Throwable why = result.getThrowable().orElse(null);
            switch (result.getStatus()) {
                case SUCCESSFUL -> {
                    if (test.isTest()) {
                        passed++;
                        out.printf("passed: %s, ms=%d%n", name(test), ms);
                    }
                }
                case ABORTED -> {
                    skipped++;
                    out.printf(
                            "skipped: %s: %s%n", name(test), why == null ? "" : why.getMessage());
                }
                case FAILED -> {
                    failed++;
                    out.printf("FAILED: %s, ms=%d: %s%n", name(test), ms, why);
                    if (why != null) {
                        why.printStackTrace(out);
                    }
                }
            }
            out.flush();
        }

        boolean summarize() {
            out.printf("tests: passed=%d, failed=%d, skipped=%d%n", passed, failed, skipped);
            out.flush();
            return failed == 0 && passed > 0;
        }

        private static String name(TestIdentifier test) {
            return test.getSource().orElse(null) instanceof MethodSource method
                    ? method.getClassName().replaceFirst(".*\\.", "") + '.' + method.getMethodName()
                    : test.getDisplayName();
        }
    }
}
