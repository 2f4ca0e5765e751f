package io.gpuvm.cli;

import io.gpuvm.daemon.Backend;
import io.gpuvm.daemon.BackendConfig;
import io.gpuvm.daemon.BackendSummary;
import io.gpuvm.daemon.ConfigException;
import io.gpuvm.daemon.NetworkService;
import io.gpuvm.daemon.PvVia;
import io.gpuvm.daemon.VmConfig;
import io.gpuvm.gf100.device.GpuDeviceException;
import io.gpuvm.linux.NotifySocket;
import io.gpuvm.metrics.MetricsServer;
import io.gpuvm.remote.session.VirtualMachines;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;

/// A backend, from its start to its shutdown by a signal or by the failure of a part.
///
/// At most one per process: it ends with the JVM.
final class Service {
    private static final Logger LOG = LoggerFactory.getLogger(Service.class);

    /// Deadline for the shutdown, longer than the deadline of each thread.
    private static final int STOP_LIMIT_SECONDS = 20;

    private final ServiceOptions options;
    private final PrintWriter out;
    private final Shutdown shutdown = new Shutdown(STOP_LIMIT_SECONDS);

    /// Starts the service of programs on other hosts with the virtual machines; null if there is
    /// none.
    private final Function<VirtualMachines, NetworkService> network;

    /// Reads the configuration again; null if it cannot change.
    private final Supplier<BackendConfig> reread;

    private final NotifySocket manager = NotifySocket.ofEnvironment();

    /// Address of the metrics; null if they are not served.
    private final InetSocketAddress metrics;

    /// @param out target of the line `ready` and of counters
    Service(ServiceOptions options, PrintWriter out) {
        this(options, out, null, null, null);
    }

    /// @param out target of the line `ready` and of counters
    /// @param network starts the service of programs on other hosts, with the virtual machines;
    ///   null for none
    /// @param metrics address of the metrics; null if they are not served
    /// @param reread reads the configuration again; null if it cannot change
    Service(
            ServiceOptions options,
            PrintWriter out,
            Function<VirtualMachines, NetworkService> network,
            InetSocketAddress metrics,
            Supplier<BackendConfig> reread) {
        this.options = options;
        this.out = out;
        this.network = network;
        this.metrics = metrics;
        this.reread = reread;
    }

    /// Serves until the shutdown.
    ///
    /// @return exit status
    /// @throws ConfigException if the configuration cannot be served
    int serve(BackendConfig config) throws InterruptedException {
        Backend backend = start(config);
        shutdown.onSignals();
        try {
            config.vms().forEach(Service::explain);
            serve(backend);
        } finally {
            shutdown.complete();
        }
        return shutdown.hasFailed() ? CommandLine.ExitCode.SOFTWARE : CommandLine.ExitCode.OK;
    }

    private void serve(Backend backend) throws InterruptedException {
        NetworkService others = null;
        MetricsServer scraped = null;
        try (ServiceStates states = new ServiceStates(manager, backend)) {
            scraped = metrics == null ? null : startMetrics(backend);
            others = network == null ? null : network.apply(backend);
            if (others != null) {
                print("listen=" + others.address());
            }
            if (reread != null) {
                states.reloadOnSignal();
            }
            print("ready");
            states.ready();
            awaitEnd(backend, states);
            LOG.info("stopping");
        } finally {
            if (others != null) {
                others.close();
            }
            if (scraped != null) {
                scraped.close();
            }
            close(backend);
        }
    }

    private MetricsServer startMetrics(Backend backend) {
        try {
            return MetricsServer.start(metrics, backend.counters()::read);
        } catch (UncheckedIOException e) {
            throw new ConfigException(
                    "--metrics %s:%d: %s"
                            .formatted(
                                    metrics.getHostString(),
                                    metrics.getPort(),
                                    e.getCause().getMessage()),
                    e);
        }
    }

