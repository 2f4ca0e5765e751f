package io.gpuvm.pv.nouveau;

import io.gpuvm.linux.Errno;
import io.gpuvm.linux.LinuxException;
import io.gpuvm.pv.protocol.ChannelFailure;
import io.gpuvm.pv.transport.TransportException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/// Submission of the channels' segments to nouveau. Any thread.
///
/// **Batches.** While earlier submissions of a channel are incomplete, the GPU is busy, and a
/// further submission may wait: [#ring] then defers it, so that several submissions become one
/// request with one segment. Deferred segments are submitted when the doorbell of an idle channel
/// or of another channel is rung, after [#MAX_OFFERS] segments or [#MAX_DEFER_NS], and by every
/// wait and query of the runtime ([#flush], [#poll]).
///
/// **Order.** Segments reach nouveau in the order of all channels' doorbells: before a channel
/// submits, all deferred segments of other channels are submitted. No submission thus depends on a
/// deferred segment, and nouveau, which waits for submissions when it moves or releases memory,
/// does not wait for a deferred segment.
///
/// A channel whose ring has no room is the exception: its segments stay deferred until the GPU has
/// executed earlier segments, and the other channels submit meanwhile. Otherwise, a channel that
/// waits for a semaphore could stop the channel that releases the semaphore.
final class Submitter {
    /// Maximum number of segments in a batch.
    static final int MAX_OFFERS = 32;

    /// Maximum duration of a deferral while the program queries channels or submits further
    /// segments.
    static final long MAX_DEFER_NS = TimeUnit.MILLISECONDS.toNanos(1);

    /// Interval of checks for killed channels.
    private static final long PROBE_NS = TimeUnit.MILLISECONDS.toNanos(10);

    /// Time limit of the retries of a submission for which nouveau cannot move the listed buffers
    /// to VRAM, because other processes use the VRAM. nouveau itself waits for a busy channel for
    /// 15 seconds.
    private static final long PRESSURE_LIMIT_NS = TimeUnit.SECONDS.toNanos(15);

    /// Time limit of the retries of the creation of a buffer, and of the submission that shows
    /// whether a new buffer fits into the VRAM. nouveau refuses both with the same error if the
    /// buffer does not fit, and if nouveau would have to move a buffer that another process is
    /// using.
    static final long FULL_LIMIT_NS = TimeUnit.SECONDS.toNanos(3);

    private final ReentrantLock lock = new ReentrantLock();
    private final NouveauPort port;
    private final Pauses pauses;
    private final List<NouveauChannel> channels = new ArrayList<>();

    /// Channels with deferred segments, in the order of the first deferral.
    private final Set<NouveauChannel> deferred = new LinkedHashSet<>();

    private BufferTable buffers = BufferTable.EMPTY;
    private long deferredSinceNs;
    private long submittedNs;
    private long polledNs;
    private boolean closed;

    /// True once a segment has been submitted or deferred. Written under the lock.
    private volatile boolean active;

    /// Reason why the device is unusable; null while it is usable.
    private volatile String lost;

    Submitter(NouveauPort port, Pauses pauses) {
        this.port = port;
        this.pauses = pauses;
        submittedNs = pauses.nanoTime();
        polledNs = submittedNs;
    }

    /// Returns the reason why the device is unusable; null while it is usable.
    String lost() {
        return lost;
    }

    /// Adds a buffer that the GPU may access from now on.
    ///
    /// @throws TransportException if the maximum number of buffers is reached
    void add(GemBuffer buffer) {
        lock.lock();
        try {
            if (buffers.isFull()) {
                throw new TransportException(
                        "buffers=%d, limit=%d"
                                .formatted(BufferTable.MAX_BUFFERS + 1, BufferTable.MAX_BUFFERS));
            }
            buffers = buffers.with(buffer);
        } finally {
            lock.unlock();
        }
    }

    /// Removes a buffer that the GPU no longer accesses.
    void remove(GemBuffer buffer) {
        lock.lock();
        try {
            submitDeferred();
            buffers = buffers.without(buffer);
        } finally {
            lock.unlock();
        }
    }

    /// Adds a channel, which fails at once if the device is lost or the transport is closed.
    void open(NouveauChannel channel) {
        lock.lock();
        try {
            channels.add(channel);
            if (lost != null) {
                channel.fail(new ChannelFailure(ChannelFailure.Kind.LOST, lost));
            }
        } finally {
            lock.unlock();
        }
    }

    /// Ends a channel. nouveau waits up to 15 seconds for the channel's submissions.
    void close(NouveauChannel channel) {
        lock.lock();
        try {
            if (channels.remove(channel) && !closed) {
                submitDeferred();
                deferred.remove(channel);
                port.releaseChannel(channel.id());
                channel.markers().forEach(port::release);
            }
        } finally {
            lock.unlock();
        }
    }

    /// Fails all channels; later submissions have no effect.
    void close(String reason) {
        lock.lock();
        try {
            if (!closed) {
                closed = true;
                lose(reason);
            }
        } finally {
            lock.unlock();
        }
    }

    /// @return false if the channel's queue is full
    boolean offer(NouveauChannel channel, long gpuVa, int words) {
        lock.lock();
        try {
            if (channel.hasFailed()) {
                return true;
            }
            Push push = buffers.find(gpuVa, (long) words * Integer.BYTES);
            if (push == null) {
                channel.fail(
                        new ChannelFailure(
                                ChannelFailure.Kind.MEMORY_FAULT,
                                "push buffer at gpuVa=%#x, words=%d: not in one buffer"
                                        .formatted(gpuVa, words)));
                return true;
            }
            if (channel.queue().offer(push)) {
                return true;
            }
            deferred.add(channel);
            submitDeferred();
            return channel.queue().offer(push);
        } finally {
            lock.unlock();
        }
    }

