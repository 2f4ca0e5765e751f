package io.gpuvm.remote.link;

import com.sun.management.OperatingSystemMXBean;
import io.gpuvm.linux.Poller;
import io.gpuvm.linux.TcpListener;
import io.gpuvm.linux.TcpSocket;
import io.gpuvm.linux.agent.EventWait;
import io.gpuvm.remote.keys.KeyFolder;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;

/// Measures the processor time of both ends for each GiB of bulk data: of a link with TLS, of TLS
/// alone on the same sockets, and of a link without TLS, in alternating rounds of one process. The
/// links do not compress, except two: one with random data, and one with data that compresses.
/// Arguments: MiB of a round, number of rounds.
final class LinkBench {
    private static final int PAYLOAD = Link.MOST_PAYLOAD;
    private static final LinkOptions OPTIONS =
            LinkOptions.DEFAULT.withRings(1 << 20, Integer.getInteger("ring", 1 << 24));
    private static final long WARM_BYTES = 48 << 20;
    private static final double GIB = 1 << 30;
    private static final OperatingSystemMXBean SYSTEM =
            (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

    private final Credentials backend;
    private final Credentials agent;
    private final long bytes;

    // Written by the receiving thread, which ends before they are read.
    private boolean started;
    private long startCpuNs;
    private long startNs;
    private long endCpuNs;
    private long endNs;

    private LinkBench(Path folder, long bytes) {
        this.bytes = WARM_BYTES + bytes;
        KeyFolder keys = new KeyFolder(folder, Clock.systemUTC());
        keys.init(List.of("127.0.0.1"), KeyFolder.LIFETIME);
        agent = Credentials.read(keys.add("vm0", KeyFolder.LIFETIME));
        backend = Credentials.read(folder.resolve(KeyFolder.SERVER));
    }

    /// One measurement.
    ///
    /// @param cpu processor seconds per GiB
    /// @param rate GiB per second
    private record Result(double cpu, double rate) {}

    /// Content of frames.
    private enum Content {
        RANDOM,
        /// Floating-point numbers of which 9 of 10 are zero.
        SPARSE;

        MemorySegment create() {
            Random random = new Random(1);
            MemorySegment data = Arena.ofAuto().allocate(PAYLOAD);
            for (int i = 0; i < PAYLOAD / Float.BYTES; i++) {
                boolean isSet = this == RANDOM || random.nextInt(10) == 0;
                data.setAtIndex(ValueLayout.JAVA_INT, i, isSet ? random.nextInt() : 0);
            }
            return data;
        }
    }

    private interface Transfer {
        void run() throws Exception;
    }

    public static void main(String[] arguments) throws Exception {
        long bytes = Long.parseLong(arguments[0]) << 20;
        int rounds = Integer.parseInt(arguments[1]);
        Path folder = Files.createTempDirectory("link-bench");
        LinkBench bench = new LinkBench(folder.resolve("keys"), bytes);
        String[] suites = {
            "TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384", "TLS_CHACHA20_POLY1305_SHA256"
        };
        String[] names = {
            "link tls",
            "raw tls",
            "link plain",
            "raw aes256",
            "raw chacha20",
            "tls lz4 random",
            "tls lz4 sparse"
        };
        double[][] cpu = new double[names.length][rounds];
        for (int round = -1; round < rounds; round++) {
            List<Transfer> transfers =
                    List.of(
                            () -> bench.link(true, OPTIONS.withCompression(false), Content.RANDOM),
                            () -> bench.raw(suites[0]),
                            () -> bench.link(false, OPTIONS.withCompression(false), Content.RANDOM),
                            () -> bench.raw(suites[1]),
                            () -> bench.raw(suites[2]),
                            () -> bench.link(true, OPTIONS, Content.RANDOM),
                            () -> bench.link(true, OPTIONS, Content.SPARSE));
            for (int i = 0; i < names.length; i++) {
                if (!names[i].matches(System.getProperty("only", ".*"))) {
                    continue;
                }
                Result result = bench.measure(transfers.get(i));
                if (round >= 0) {
                    cpu[i][round] = result.cpu;
                    System.out.printf(
                            "%-14s cpu s/GiB %.3f  GiB/s %.3f%n",
                            names[i], result.cpu, result.rate);
                }
            }
        }
        for (int i = 0; i < names.length; i++) {
            Arrays.sort(cpu[i]);
            System.out.printf(
                    "%-14s cpu s/GiB min %.3f median %.3f max %.3f%n",
                    names[i], cpu[i][0], cpu[i][rounds / 2], cpu[i][rounds - 1]);
        }
        System.out.printf("link tls / raw tls: %.2f%n", cpu[0][rounds / 2] / cpu[1][rounds / 2]);
    }

    private Result measure(Transfer transfer) throws Exception {
        started = false;
        transfer.run();
        double gib = (bytes - WARM_BYTES) / GIB;
        return new Result((endCpuNs - startCpuNs) / 1e9 / gib, gib / ((endNs - startNs) / 1e9));
    }

    /// Takes the times when a part of the bytes has arrived: the first bytes touch all buffers.
    private void onReceived(long received) {
        if (!started && received >= WARM_BYTES) {
            started = true;
            startCpuNs = SYSTEM.getProcessCpuTime();
            startNs = System.nanoTime();
        }
        if (received >= bytes) {
            endCpuNs = SYSTEM.getProcessCpuTime();
            endNs = System.nanoTime();
        }
    }

    private void link(boolean tls, LinkOptions options, Content content) throws Exception {
        AtomicLong received = new AtomicLong();
        LinkAddress at = LinkAddress.parse(tls ? "tls:127.0.0.1:0" : "tcp:127.0.0.1:0");
        try (TlsTasks tasks = TlsTasks.start();
                EventWait backendWait = new EventWait(1);
                EventWait agentWait = new EventWait(1);
                LinkLoop backendLoop = new LinkLoop(options, tasks, backendWait::signal);
                LinkLoop agentLoop = new LinkLoop(options, tasks, agentWait::signal)) {
            Link[] accepted = new Link[1];
            LinkListener listener =
                    LinkListener.listen(
                            backendLoop,
                            at,
                            tls ? backend : null,
                            null,
                            new LinkHandler() {
                                @Override
                                public Decision decide(String name, byte[] request) {
                                    return Decision.accept(request);
                                }

                                @Override
                                public void onLink(Link link, byte[] request) {
                                    accepted[0] = link;
                                }
                            });
            Thread receiver =
                    Thread.ofPlatform()
                            .start(() ->
                                    loop(
                                            backendLoop,
                                            backendWait,
                                            () -> receive(accepted[0], received)));
            LinkAddress to = new LinkAddress(tls, "127.0.0.1", listener.port());
            Link link =
                    (tls ? LinkDialer.withTls(to, agent) : LinkDialer.plain(to, "vm0"))
                            .dial(agentLoop, new byte[0], System.nanoTime());
            MemorySegment data = content.create();
            long[] sent = new long[1];
            loop(
                    agentLoop,
                    agentWait,
                    () -> {
                        while (sent[0] < bytes && link.room(Lane.BULK) >= PAYLOAD) {
                            link.send(Lane.BULK, 1, data);
                            sent[0] += PAYLOAD;
                        }
                        if (sent[0] == bytes && !receiver.isAlive()) {
                            return true;
                        }
                        return false;
                    });
        }
    }

    /// @return whether all bytes have arrived
    private boolean receive(Link link, AtomicLong received) {
        if (link == null) {
            return false;
        }
        LinkFrame frame = link.peek(Lane.BULK);
        while (frame != null) {
            received.addAndGet(frame.bytes());
            link.release(Lane.BULK);
            frame = link.peek(Lane.BULK);
        }
        onReceived(received.get());
        return received.get() >= bytes;
    }

    private static void loop(LinkLoop loop, EventWait wait, BooleanSupplier step) {
        wait.set(0, loop.descriptor());
        while (true) {
            boolean done = step.getAsBoolean();
            int work = loop.doWork(System.nanoTime());
            if (done) {
                loop.doWork(System.nanoTime());
                break;
            }
            if (work == 0) {
                wait.await(Math.min(loop.nanosUntilWork(System.nanoTime()), 10_000_000));
            }
        }
        wait.set(0, Poller.NONE);
    }

    private void raw(String suite) throws Exception {
        InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        try (TcpListener listener = TcpListener.listen(any);
                TcpSocket client = TcpSocket.connect(listener.address())) {
            TcpSocket accepted = listener.accept();
            while (accepted == null) {
                Thread.sleep(1);
                accepted = listener.accept();
            }
            TcpSocket server = accepted;
            Thread receiver =
                    Thread.ofPlatform()
                            .start(() -> {
                                try (RawTls tls = new RawTls(server, engine(false, suite), false)) {
                                    tls.receive(bytes, this::onReceived);
                                } catch (Exception e) {
                                    e.printStackTrace();
                                }
                            });
            try (RawTls tls = new RawTls(client, engine(true, suite), false)) {
                tls.send(bytes);
                receiver.join();
            }
            server.close();
        }
    }

    private SSLEngine engine(boolean client, String suite) {
        SSLEngine engine =
                client ? agent.clientEngine("127.0.0.1", 1) : backend.serverEngine(false);
        SSLParameters parameters = engine.getSSLParameters();
        parameters.setCipherSuites(new String[] {suite});
        engine.setSSLParameters(parameters);
        return engine;
    }
}
