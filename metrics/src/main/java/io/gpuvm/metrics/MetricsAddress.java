package io.gpuvm.metrics;

import java.net.InetAddress;
import java.net.InetSocketAddress;

/// Address at which metrics are served: a port of the loopback interface, or of a named address.
public final class MetricsAddress {
    private static final int MOST_PORT = 65535;

    private MetricsAddress() {}

    /// Parses `PORT`, `ADDRESS:PORT` or `[ADDRESS]:PORT`. The address is numeric or `localhost`.
    ///
    /// @throws IllegalArgumentException if the text has another form
    public static InetSocketAddress parse(String text) {
        int colon = text.lastIndexOf(':');
        String host = colon < 0 ? "localhost" : text.substring(0, colon);
        int port = port(text, text.substring(colon + 1));
        if (host.equals("localhost")) {
            return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        }
        boolean isBare = host.startsWith("[") && host.endsWith("]");
        if (host.contains(":") != isBare) {
            throw wrong(text);
        }
        try {
            return new InetSocketAddress(
                    InetAddress.ofLiteral(isBare ? host.substring(1, host.length() - 1) : host),
                    port);
        } catch (IllegalArgumentException e) {
            throw wrong(text);
        }
    }

    private static int port(String text, String digits) {
        if (!digits.matches("[0-9]{1,5}") || Integer.parseInt(digits) > MOST_PORT) {
            throw wrong(text);
        }
        return Integer.parseInt(digits);
    }

    private static IllegalArgumentException wrong(String text) {
        return new IllegalArgumentException(
                "%s, expected PORT, ADDRESS:PORT or [ADDRESS]:PORT, with a numeric address and a port of 0 to %d"
                        .formatted(text, MOST_PORT));
    }
}
