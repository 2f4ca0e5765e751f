package io.gpuvm.linux;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.ValueLayout;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteOrder;

/// `struct sockaddr_in` of ip(7) and `struct sockaddr_in6` of ipv6(7).
final class InternetAddress {
    static final int AF_INET = 2;
    static final int AF_INET6 = 10;

    /// Space for the longer structure.
    static final int MOST_BYTES = 28;

    private static final int IPV4_STRUCTURE_BYTES = 16;
    private static final int PORT = 2;
    private static final int IPV4 = 4;
    private static final int IPV4_BYTES = 4;
    private static final int IPV6 = 8;
    private static final int IPV6_BYTES = 16;
    private static final int IPV6_SCOPE = 24;

    private static final ValueLayout.OfShort NETWORK_SHORT =
            ValueLayout.JAVA_SHORT.withOrder(ByteOrder.BIG_ENDIAN);

    private InternetAddress() {}

    /// Returns the address family of an address.
    static int family(InetSocketAddress address) {
        return address.getAddress() instanceof Inet4Address ? AF_INET : AF_INET6;
    }

    /// Returns the length of the structure for an address.
    static int bytes(InetSocketAddress address) {
        return family(address) == AF_INET ? IPV4_STRUCTURE_BYTES : MOST_BYTES;
    }

    static MemorySegment of(InetSocketAddress address, SegmentAllocator allocator) {
        if (address.isUnresolved()) {
            throw new IllegalArgumentException("host=" + address.getHostString() + " is unknown");
        }
        MemorySegment name = allocator.allocate(MOST_BYTES, Long.BYTES);
        name.set(ValueLayout.JAVA_SHORT, 0, (short) family(address));
        name.set(NETWORK_SHORT, PORT, (short) address.getPort());
        byte[] host = address.getAddress().getAddress();
        int at = family(address) == AF_INET ? IPV4 : IPV6;
        MemorySegment.copy(host, 0, name, ValueLayout.JAVA_BYTE, at, host.length);
        if (address.getAddress() instanceof java.net.Inet6Address six) {
            name.set(ValueLayout.JAVA_INT, IPV6_SCOPE, six.getScopeId());
        }
        return name;
    }

    /// Returns the address in a structure that the kernel has filled.
    static InetSocketAddress read(MemorySegment name) {
        boolean four = name.get(ValueLayout.JAVA_SHORT, 0) == AF_INET;
        byte[] host = new byte[four ? IPV4_BYTES : IPV6_BYTES];
        MemorySegment.copy(name, ValueLayout.JAVA_BYTE, four ? IPV4 : IPV6, host, 0, host.length);
        int port = Short.toUnsignedInt(name.get(NETWORK_SHORT, PORT));
        try {
            return new InetSocketAddress(InetAddress.getByAddress(host), port);
        } catch (UnknownHostException e) {
            throw new IllegalStateException("bytes=" + host.length, e);
        }
    }
}