    private Backend start(BackendConfig config) {
        try {
            return Backend.start(config, shutdown::fail, options.logs(), reread);
        } catch (GpuDeviceException e) {
            throw new ConfigException("--gpu: " + e.getMessage(), e);
        }
    }

    /// Waits for the shutdown; meanwhile prints counters, and asks for signs of life.
    private void awaitEnd(Backend backend, ServiceStates states) throws InterruptedException {
        Duration stats =
                options.statsSeconds() == null ? null : Duration.ofSeconds(options.statsSeconds());
        Intervals printing = new Intervals(stats);
        Intervals asking = new Intervals(states.interval());
        while (!shutdown.await(Math.min(printing.nanosLeft(), asking.nanosLeft()))) {
            if (printing.isOver()) {
                print(backend.summary().toJsonLine());
            }
            if (asking.isOver()) {
                states.ask();
            }
        }
    }

    /// Consecutive intervals of the same length; none ends without a length.
    private static final class Intervals {
        private final Duration length;
        private long endNs;

        /// @param length length; null for no end
        Intervals(Duration length) {
            this.length = length;
            this.endNs = length == null ? 0 : System.nanoTime() + length.toNanos();
        }

        long nanosLeft() {
            return length == null ? Long.MAX_VALUE : Math.max(0, endNs - System.nanoTime());
        }

        /// Returns whether the interval has ended; then the next one begins.
        boolean isOver() {
            if (nanosLeft() > 0) {
                return false;
            }
            endNs += length.toNanos();
            return true;
        }
    }

    private void close(Backend backend) {
        try {
            report(backend.summary());
        } finally {
            backend.close();
        }
    }

    private void report(BackendSummary summary) {
        if (options.listsUndeclared()) {
            summary.printUndeclared(out);
            out.flush();
        }
        if (options.summaryFile() != null) {
            try {
                summary.writeJson(options.summaryFile());
            } catch (IOException e) {
                LOG.error("--summary {}: {}", options.summaryFile(), e.toString());
            }
        }
    }

    private void print(String line) {
        out.println(line);
        out.flush();
    }

    private static void explain(VmConfig vm) {
        if (vm.via() == PvVia.SOCKET && explainSocket(vm)) {
            return;
        }
        LOG.info(
                """
                start QEMU (10.1 or newer) for {} with
                  -object memory-backend-memfd,id=ram,size=1G,share=on -m 1G -machine q35,memory-backend=ram \
                -device '{"driver":"vfio-user-pci","socket":{"path":"{}","type":"unix"}}'\
                """,
                vm.name(),
                vm.socket().toAbsolutePath());
        switch (vm.mode()) {
            case PV ->
                    LOG.info(
                            "{}: in the virtual machine, as root: gpuvm run --pci WORKLOAD",
                            vm.name());
            case CUDA ->
                    LOG.info(
                            "{}: in the virtual machine, as root or by the udev rule of"
                                    + " docs/cuda.md: GPUVM_CUDA=pci"
                                    + " LD_LIBRARY_PATH=FOLDER-OF-LIBCUDA PROGRAM",
                            vm.name());
            case PASSTHROUGH, FV -> {
                // The guest's own driver finds the GPU.
            }
        }
    }

    /// Logs the command of a program on this host.
    ///
    /// @return false if the guests are not programs
    private static boolean explainSocket(VmConfig vm) {
        Path socket = vm.socket().toAbsolutePath();
        switch (vm.mode()) {
            case PV -> LOG.info("{}: gpuvm run --socket {} WORKLOAD", vm.name(), socket);
            case CUDA ->
                    LOG.info(
                            "{}: GPUVM_CUDA=unix:{} LD_LIBRARY_PATH=FOLDER-OF-LIBCUDA PROGRAM",
                            vm.name(),
                            socket);
            case PASSTHROUGH, FV -> {
                return false;
            }
        }
        return true;
    }
}
