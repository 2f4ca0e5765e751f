package io.gpuvm.tests.support;

import java.io.PrintStream;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;

/// Writer of the results of tests for the process that observes the machine from outside:
///
/// ```text
/// @gpuvm {"event":"test","name":"Class.method","result":"pass","ms":12}
/// @gpuvm {"event":"test","name":"Class.method","result":"fail","ms":12,"reason":".."}
/// @gpuvm {"event":"tests","passed":1,"failed":1,"skipped":0}
/// ```
public final class EventLines implements TestExecutionListener {
    private final PrintStream out;
    private final PrintStream err;
    private final Map<String, Long> startedNs = new HashMap<>();
    private int passed;
    private int failed;
    private int skipped;

    /// @param out stream of the lines
    /// @param err stream of stack traces
    public EventLines(PrintStream out, PrintStream err) {
        this.out = out;
        this.err = err;
    }

    /// Returns the name of a test.
    public static String nameOf(MethodSource method) {
        return simpleName(method.getClassName()) + '.' + method.getMethodName();
    }

    /// Reports a test that passed.
    ///
    /// @param startNs start of the test, by [System#nanoTime()]
    public void passed(String name, long startNs) {
        passed++;
        line(name, "pass", startNs, null);
    }

    /// Reports a test that failed.
    ///
    /// @param startNs start of the test, by [System#nanoTime()]
    public void failed(String name, long startNs, Throwable why) {
        failed++;
        err.println(name);
        why.printStackTrace(err);
        line(name, "fail", startNs, String.valueOf(why.getMessage()));
    }

    /// Returns whether no test failed and at least one passed.
    public boolean succeeded() {
        return failed == 0 && passed > 0;
    }

    /// Prints the last line.
    public void summary() {
        out.printf(
                "@gpuvm {\"event\":\"tests\",\"passed\":%d,\"failed\":%d,\"skipped\":%d}%n",
                passed, failed, skipped);
        out.flush();
    }

    @Override
    public void executionStarted(TestIdentifier test) {
        startedNs.put(test.getUniqueId(), System.nanoTime());
    }

    @Override
    public void executionSkipped(TestIdentifier test, String reason) {
        skipped(nameOf(test), System.nanoTime(), reason);
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
        long startNs = startedNs.remove(test.getUniqueId());
        Throwable why = result.getThrowable().orElse(null);
        switch (result.getStatus()) {
            case SUCCESSFUL -> {
                if (test.isTest()) {
                    passed(nameOf(test), startNs);
                }
            }
            case ABORTED -> skipped(nameOf(test), startNs, why == null ? null : why.getMessage());
            case FAILED ->
                    failed(nameOf(test), startNs, why == null ? new AssertionError("failed") : why);
        }
    }

    private void skipped(String name, long startNs, String reason) {
        skipped++;
        line(name, "skip", startNs, reason);
    }

    private static String nameOf(TestIdentifier test) {
        return switch (test.getSource().orElse(null)) {
            case MethodSource method -> nameOf(method);
            case ClassSource type -> simpleName(type.getClassName());
            case null, default -> test.getDisplayName();
        };
    }

    private static String simpleName(String className) {
        return className.substring(className.lastIndexOf('.') + 1);
    }

    private void line(String name, String result, long startNs, String reason) {
        long ms = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNs);
        StringBuilder line = new StringBuilder("@gpuvm {\"event\":\"test\",\"name\":");
        quote(line, name).append(",\"result\":\"").append(result).append("\",\"ms\":").append(ms);
        if (reason != null) {
            quote(line.append(",\"reason\":"), reason);
        }
        out.println(line.append('}'));
        out.flush();
    }

    /// Appends a JSON string. ASCII characters that need no escape are unchanged; all other
    /// characters are written as code units.
    private static StringBuilder quote(StringBuilder line, String text) {
        line.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                line.append('\\').append(c);
            } else if (c >= ' ' && c <= '~') {
                line.append(c);
            } else {
                line.append("\\u%04x".formatted((int) c));
            }
        }
        return line.append('"');
    }
}
