package io.gpuvm.port;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/// Queue of requests from one virtual machine to the owner of the GPU; also the owner's end of the
/// queue.
///
/// | part | class |
/// |---|---|
/// | ring of records | [RequestRing] |
/// | operations, and their layout in a record | [GpuRequests] |
/// | mapping of memory in pieces | [DmaRequests] |
/// | waiting for room and for answers | [RequestCalls], [Question] |
/// | cells that are read without a request | [SharedStatus] |
///
/// One thread adds requests through [#requests()], and the owner's thread removes them. Neither
/// allocates memory, except for a request that waits for its answer. If the ring is full, only the
/// virtual machine's own thread waits.
public final class RequestQueue {
    /// Maximum number of pending requests.
    static final int CAPACITY = 1024;

    /// Time within which the owner must remove at least one request. The longest request removes
    /// all channels of a virtual machine from a busy GPU. Shorter than the timeout for the end of
    /// the virtual machine's thread.
    private static final long WAIT_LIMIT_NS = TimeUnit.SECONDS.toNanos(4);

    private final RequestRing ring = new RequestRing(CAPACITY);
    private final SharedStatus status = new SharedStatus();
    private final GpuRequests requests;

    /// @param name name of the virtual machine, for errors
    /// @param wakeOwner wakes the owner, from any thread
    public RequestQueue(String name, Runnable wakeOwner) {
        this(name, wakeOwner, WAIT_LIMIT_NS);
    }

    /// @param waitLimitNs time within which the owner must remove at least one request, in
    ///   nanoseconds; otherwise the virtual machine gives up
    public RequestQueue(String name, Runnable wakeOwner, long waitLimitNs) {
        this(name, wakeOwner, waitLimitNs, System::nanoTime);
    }

    /// @param clockNs monotonic clock of the limit, in nanoseconds
    RequestQueue(String name, Runnable wakeOwner, long waitLimitNs, LongSupplier clockNs) {
        RequestCalls calls = new RequestCalls(ring, name, wakeOwner, waitLimitNs, clockNs);
        requests = new GpuRequests(calls, ring, status);
    }

    /// Returns the virtual machine's end.
    public GpuRequests requests() {
        return requests;
    }

    /// Returns the cells that the virtual machine reads without a request.
    public SharedStatus status() {
        return status;
    }

    /// Returns whether no request waits. Owner's thread.
    public boolean isEmpty() {
        return ring.isEmpty();
    }

    /// Passes requests to a handler, in order. A request whose handler fails counts as done.
    /// Owner's thread.
    ///
    /// @param limit maximum number of requests
    /// @return number of requests passed
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
