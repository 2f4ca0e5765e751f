package io.gpuvm.remote.link;

import io.gpuvm.linux.TcpSocket;
import java.net.InetSocketAddress;
import java.util.List;

/// Opens links to one backend.
public final class LinkDialer {
    private final LinkAddress address;
    private final List<InetSocketAddress> addresses;
    private final Credentials credentials;
    private final String name;

    private LinkDialer(LinkAddress address, Credentials credentials, String name) {
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
        if (!address.tls()) {
            throw new IllegalArgumentException("address=" + address + ", expected tls:HOST:PORT");
        }
        return new LinkDialer(address, credentials, "");
    }

    /// Returns a dialer without TLS, for a backend on the same host. Waits for the name service.
    ///
    /// @param name name of the virtual machine
    /// @throws IllegalArgumentException if the address has TLS, or is not a loopback address
    public static LinkDialer plain(LinkAddress address, String name) {
        if (address.tls()) {
            throw new IllegalArgumentException("address=" + address + ", expected tcp:HOST:PORT");
        }
        return new LinkDialer(address, null, name);
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

    /// Returns the name of the virtual machine for the hello; empty with TLS.
    String name() {
        return name;
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
