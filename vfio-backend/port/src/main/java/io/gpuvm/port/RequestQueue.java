package io.gpuvm.port;

import java.util.concurrent.TimeUnit;

/// One virtual machine's requests on their way to the owner of the GPU, and the owner's end of
/// them.
///
/// | part | class |
/// |---|---|
/// | ring of records | [RequestRing] |
/// | operations, and how each lies in a record | [GpuRequests] |
/// | waiting for room and for answers | [RequestCalls], [Question] |
/// | cells that are read without asking | [SharedStatus] |
///
/// One thread puts in through [#requests()], the owner's takes out; neither allocates, except for a
/// request that waits for its answer. If the ring is full, the virtual machine's own thread waits:
/// nobody else does.
public final class RequestQueue {
    /// Number of requests that may wait.
    static final int CAPACITY = 1024;

    /// Time in which the owner must take one request out; the longest takes all channels of a
    /// virtual machine off a busy GPU. Shorter than anybody waits for the virtual machine's thread
    /// to end.
    private static final long WAIT_LIMIT_NS = TimeUnit.SECONDS.toNanos(4);

    private final RequestRing ring = new RequestRing(CAPACITY);
    private final SharedStatus status = new SharedStatus();
    private final GpuRequests requests;

    /// @param name of the virtual machine, for errors
    /// @param wakeOwner makes the owner look, from any thread
    public RequestQueue(String name, Runnable wakeOwner) {
        this(name, wakeOwner, WAIT_LIMIT_NS);
    }

    /// @param waitLimitNs time in which the owner must take one request out before the virtual
    ///   machine gives up
    public RequestQueue(String name, Runnable wakeOwner, long waitLimitNs) {
        RequestCalls calls = new RequestCalls(ring, name, wakeOwner, waitLimitNs);
        requests = new GpuRequests(calls, ring, status);
    }

    /// The virtual machine's end.
    public GpuRequests requests() {
        return requests;
    }

    /// The cells that the virtual machine reads without asking.
    public SharedStatus status() {
        return status;
    }

    /// Whether no request waits. Owner's thread.
    public boolean isEmpty() {
        return ring.isEmpty();
    }

    /// Hands requests to a handler, in order. A request whose handler fails counts as done. Owner's
    /// thread.
    ///
    /// @param limit most requests to hand over
    /// @return number of requests that were handed over
    public int drain(GpuRequests.Handler handler, int limit) {
        long first = ring.first();
        long end = Math.min(ring.end(), first + limit);
        long at = first;
        while (at < end) {
            int count = requests.countAlike(at, end);
            try {
                requests.dispatch(at, count, handler);
            } finally {
                at += count;
                ring.free(at);
            }
        }
        return (int) (end - first);
    }
}
