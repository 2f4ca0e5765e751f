package io.gpuvm.remote.link;

import io.gpuvm.remote.keys.KeyFolder;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import java.util.Scanner;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;

/// Program of hostile peers of one kind, for `tests/remote/hostile`. It attacks from 127.0.0.2
/// after each line `on` of its input, and closes its connections after each line `off`; the answer
/// is the number of connections so far.
///
/// Arguments: kind, port, folder with certificates; or `expired FOLDER`, which adds the certificate
/// of a virtual machine `old` that has expired.
final class HostilePeers {
    private static final String ADDRESS = "127.0.0.2";
    private static final int THREADS = 4;
    private static final int MOST_CONNECTIONS = 1000;
    private static final int SLOW_CONNECTIONS = 200;
    private static final Duration AGE = Duration.ofDays(30);

    private enum Kind {
        NO_CERTIFICATE,
        WRONG_AUTHORITY,
        EXPIRED,
        REVOKED,
        GARBAGE,
        SLOW,
        MANY
    }

    private final Kind kind;
    private final InetSocketAddress target;
    private final SSLSocketFactory factory;
    private final AtomicLong begun = new AtomicLong();
    private volatile boolean active;

    private HostilePeers(Kind kind, int port, Path folder) throws Exception {
        this.kind = kind;
        target = new InetSocketAddress("127.0.0.1", port);
        factory = context(folder, kind != Kind.NO_CERTIFICATE).getSocketFactory();
    }

    public static void main(String[] arguments) throws Exception {
        if (arguments[0].equals("expired")) {
            Clock then = Clock.fixed(Instant.now().minus(AGE), ZoneOffset.UTC);
            new KeyFolder(Path.of(arguments[1]), then).add("old", AGE.dividedBy(2));
            return;
        }
        HostilePeers peers =
                new HostilePeers(
                        Kind.valueOf(arguments[0]),
                        Integer.parseInt(arguments[1]),
                        Path.of(arguments[2]));
        peers.start();
        System.out.println("ready");
        Scanner input = new Scanner(System.in);
        while (input.hasNextLine()) {
            peers.active = input.nextLine().equals("on");
            System.out.println(peers.begun.get());
        }
    }

    private void start() {
        for (int i = 0; i < THREADS; i++) {
            Thread.ofPlatform()
                    .daemon()
                    .start(() -> {
                        while (true) {
                            attack();
                        }
                    });
        }
    }

    private void attack() {
        try {
            if (!active) {
                Thread.sleep(1);
                return;
            }
            switch (kind) {
                case MANY -> hold(MOST_CONNECTIONS / THREADS, new byte[0]);
                // Header of a TLS record with a handshake message, then its bytes, one at a time.
                case SLOW ->
                        hold(SLOW_CONNECTIONS / THREADS, new byte[] {22, 3, 1, 1, -12, 1, 0, 1});
                default -> shake();
            }
        } catch (IOException _) {
            // The backend has closed the connection.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private Socket open() throws IOException {
        Socket socket = new Socket();
        socket.bind(new InetSocketAddress(ADDRESS, 0));
        socket.connect(target, 2000);
        begun.incrementAndGet();
        return socket;
    }

    /// Performs a handshake, sends a frame, and waits until the backend closes the connection.
    private void shake() throws IOException {
        try (Socket raw = open();
                SSLSocket socket =
                        (SSLSocket)
                                factory.createSocket(
                                        raw, target.getHostString(), target.getPort(), true)) {
            socket.setSoTimeout(6000);
            socket.startHandshake();
            socket.getOutputStream().write(kind == Kind.GARBAGE ? garbage() : hello());
            InputStream in = socket.getInputStream();
            byte[] buffer = new byte[1024];
            while (in.read(buffer) >= 0) {
                // The refusal.
            }
        }
    }

    /// Keeps connections open, sends bytes slowly, and opens other ones in place of those that the
    /// backend has closed.
    private void hold(int count, byte[] first) throws InterruptedException {
        List<Socket> open = new ArrayList<>();
        try {
            while (active) {
                open.removeIf(socket -> {
                    boolean isOpen = isOpen(socket);
                    if (!isOpen) {
                        close(socket);
                    }
                    return !isOpen;
                });
                while (active && open.size() < count) {
                    try {
                        Socket socket = open();
                        open.add(socket);
                        socket.setSoTimeout(1);
                        if (first.length > 0) {
                            socket.getOutputStream().write(first);
                        }
                    } catch (IOException _) {
                        break;
                    }
                }
                Thread.sleep(50);
            }
        } finally {
            open.forEach(HostilePeers::close);
        }
    }

    /// Sends a byte if the kind is slow.
    ///
    /// @return false if the backend has closed the connection
    private boolean isOpen(Socket socket) {
        try {
            if (kind == Kind.SLOW) {
                socket.getOutputStream().write(0);
            }
            return socket.getInputStream().read() >= 0;
        } catch (SocketTimeoutException _) {
            return true;
        } catch (IOException _) {
            return false;
        }
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static byte[] garbage() {
        byte[] bytes = new byte[4096];
        new Random().nextBytes(bytes);
        return bytes;
    }

    private static byte[] hello() {
        byte[] payload = RawPeer.payload(RawPeer.hello(""));
        return ByteBuffer.allocate((int) Wire.frameBytes(payload.length))
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(payload.length)
                .putShort((short) 0)
                .put(Wire.HELLO)
                .put((byte) 0)
                .put(payload)
                .array();
    }

    private static SSLContext context(Path folder, boolean hasCertificate) throws Exception {
        KeyManager[] keys = null;
        if (hasCertificate) {
            char[] none = {};
            KeyStore own = KeyStore.getInstance("PKCS12");
            own.load(null, null);
            own.setKeyEntry(
                    "key",
                    key(folder.resolve("key.pem")),
                    none,
                    new Certificate[] {certificate(folder.resolve("cert.pem"))});
            KeyManagerFactory factory = KeyManagerFactory.getInstance("PKIX");
            factory.init(own, none);
            keys = factory.getKeyManagers();
        }
        SSLContext context = SSLContext.getInstance("TLSv1.3");
        context.init(keys, new TrustManager[] {new TrustAll()}, new SecureRandom());
        return context;
    }

    private static Certificate certificate(Path file) throws IOException, GeneralSecurityException {
        try (InputStream in = Files.newInputStream(file)) {
            return CertificateFactory.getInstance("X.509").generateCertificate(in);
        }
    }

    private static PrivateKey key(Path file) throws IOException, GeneralSecurityException {
        String text = Files.readString(file).replaceAll("-----.*?-----", "").replaceAll("\\s", "");
        return KeyFactory.getInstance("EC")
                .generatePrivate(new PKCS8EncodedKeySpec(Base64.getDecoder().decode(text)));
    }
}
