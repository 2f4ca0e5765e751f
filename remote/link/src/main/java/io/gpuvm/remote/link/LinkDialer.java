package io.gpuvm.remote.link;

import io.gpuvm.linux.TcpSocket;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.function.Consumer;

/// Opens links to one backend. Closed after its links.
public final class LinkDialer implements AutoCloseable {
    private final LinkAddress address;
    private final List<InetSocketAddress> addresses;
    private final Credentials credentials;
    private final String name;

    /// Seal of the cluster; null if this end presents a certificate, or the connection has no TLS.
    private final ClusterSeal seal;

    private final TlsTasks sealing;

    private LinkDialer(
            LinkAddress address, Credentials credentials, String name, ClusterSeal seal) {
        this.seal = seal;
        sealing = seal == null ? null : TlsTasks.startForSeal();
        this.address = address;
        this.credentials = credentials;
        this.name = name;
        addresses = address.resolve();
    }

    /// Returns a dialer that uses TLS; the name in the certificate is that of the virtual machine.
    /// Waits for the name service.
    ///
    /// @throws IllegalArgumentException if the address has no TLS, or if the host is unknown
    public static LinkDialer withTls(LinkAddress address, Credentials credentials) {
        requireTls(address);
        return new LinkDialer(address, credentials, "", null);
    }

    /// Returns a dialer that uses TLS, and presents a credential of this process's user instead of
    /// a certificate. Waits for the name service.
    ///
    /// @param authority certificate of the authority only ([Credentials#readAuthority])
    /// @param name name of the virtual machine
    /// @throws IllegalArgumentException if the address has no TLS, if the host is unknown, or if
    ///   the name is invalid
    public static LinkDialer withSeal(
            LinkAddress address, Credentials authority, String name, ClusterSeal seal) {
        requireTls(address);
        if (!VmName.isValid(name)) {
            throw new IllegalArgumentException(
                    "name=%s, expected %s".formatted(name, VmName.EXPECTED));
        }
        return new LinkDialer(address, authority, name, seal);
    }

    private static void requireTls(LinkAddress address) {
        if (!address.tls()) {
            throw new IllegalArgumentException("address=" + address + ", expected tls:HOST:PORT");
        }
    }

    /// Returns a dialer without TLS, for a backend on the same host. Waits for the name service.
    ///
    /// @param name name of the virtual machine
    /// @throws IllegalArgumentException if the address has TLS, or is not a loopback address
    public static LinkDialer plain(LinkAddress address, String name) {
        if (address.tls()) {
            throw new IllegalArgumentException("address=" + address + ", expected tcp:HOST:PORT");
        }
        return new LinkDialer(address, null, name, null);
    }

    /// Opens a link. Its first state is [LinkState#CONNECTING]; it is lost if it is not up within
    /// [LinkOptions#connect].
    ///
    /// @param request bytes for the [LinkHandler] of the listener, at most 4,096
    /// @param nowNs time of the loop's clock
    public Link dial(LinkLoop loop, byte[] request, long nowNs) {
        if (request.length > Greeting.MOST_CONTENT) {
            throw new IllegalArgumentException(
                    "request bytes=%d, limit=%d".formatted(request.length, Greeting.MOST_CONTENT));
        }
        Dialing dialing = new Dialing(this, loop, request, nowNs);
        return new Link(loop, address.toString(), dialing, SessionKey.NONE, nowNs);
    }

    /// Returns the name of the virtual machine for the hello; empty with a certificate.
    String name() {
        return name;
    }

    /// Ends the thread for credentials.
    @Override
    public void close() {
        if (sealing != null) {
            sealing.close();
        }
    }

    /// Returns whether each hello has a credential.
    boolean seals() {
        return seal != null;
    }

    /// Begins to seal a credential for a connection with TLS.
    ///
    /// @param onSealed called on the loop's thread
    void seal(LinkLoop loop, Connection connection, Consumer<Sealing> onSealed)
            throws ConnectionException {
        Sealing one = new Sealing(SealedName.payload(name, connection.binding()));
        loop.runTask(sealing, () -> one.run(seal), () -> onSealed.accept(one));
    }

    /// Begins to connect.
    ///
    /// @param attempt number of the attempt, for a choice among the host's addresses
    Connection connect(LinkLoop loop, int attempt) throws ConnectionException {
        TcpSocket socket = TcpSocket.connect(addresses.get(attempt % addresses.size()));
        if (credentials == null) {
            return new PlainConnection(socket);
        }
        try {
            return new TlsConnection(
                    socket, credentials.clientEngine(address.host(), address.port()), loop);
        } catch (ConnectionException | RuntimeException e) {
            socket.close();
            throw e;
        }
    }
}
