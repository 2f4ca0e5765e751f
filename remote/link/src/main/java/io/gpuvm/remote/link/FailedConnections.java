package io.gpuvm.remote.link;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.LinkedHashMap;

/// Failed connections of each address: an address with too many failures gets no handshakes for a
/// while. Confined to one thread.
///
/// The addresses of an IPv6 network with a prefix of 64 bits count as one, because a host can
/// choose among them.
final class FailedConnections {
    /// Number of failures of an address at once.
    static final int BURST = 64;

    /// Failures per second of an address, after the burst.
    static final int PER_SECOND = 32;

    /// Number of addresses; the address whose failure is the oldest gives place to another one.
    private static final int MOST_ADDRESSES = 4096;

    private static final int PREFIX_BYTES = 8;

    private final LinkedHashMap<InetAddress, TokenBucket> buckets =
            new LinkedHashMap<>(16, 0.75f, true);

    /// Counts a failure.
    void add(InetAddress address, long nowNs) {
        InetAddress host = hostOf(address);
        TokenBucket bucket = buckets.get(host);
        if (bucket == null) {
            if (buckets.size() == MOST_ADDRESSES) {
                buckets.pollFirstEntry();
            }
            bucket = new TokenBucket(BURST, PER_SECOND);
            buckets.put(host, bucket);
        }
        bucket.take(nowNs);
    }

    /// Returns whether an address may begin a handshake.
    boolean permits(InetAddress address, long nowNs) {
        TokenBucket bucket = buckets.isEmpty() ? null : buckets.get(hostOf(address));
        return bucket == null || bucket.permits(nowNs);
    }

    /// Returns the address as which an address counts: the network's first one for IPv6.
    static InetAddress hostOf(InetAddress address) {
        if (!(address instanceof Inet6Address)) {
            return address;
        }
        byte[] bytes = address.getAddress();
        Arrays.fill(bytes, PREFIX_BYTES, bytes.length, (byte) 0);
        try {
            return InetAddress.getByAddress(bytes);
        } catch (UnknownHostException e) {
            throw new IllegalStateException(e);
        }
    }
}
