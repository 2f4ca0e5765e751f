package io.gpuvm.daemon;

import io.gpuvm.cli.Main;
import io.gpuvm.gf100.device.Bar;
import io.gpuvm.pv.remote.PvTransport;
import io.gpuvm.pv.runtime.DeviceMemory;
import io.gpuvm.pv.runtime.GpuContext;
import io.gpuvm.record.RecordLevel;
import io.gpuvm.trap.client.VfioUserClient;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// `./gpuvm bench-wake`: measures the wake-up times of a backend's threads, and their processor
/// time while idle.
///
/// A backend with one guest of each kind runs in this process, on the software GPU. Each kind of
/// request is sent repeatedly, after a pause in which the threads on its path fall asleep. The time
/// to the answer consists of successive wake-ups and little work. Then all threads are idle, and
/// the processor time of each is read from Linux.
@Command(
        name = "gpuvm bench-wake",
        description = "Measure wake-up times and idle load of a backend's threads.")
public final class WakeBench implements Callable<Integer> {
    private static final long PAUSE_MS = 2;
    private static final double NANOS_PER_MICRO = 1e3;
    private static final double PERCENT = 100;
    private static final double LATE = 0.99;
    private static final int PAGE_BYTES = 4096;
    private static final int COPY_BYTES = 64;
    private static final int ANSWER_BYTES = 16 << 10;
    private static final String PREFIX = "gpuvm-";

    /// Request that is measured repeatedly.
    private interface Request {
        void make() throws IOException;
    }

    @Option(
            names = "--requests",
            paramLabel = "N",
            defaultValue = "700",
            description = "Number of requests of each kind. Default: ${DEFAULT-VALUE}.")
    private int requests;

    @Option(
            names = "--idle-seconds",
            paramLabel = "N",
            defaultValue = "6",
            description = "Duration of the idle phase in seconds. Default: ${DEFAULT-VALUE}.")
    private int idleSeconds;

    @Option(
            names = "--threads",
            paramLabel = "MODE",
            defaultValue = "separate",
            description = "Thread mode, as for 'gpuvm serve'. Default: ${DEFAULT-VALUE}.")
    private ThreadMode threads;

    @Option(
            names = "--idle",
            paramLabel = "MODE",
            defaultValue = "backoff",
            description =
                    "Idle mode of the guests' threads, as for 'gpuvm serve'. Default:"
                            + " ${DEFAULT-VALUE}.")
    private IdleMode idle;

    @Option(
            names = "--tag",
            paramLabel = "TEXT",
            defaultValue = "",
            description = "Prefix of each line. Default: none.")
    private String tag;

    private final byte[] data = new byte[COPY_BYTES];

    private WakeBench() {}

    public static void main(String... arguments) {
        System.exit(Main.configured(new CommandLine(new WakeBench())).execute(arguments));
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        Path folder = Files.createTempDirectory("wake-bench");
        try (Stream<Path> files = shared(folder)) {
            files.sorted((a, b) -> b.compareTo(a)).forEach(file -> file.toFile().delete());
        }
        alone();
        return 0;
    }

    /// @return files that remain after the backend has ended
    private Stream<Path> shared(Path folder) throws IOException, InterruptedException {
        Path control = folder.resolve("ctl");
        List<VmConfig> vms =
                List.of(
                        VmConfig.parse("fv,mode=fv,socket=" + folder.resolve("fv")),
                        VmConfig.parse("pv,mode=pv,socket=" + folder.resolve("pv")),
                        VmConfig.parse("bare,mode=pv,socket=" + folder.resolve("bare")),
                        VmConfig.parse("accept,mode=pv,socket=" + folder.resolve("accept")));
        BackendConfig config =
                new BackendConfig(
                                GpuSpec.parse("soft,vram=256M,display=off"),
                                vms,
                                idle,
                                BackendConfig.DEFAULT_COMMAND_LIMIT,
                                new BackendConfig.RecordingPlan(
                                        folder.resolve("recording"), RecordLevel.COMMANDS),
                                threads)
                        .with(BackendConfig.DEFAULT_POLICY, control);
        try (Backend _ = Backend.start(config, () -> System.exit(1));
                VfioUserClient fv = new VfioUserClient(folder.resolve("fv")).negotiate();
                GpuContext pv = GpuContext.open(PvTransport.connect(folder.resolve("pv")));
                PvTransport bare = PvTransport.connect(folder.resolve("bare"));
                DeviceMemory memory = pv.allocate(COPY_BYTES)) {
            time("vm: read of a register", () -> fv.read(Bar.BAR0.ordinal(), 0, Integer.BYTES));
            time("pv: allocation of VRAM", () -> bare.allocateVram(PAGE_BYTES).close());
            time("pv+gpu+softgpu: copy", () -> copy(pv, memory));
            timeControl(control);
            printIdle();
            time(
                    "pv-accept: connection",
                    () -> PvTransport.connect(folder.resolve("accept")).close());
        }
        return Files.walk(folder);
    }

