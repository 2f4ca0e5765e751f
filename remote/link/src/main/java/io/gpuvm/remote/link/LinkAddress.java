package io.gpuvm.remote.link;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Address of a listener.
///
/// @param tls whether connections use TLS
/// @param host name or numeric address of the host
/// @param port port of TCP; 0 lets a listener choose one
public record LinkAddress(boolean tls, String host, int port) {
    private static final int MOST_PORT = 65_535;

    private static final Pattern TEXT =
            Pattern.compile("(tls|tcp):(?:\\[([0-9A-Fa-f:.%a-z]+)\\]|([^:\\[\\]]+)):([0-9]{1,5})");

    /// Parses `tls:HOST:PORT` or `tcp:HOST:PORT`; an IPv6 address is in brackets.
    ///
    /// @throws IllegalArgumentException if the text has another form
    public static LinkAddress parse(String text) {
        Matcher parts = TEXT.matcher(text);
        if (!parts.matches() || Integer.parseInt(parts.group(4)) > MOST_PORT) {
            throw new IllegalArgumentException(
                    "address=%s, expected tls:HOST:PORT or tcp:HOST:PORT with a port of 0 to %d"
                            .formatted(text, MOST_PORT));
        }
        String host = parts.group(2) == null ? parts.group(3) : parts.group(2);
        return new LinkAddress(
                parts.group(1).equals("tls"), host, Integer.parseInt(parts.group(4)));
    }

    /// Returns the addresses of the host; waits for the name service.
    ///
    /// @throws IllegalArgumentException if the host is unknown, or if an address without TLS is not
    ///   a loopback address
    public List<InetSocketAddress> resolve() {
        InetAddress[] found;
        try {
            found = InetAddress.getAllByName(host);
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException("host=%s is unknown".formatted(host), e);
        }
        for (InetAddress address : found) {
            if (!tls && !address.isLoopbackAddress()) {
                throw new IllegalArgumentException(
                        ("%s has the address %s: connections without TLS are possible only on"
                                        + " loopback addresses such as 127.0.0.1")
                                .formatted(this, address.getHostAddress()));
            }
        }
        return Arrays.stream(found).map(at -> new InetSocketAddress(at, port)).toList();
    }

    @Override
    public String toString() {
        String written = host.contains(":") ? "[" + host + "]" : host;
        return "%s:%s:%d".formatted(tls ? "tls" : "tcp", written, port);
    }
}
