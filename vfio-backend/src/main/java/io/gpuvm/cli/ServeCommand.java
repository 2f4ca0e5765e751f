package io.gpuvm.cli;

import io.gpuvm.backend.Backend;
import io.gpuvm.backend.BackendConfig;
import io.gpuvm.backend.BackendSummary;
import io.gpuvm.backend.ConfigException;
import io.gpuvm.backend.IdleMode;
import io.gpuvm.backend.VmConfig;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `gpuvm serve`: owns a GPU and serves it until it is told to stop.
@Command(
        name = "serve",
        description = "Serves a GPU to virtual machines until interrupted.",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footer = {
            "",
            "Example:",
            "  gpuvm serve --gpu soft,vram=512M --vm vm0,mode=passthrough,socket=/tmp/vm0.sock",
            "",
            "The line 'ready' on standard output says that every socket accepts connections.",
            "Logs go to standard error. A signal (Ctrl-C, SIGTERM) ends it in the orderly way, with that",
            "signal's exit status; 1 says that a part failed."
        })
final class ServeCommand implements Callable<Integer> {
    private static final Logger LOG = LoggerFactory.getLogger(ServeCommand.class);

    /// Longer than every thread may take to end.
    private static final int STOP_LIMIT_SECONDS = 20;

    @Spec private CommandSpec spec;

    @Option(
            names = "--gpu",
            paramLabel = "KIND[,KEY=VALUE]...",
            defaultValue = "soft",
            description = {
                "The GPU to own. 'soft' is a GF100 in software; keys: vram=SIZE (default 512M),",
                "copy-engines=on|off, display=on|off, gpcs=N+N+... (TPCs of each GPC, default",
                "4+4+3+3), bar1=SIZE, bar3=SIZE."
            })
    private String gpu;

    @Option(
            names = "--vm",
            required = true,
            paramLabel = "NAME,KEY=VALUE,...",
            description = {
                "A virtual machine to serve; keys: mode=passthrough (the whole GPU for one),",
                "socket=PATH (where QEMU's vfio-user-pci device connects)."
            })
    private List<String> vms;

    @Option(
            names = "--idle",
            paramLabel = "MODE",
            defaultValue = "backoff",
            description = {
                "What a VM's thread does while nothing comes: block (sleep at once), spin (never",
                "sleep while a guest is connected), backoff (spin briefly, then sleep).",
                "Default: ${DEFAULT-VALUE}."
            })
    private IdleMode idle;

    @Option(
            names = "--list-undeclared",
            description = "At exit, print the registers that guests accessed and no unit declares.")
    private boolean listUndeclared;

    @Option(
            names = "--summary",
            paramLabel = "FILE",
            description = "At exit, write counters to FILE as JSON.")
    private Path summaryFile;

    @Option(
            names = "--stats",
            paramLabel = "SECONDS",
            description = "Print the same counters as one line of JSON every so many seconds.")
    private Integer statsSeconds;

    @Override
    public Integer call() throws InterruptedException {
        if (statsSeconds != null && statsSeconds < 1) {
            throw new ConfigException("--stats %d, limit=at least 1".formatted(statsSeconds));
        }
        BackendConfig config =
                new BackendConfig(
                        BackendConfig.parseGpu(gpu),
                        vms.stream().map(VmConfig::parse).toList(),
                        idle);
        CountDownLatch stop = new CountDownLatch(1);
        CountDownLatch stopped = new CountDownLatch(1);
        AtomicBoolean failed = new AtomicBoolean();
        Backend backend =
                Backend.start(
                        config,
                        () -> {
                            failed.set(true);
                            stop.countDown();
                        });
        // The JVM ends when its hooks have returned, so the hook waits for the orderly end below.
        Runtime.getRuntime().addShutdownHook(new Thread(() -> end(stop, stopped), "gpuvm-stop"));
        try {
            config.vms().forEach(ServeCommand::explain);
            print("ready");
            awaitEnd(stop, backend);
            LOG.info("stopping");
            close(backend);
        } finally {
            stopped.countDown();
        }
        return failed.get() ? CommandLine.ExitCode.SOFTWARE : CommandLine.ExitCode.OK;
    }

    private void awaitEnd(CountDownLatch stop, Backend backend) throws InterruptedException {
        if (statsSeconds == null) {
            stop.await();
            return;
        }
        while (!stop.await(statsSeconds, TimeUnit.SECONDS)) {
            print(backend.summary().toJsonLine());
        }
    }

    private void close(Backend backend) {
        try {
            report(backend.summary());
        } finally {
            backend.close();
        }
    }

    private void print(String line) {
        PrintWriter out = spec.commandLine().getOut();
        out.println(line);
        out.flush();
    }

    private static void end(CountDownLatch stop, CountDownLatch stopped) {
        stop.countDown();
        try {
            if (!stopped.await(STOP_LIMIT_SECONDS, TimeUnit.SECONDS)) {
                LOG.error("not stopped after {} s, giving up", STOP_LIMIT_SECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void explain(VmConfig vm) {
        LOG.info(
                """
                start QEMU (10.1 or newer) for {} with
                  -object memory-backend-memfd,id=ram,size=1G,share=on -m 1G -machine q35,memory-backend=ram \
                -device '{"driver":"vfio-user-pci","socket":{"path":"{}","type":"unix"}}'\
                """,
                vm.name(),
                vm.socket().toAbsolutePath());
    }

    private void report(BackendSummary summary) {
        if (listUndeclared) {
            PrintWriter out = spec.commandLine().getOut();
            summary.printUndeclared(out);
            out.flush();
        }
        if (summaryFile != null) {
            try {
                summary.writeJson(summaryFile);
            } catch (IOException e) {
                LOG.error("--summary {}: {}", summaryFile, e.toString());
            }
        }
    }
}