    /// Connects immediately before the requests, because the backend disconnects a client without
    /// requests.
    private void timeControl(Path control) throws IOException, InterruptedException {
        try (SocketChannel asker = SocketChannel.open(UnixDomainSocketAddress.of(control))) {
            time("ctl: status", () -> ask(asker, "{\"request\":\"status\"}"));
            time(
                    "ctl+gpu: weight",
                    () -> ask(asker, "{\"request\":\"weight\",\"vm\":\"pv\",\"weight\":100}"));
        }
    }

    private void alone() throws IOException, InterruptedException {
        try (NativeGpu gpu = NativeGpu.open(GpuSpec.parse("soft,vram=256M,display=off"));
                DeviceMemory memory = gpu.context().allocate(COPY_BYTES)) {
            time("softgpu+native: copy", () -> copy(gpu.context(), memory));
            printIdle();
        }
    }

    private void copy(GpuContext context, DeviceMemory memory) {
        context.defaultStream().copyToDevice(memory, 0, MemorySegment.ofArray(data));
    }

    private static void ask(SocketChannel control, String request) throws IOException {
        control.write(ByteBuffer.wrap((request + "\n").getBytes(StandardCharsets.UTF_8)));
        ByteBuffer answer = ByteBuffer.allocate(ANSWER_BYTES);
        do {
            if (control.read(answer) < 0) {
                throw new IOException("control socket closed");
            }
        } while (answer.get(answer.position() - 1) != '\n');
    }

    private void time(String what, Request request) throws IOException, InterruptedException {
        double[] micros = new double[requests];
        for (int i = -requests / 2; i < requests; i++) {
            Thread.sleep(PAUSE_MS);
            long startNs = System.nanoTime();
            request.make();
            if (i >= 0) {
                micros[i] = (System.nanoTime() - startNs) / NANOS_PER_MICRO;
            }
        }
        Arrays.sort(micros);
        System.out.printf(
                Locale.ROOT,
                "%s wake; %-26s; median us; %8.1f; p99 us; %8.1f%n",
                tag,
                what,
                micros[requests / 2],
                micros[(int) (requests * LATE)]);
    }

    private void printIdle() throws IOException, InterruptedException {
        Thread.sleep(Duration.ofSeconds(1));
        Map<String, Long> before = processorNs();
        long startNs = System.nanoTime();
        Thread.sleep(Duration.ofSeconds(idleSeconds));
        long wallNs = System.nanoTime() - startNs;
        processorNs()
                .forEach((name, ns) ->
                        System.out.printf(
                                Locale.ROOT,
                                "%s idle; %-26s; percent of a processor; %8.4f%n",
                                tag,
                                name,
                                (ns - before.getOrDefault(name, 0L)) * PERCENT / wallNs));
    }

    /// Returns the run time of each thread of this project in nanoseconds, by name.
    private static Map<String, Long> processorNs() throws IOException {
        Map<String, Long> all = new TreeMap<>();
        List<Path> tasks = new ArrayList<>();
        try (Stream<Path> entries = Files.list(Path.of("/proc/self/task"))) {
            entries.forEach(tasks::add);
        }
        for (Path task : tasks) {
            try {
                String name = Files.readString(task.resolve("comm")).strip();
                String ran = Files.readString(task.resolve("schedstat")).split(" ")[0];
                if (name.startsWith(PREFIX)) {
                    all.merge(name, Long.parseLong(ran), Long::sum);
                }
            } catch (NoSuchFileException _) {
                // The thread has ended in the meantime.
            }
        }
        return all;
    }
}
