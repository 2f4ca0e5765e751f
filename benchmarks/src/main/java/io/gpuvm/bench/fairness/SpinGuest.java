package io.gpuvm.bench.fairness;

import io.gpuvm.guests.real.Children;
import io.gpuvm.guests.real.HostProcessors;
import io.gpuvm.guests.real.JvmOptions;
import io.gpuvm.guests.real.RunFolder;
import io.gpuvm.guests.real.ThisBuild;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// Guest that runs `gpuvm spin`, as a separate process.
final class SpinGuest {
    /// Options for a small JVM, because each guest is one JVM.
    private static final List<String> JVM =
            List.of(JvmOptions.kernels(), "-Xmx128m", "-XX:CICompilerCount=2");

    private static final int READY_LIMIT_SECONDS = 120;
    private static final int END_LIMIT_SECONDS = 60;
    private static final int SHOWN_LINES = 10;

    private final int vm;
    private final GuestPlan plan;
    private final int seconds;
    private final Path trace;
    private final Path log;
    private final Process process;
    private final CompletableFuture<String> ready;

    private SpinGuest(
            int vm,
            GuestPlan plan,
            int seconds,
            HostProcessors on,
            RunFolder folder,
            Children children) {
        this.vm = vm;
        this.plan = plan;
        this.seconds = seconds;
        trace = folder.path().resolve(plan.name() + ".csv");
        log = folder.path().resolve(plan.name() + ".log");
        List<String> arguments = plan.arguments(folder.socket(plan.name()), trace, seconds);
        process = children.startTalking(on.run(ThisBuild.gpuvm(JVM, arguments)), log);
        ready = CompletableFuture.supplyAsync(this::firstLine);
    }

    /// @param vm number of the guest's virtual machine
    /// @param seconds duration of the guest's work
    /// @param on processors of the guest
    static SpinGuest start(
            int vm,
            GuestPlan plan,
            int seconds,
            HostProcessors on,
            RunFolder folder,
            Children children) {
        return new SpinGuest(vm, plan, seconds, on, folder, children);
    }

    /// Waits until the guest has warmed up.
    void awaitReady() throws InterruptedException {
        try {
            String line = ready.get(READY_LIMIT_SECONDS, TimeUnit.SECONDS);
            if (!"ready".equals(line)) {
                throw failed("first line='%s', expected 'ready'".formatted(line));
            }
        } catch (TimeoutException _) {
            throw failed("not ready, limit=%d s".formatted(READY_LIMIT_SECONDS));
        } catch (ExecutionException e) {
            throw failed(e.getCause().toString());
        }
    }

    /// @param atNs start time by the host's monotonic clock
    void go(long atNs) {
        try {
            Writer input = process.outputWriter(StandardCharsets.UTF_8);
            input.write("go %d%n".formatted(atNs));
            input.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Waits for the guest's end.
    GuestTrace end() throws InterruptedException {
        if (!process.waitFor(seconds + END_LIMIT_SECONDS, TimeUnit.SECONDS)) {
            throw failed("still running, limit=%d s".formatted(seconds + END_LIMIT_SECONDS));
        }
        if (process.exitValue() != 0) {
            throw failed("exit status=%d, expected=0".formatted(process.exitValue()));
        }
        return GuestTrace.read(vm, trace);
    }

    private String firstLine() {
        try {
            return process.inputReader(StandardCharsets.UTF_8).readLine();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private IllegalStateException failed(String why) {
        return new IllegalStateException(
                "%s: %s; its log:%n%s"
                        .formatted(
                                plan.name(),
                                why,
                                String.join("\n", RunFolder.tail(log, SHOWN_LINES))));
    }
}
