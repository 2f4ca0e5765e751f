package io.gpuvm.remote.link;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.sun.management.OperatingSystemMXBean;
import io.gpuvm.linux.TcpListener;
import io.gpuvm.linux.TcpSocket;
import io.gpuvm.remote.keys.KeyFolder;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.io.File;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Arrays;
import java.util.List;
import javax.net.ssl.SSLEngine;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Compares the processor time of both ends for each GiB through the engine of the JDK with that
/// through the engine of Netty (BoringSSL), on the same sockets, with the same certificates and the
/// same cipher, in alternating rounds. The figures are printed; they are no assertion.
@Tag("long")
class NettyBench {
    private static final String SUITE = "TLS_AES_128_GCM_SHA256";
    private static final long WARM_BYTES = 48 << 20;
    private static final long BYTES = WARM_BYTES + (Long.getLong("mib", 256) << 20);
    private static final int ROUNDS = Integer.getInteger("rounds", 5);
    private static final double GIB = 1 << 30;
    private static final OperatingSystemMXBean SYSTEM =
            (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

    @TempDir Path folder;

    // Written by the receiving thread, which ends before they are read.
    private long startCpuNs;
    private long endCpuNs;
    private long received;

    private enum Kind {
        JDK,
        NETTY_ARRAYS,
        NETTY_NATIVE
    }

    @Test
    void givenEnginesOfJdkAndNetty_whenBulkDataTravels_thenProcessorTimesAreCompared()
            throws Exception {
        KeyFolder keys = new KeyFolder(folder.resolve("keys"), Clock.systemUTC());
        keys.init(List.of("127.0.0.1"), KeyFolder.LIFETIME);
        Path client = keys.add("vm0", KeyFolder.LIFETIME);
        Path server = folder.resolve("keys").resolve(KeyFolder.SERVER);
        double[][] cpu = new double[Kind.values().length][ROUNDS];
        for (int round = -1; round < ROUNDS; round++) {
            for (Kind kind : Kind.values()) {
                double seconds = measure(kind, server, client);
                if (round >= 0) {
                    cpu[kind.ordinal()][round] = seconds;
                }
            }
        }
        for (Kind kind : Kind.values()) {
            double[] sorted = cpu[kind.ordinal()];
            Arrays.sort(sorted);
            System.out.printf(
                    "%-12s cpu s/GiB min %.3f median %.3f max %.3f%n",
                    kind, sorted[0], sorted[ROUNDS / 2], sorted[ROUNDS - 1]);
        }
    }

    /// @return processor seconds of the process for each GiB
    private double measure(Kind kind, Path serverFolder, Path clientFolder) throws Exception {
        startCpuNs = 0;
        InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        boolean isNative = kind == Kind.NETTY_NATIVE;
        try (TcpListener listener = TcpListener.listen(any);
                TcpSocket client = TcpSocket.connect(listener.address())) {
            TcpSocket accepted = listener.accept();
            while (accepted == null) {
                Thread.onSpinWait();
                accepted = listener.accept();
            }
            TcpSocket server = accepted;
            Thread receiver =
                    Thread.ofPlatform()
                            .start(() -> {
                                try (RawTls tls =
                                        new RawTls(
                                                server,
                                                engine(kind, true, serverFolder),
                                                isNative)) {
                                    tls.receive(BYTES, this::onReceived);
                                } catch (Exception e) {
                                    e.printStackTrace();
                                }
                            });
            try (RawTls tls = new RawTls(client, engine(kind, false, clientFolder), isNative)) {
                tls.send(BYTES);
                receiver.join();
            }
            server.close();
        }
        assertEquals(BYTES, received, kind::toString);
        return (endCpuNs - startCpuNs) / 1e9 / ((BYTES - WARM_BYTES) / GIB);
    }

    private void onReceived(long bytes) {
        received = bytes;
        if (startCpuNs == 0 && bytes >= WARM_BYTES) {
            startCpuNs = SYSTEM.getProcessCpuTime();
        }
        if (bytes >= BYTES) {
            endCpuNs = SYSTEM.getProcessCpuTime();
        }
    }

    private static SSLEngine engine(Kind kind, boolean isServer, Path folder) throws Exception {
        File authority = folder.resolve("ca.pem").toFile();
        File certificate = folder.resolve("cert.pem").toFile();
        File key = folder.resolve("key.pem").toFile();
        SslContextBuilder builder =
                isServer
                        ? SslContextBuilder.forServer(certificate, key)
                                .clientAuth(ClientAuth.REQUIRE)
                        : SslContextBuilder.forClient()
                                .keyManager(certificate, key)
                                .endpointIdentificationAlgorithm(null);
        SslContext context =
                builder.trustManager(authority)
                        .sslProvider(kind == Kind.JDK ? SslProvider.JDK : SslProvider.OPENSSL)
                        .protocols("TLSv1.3")
                        .ciphers(List.of(SUITE))
                        .build();
        return context.newEngine(ByteBufAllocator.DEFAULT);
    }
}