    /// Submits a channel's segments, or defers them.
    ///
    /// @param mayWait whether earlier segments of the channel are incomplete
    void ring(NouveauChannel channel, boolean mayWait) {
        lock.lock();
        try {
            if (channel.queue().isEmpty()) {
                return;
            }
            if (!deferred.contains(channel)) {
                submitDeferred();
            }
            if (deferred.isEmpty()) {
                deferredSinceNs = pauses.nanoTime();
            }
            deferred.add(channel);
            active = true;
            if (!mayWait || !mayGrow(channel)) {
                submitDeferred();
            }
        } finally {
            lock.unlock();
        }
    }

    /// Submits all deferred segments.
    void flush() {
        lock.lock();
        try {
            submitDeferred();
        } finally {
            lock.unlock();
        }
    }

    /// Submits segments whose deferral has reached the maximum, and checks for killed channels.
    /// Called for each query of a channel; returns immediately if another thread uses the device.
    void poll() {
        if (!active || !lock.tryLock()) {
            return;
        }
        try {
            long nowNs = pauses.nanoTime();
            if (!deferred.isEmpty() && nowNs - deferredSinceNs >= MAX_DEFER_NS) {
                submitDeferred();
            }
            if (nowNs - polledNs >= PROBE_NS) {
                polledNs = nowNs;
                probe();
            }
        } finally {
            lock.unlock();
        }
    }

    /// Returns the time since the last submission.
    long idleNs() {
        lock.lock();
        try {
            return pauses.nanoTime() - submittedNs;
        } finally {
            lock.unlock();
        }
    }

    /// Submits a segment of an idle channel immediately, after the deferred segments of other
    /// channels.
    ///
    /// @return false if the channel has failed, or nouveau cannot hold all buffers in VRAM at the
    ///   same time. In both cases, the segments are discarded; in the second case, the channel
    ///   stays usable
    boolean submitNow(NouveauChannel channel) {
        lock.lock();
        try {
            submitDeferred();
            if (channel.hasFailed()) {
                return false;
            }
            active = true;
            try {
                int marker = channel.inFlight().begin(1, index -> isBusy(channel, index));
                send(channel, marker, FULL_LIMIT_NS);
                return true;
            } catch (LinuxException e) {
                if (!e.is(Errno.ENOMEM)) {
                    refused(channel, e);
                }
                return false;
            } finally {
                channel.queue().clear();
            }
        } finally {
            lock.unlock();
        }
    }

    /// Returns whether the deferral of a channel's segments may continue.
    private boolean mayGrow(NouveauChannel channel) {
        return channel.queue().offers() < MAX_OFFERS
                && pauses.nanoTime() - deferredSinceNs < MAX_DEFER_NS;
    }

    private boolean isBusy(NouveauChannel channel, int marker) {
        try {
            return port.isBusy(channel.markers().get(marker));
        } catch (LinuxException e) {
            lose(e.getMessage());
            return false;
        }
    }

    /// Submits the deferred segments in order, except those of channels whose rings have no room.
    private void submitDeferred() {
        deferred.removeIf(this::submit);
    }

    /// @return false if the channel's ring has no room
    private boolean submit(NouveauChannel channel) {
        PushQueue queue = channel.queue();
        if (queue.isEmpty()) {
            return true;
        }
        int marker =
                channel.inFlight().begin(queue.pushes().size(), index -> isBusy(channel, index));
        if (marker < 0) {
            return false;
        }
        try {
            send(channel, marker, PRESSURE_LIMIT_NS);
        } catch (LinuxException e) {
            refused(channel, e);
        }
        queue.clear();
        return true;
    }

    /// Sends a channel's segments to nouveau. Retries a request for which nouveau cannot move the
    /// listed buffers to VRAM, up to a limit. An interrupt does not end the retries.
    private void send(NouveauChannel channel, int marker, long limitNs) {
        long sinceNs = pauses.nanoTime();
        while (true) {
            try {
                GemBuffer listed = channel.markers().get(marker);
                port.submit(channel.id(), buffers, listed, channel.queue().pushes());
                submittedNs = pauses.nanoTime();
                return;
            } catch (LinuxException e) {
                long waitedNs = pauses.nanoTime() - sinceNs;
                boolean pressure = e.is(Errno.ENOMEM) || e.is(Errno.EBUSY);
                if (!pressure || waitedNs >= limitNs) {
                    throw e;
                }
                pauses.pauseFully(Pauses.longInterval(waitedNs));
            }
        }
    }

    private void probe() {
        for (NouveauChannel channel : List.copyOf(channels)) {
            if (!channel.hasFailed()) {
                try {
                    port.probe(channel.id());
                } catch (LinuxException e) {
                    refused(channel, e);
                }
            }
        }
    }

    private void refused(NouveauChannel channel, LinuxException refusal) {
        if (!refusal.is(Errno.ENODEV)) {
            channel.fail(
                    new ChannelFailure(
                            ChannelFailure.Kind.LOST,
                            "nouveau refuses the submission: " + refusal.getMessage()));
            return;
        }
        try {
            port.parameter(NouveauPort.Parameter.CHIPSET_ID);
            channel.fail(
                    new ChannelFailure(
                            ChannelFailure.Kind.MEMORY_FAULT,
                            "nouveau has killed the channel, because of an access to an unmapped"
                                    + " address or a timeout; Linux's log contains the reason"));
        } catch (LinuxException e) {
            lose(e.getMessage());
        }
    }

    private void lose(String reason) {
        lost = reason;
        ChannelFailure failure = new ChannelFailure(ChannelFailure.Kind.LOST, reason);
        channels.forEach(channel -> channel.fail(failure));
    }
}
