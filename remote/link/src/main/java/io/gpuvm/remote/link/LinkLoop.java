package io.gpuvm.remote.link;

import io.gpuvm.linux.Poller;
import io.gpuvm.logging.LogLimit;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;

/// All links of one thread, with their listeners. The owner's thread calls [#doWork] in its loop,
/// and sleeps until [#descriptor()] is readable, until [#nanosUntilWork] has passed, or until the
/// owner is woken. All methods of this class and of its links are for this thread only.
public final class LinkLoop implements AutoCloseable {
    /// Maximum number of connections of a loop.
    private static final int MOST_SLOTS = 4096;

    private static final int STAGING_BYTES = 128 * 1024;

    /// Space for the largest packet of TLS, and for its plaintext.
    private static final int RECORD_BYTES = 34 * 1024;

    /// Maximum number of ended connections that wait until the peer has received the reason.
    private static final int MOST_LEAVING = 64;

    /// Time for which they wait.
    private static final long LEAVE_NS = TimeUnit.SECONDS.toNanos(1);

    /// Maximum number of log lines that peers may cause in a burst.
    private static final int MOST_LINES = 20;

    /// Part of a loop.
    abstract static class Member {
        /// @return amount of work done
        abstract int work(long nowNs);

        abstract long nanosUntilWork(long nowNs);

        /// Returns whether the loop drops this member.
        abstract boolean isDone();

        /// Releases all resources.
        abstract void dispose();
    }

    private record Leaving(Connection connection, long untilNs) {}

    private final LinkOptions options;
    private final TlsTasks tasks;
    private final Runnable wake;
    private final Poller poller = new Poller(MOST_SLOTS);
    private final Connection[] connections = new Connection[MOST_SLOTS];
    private final LinkListener[] listeners = new LinkListener[MOST_SLOTS];
    private final Arena arena = Arena.ofShared();
    private final NativeBytes staging = NativeBytes.allocate(arena, STAGING_BYTES);
    private final NativeBytes control =
            NativeBytes.allocate(arena, (int) Wire.frameBytes(Wire.MOST_CONTROL));
    private final ByteBuffer record = ByteBuffer.allocate(RECORD_BYTES);
    private final ByteBuffer scratch = ByteBuffer.allocate(RECORD_BYTES);
    private final FrameCompressor compressor = new FrameCompressor();
    private final List<Member> members = new ArrayList<>();
    private final List<Leaving> leaving = new ArrayList<>();
    private final Queue<Runnable> reactions = new ConcurrentLinkedQueue<>();
    private final LogLimit lines = LogLimit.perMinute(MOST_LINES, System::nanoTime);
    private int usedSlots;
    private boolean closed;

    /// @param tasks thread for handshakes, which several loops can share; null if the loop has no
    ///   connections with TLS
    /// @param wake wakes the owner's thread; any thread
    public LinkLoop(LinkOptions options, TlsTasks tasks, Runnable wake) {
        this.options = options;
        this.tasks = tasks;
        this.wake = wake;
    }

    /// Receives, sends, and handles deadlines of all links.
    ///
    /// @param nowNs time of a monotonic clock, which may overflow; the same clock in all calls
    /// @return amount of work done
    public int doWork(long nowNs) {
        int work = poller.poll(0);
        for (int slot = poller.nextReady(0); slot >= 0; slot = poller.nextReady(slot + 1)) {
            if (connections[slot] != null) {
                connections[slot].onReady();
            } else if (listeners[slot] != null) {
                listeners[slot].onReady();
            }
        }
        Runnable reaction = reactions.poll();
        while (reaction != null) {
            reaction.run();
            work++;
            reaction = reactions.poll();
        }
        for (int i = 0; i < members.size(); i++) {
            work += members.get(i).work(nowNs);
        }
        removeDone();
        takeLeave(nowNs);
        return work;
    }

    /// Returns the time until work becomes ready without an event.
    ///
    /// @return nanoseconds, at least 0; [Long#MAX_VALUE] for no limit
    public long nanosUntilWork(long nowNs) {
        long nanos = Long.MAX_VALUE;
        for (int i = 0; i < members.size(); i++) {
            nanos = Math.min(nanos, members.get(i).nanosUntilWork(nowNs));
        }
        for (int i = 0; i < leaving.size(); i++) {
            nanos = Math.min(nanos, leaving.get(i).untilNs - nowNs);
        }
        return Math.max(0, nanos);
    }

    /// Returns a descriptor that is readable while a connection or a listener is ready.
    public int descriptor() {
        return poller.descriptor();
    }

    public LinkOptions options() {
        return options;
    }

    /// Ends all links at once, without telling their peers the reason.
    @Override
    public void close() {
        if (!closed) {
            closed = true;
            members.forEach(Member::dispose);
            leaving.forEach(left -> close(left.connection));
            poller.close();
            arena.close();
        }
    }

    void add(Member member) {
        members.add(member);
    }

    /// Begins to watch a connection that is established, or being established.
    ///
    /// @return false if the loop has no free slot
    boolean watch(Connection connection) {
        int slot = freeSlot();
        if (slot < 0) {
            return false;
        }
        connections[slot] = connection;
        connection.setSlot(slot);
        poller.set(slot, connection.socket().descriptor());
        return true;
    }

    /// Begins to watch a listener, forever.
    void watch(LinkListener listener, int descriptor) {
        int slot = freeSlot();
        if (slot < 0) {
            throw new IllegalStateException("connections=%d, limit=%d".formatted(slot, MOST_SLOTS));
        }
        listeners[slot] = listener;
        poller.set(slot, descriptor);
    }

    void forget(LinkListener listener) {
        for (int slot = 0; slot < usedSlots; slot++) {
            if (listeners[slot] == listener) {
                poller.set(slot, Poller.NONE);
                listeners[slot] = null;
            }
        }
    }

    /// Sets whether a connection's readiness includes space in its socket.
    void watchForSpace(Connection connection, boolean space) {
        int slot = connection.slot();
        if (slot == Connection.NO_SLOT) {
            return;
        }
        int descriptor = connection.socket().descriptor();
        if (space) {
            poller.setReadableOrWritable(slot, descriptor);
        } else {
            poller.set(slot, descriptor);
        }
    }

    /// Stops to watch a connection until [#resume]: its data would end every wait.
    void pause(Connection connection) {
        if (connection.slot() != Connection.NO_SLOT) {
            poller.set(connection.slot(), Poller.NONE);
        }
    }

    /// Watches a connection whose handshake has not ended, unless it waits for a task.
    void watchHandshake(Connection connection) {
        if (!(connection instanceof TlsConnection tls && tls.taskRuns())) {
            resume(connection);
        }
    }

    void resume(Connection connection) {
        watchForSpace(connection, connection.wantsToWrite());
    }

    /// Sets whether the arrival of connections ends a wait.
    void watch(LinkListener listener, int descriptor, boolean wanted) {
        for (int slot = 0; slot < usedSlots; slot++) {
            if (listeners[slot] == listener) {
                poller.set(slot, wanted ? descriptor : Poller.NONE);
            }
        }
    }

    void close(Connection connection) {
        int slot = connection.slot();
        if (slot != Connection.NO_SLOT) {
            poller.set(slot, Poller.NONE);
            connections[slot] = null;
            connection.setSlot(Connection.NO_SLOT);
        }
        connection.close();
    }

    /// Ends a connection such that its peer can receive all that has been sent: an immediate close
    /// would drop it if data from the peer has not been read.
    void dismiss(Connection connection, long nowNs) {
        try {
            connection.flush();
        } catch (ConnectionException _) {
            close(connection);
            return;
        }
        connection.finish();
        if (leaving.size() == MOST_LEAVING) {
            close(leaving.removeFirst().connection);
        }
        leaving.add(new Leaving(connection, nowNs + LEAVE_NS));
        watchForSpace(connection, false);
    }

    /// Writes a refusal, if the connection has space for it.
    void sendRefusal(Connection connection, Refusal refusal) {
        int bytes = refusal.write(control.segment(), Wire.HEADER_BYTES);
        try {
            sendControl(connection, Wire.REFUSED, bytes);
        } catch (ConnectionException _) {
            // The peer learns from the end of the connection.
        }
    }

    /// Sends a control frame, whose payload the caller has written to [#control()] after the
    /// header.
    ///
    /// @return false if the connection has no space for it
    boolean sendControl(Connection connection, byte kind, int bytes) throws ConnectionException {
        MemorySegment to = control.segment();
        long total = Wire.frameBytes(bytes);
        to.set(Wire.U32, Wire.BYTES, bytes);
        to.set(Wire.U16, Wire.TYPE, (short) 0);
        to.set(Wire.U8, Wire.KIND, kind);
        to.set(Wire.U8, Wire.FLAGS, (byte) 0);
        for (long at = Wire.HEADER_BYTES + bytes; at < total; at++) {
            to.set(Wire.U8, at, (byte) 0);
        }
        return connection.send(control, 0, total) == total;
    }

    NativeBytes control() {
        return control;
    }

    FrameCompressor compressor() {
        return compressor;
    }

    /// Returns native memory for received ciphertext, free between two calls.
    NativeBytes staging() {
        return staging;
    }

    /// Returns an array for ciphertext of one record, free between two calls.
    ByteBuffer record() {
        return record;
    }

    /// Returns an array for plaintext of one record, free between two calls.
    ByteBuffer scratch() {
        return scratch;
    }

    /// Runs a task of a connection's TLS on another thread.
    void runTask(TlsConnection connection, Runnable task) {
        pause(connection);
        runTask(
                tasks,
                task,
                () -> {
                    connection.onTaskDone();
                    resume(connection);
                });
    }

    /// Runs a task on another thread, then a reaction on the loop's thread.
    void runTask(TlsTasks on, Runnable task, Runnable reaction) {
        on.submit(
                task,
                _ -> {
                    reactions.add(reaction);
                    wake.run();
                });
    }

    /// Returns the limit of log lines that peers can cause.
    LogLimit lines() {
        return lines;
    }

    private int freeSlot() {
        for (int slot = 0; slot < usedSlots; slot++) {
            if (connections[slot] == null && listeners[slot] == null) {
                return slot;
            }
        }
        return usedSlots < MOST_SLOTS ? usedSlots++ : -1;
    }

    private void removeDone() {
        for (int i = members.size() - 1; i >= 0; i--) {
            if (members.get(i).isDone()) {
                members.remove(i).dispose();
            }
        }
    }

    private void takeLeave(long nowNs) {
        for (int i = leaving.size() - 1; i >= 0; i--) {
            Leaving left = leaving.get(i);
            if (nowNs - left.untilNs >= 0 || hasLeft(left.connection)) {
                leaving.remove(i);
                close(left.connection);
            }
        }
    }

    /// Drops data of the peer; returns whether the peer has closed its end.
    private boolean hasLeft(Connection connection) {
        try {
            connection.flush();
            while (connection.receiveRaw(staging, 0, STAGING_BYTES) > 0) {
                // Drop the data.
            }
            return false;
        } catch (ConnectionException _) {
            return true;
        }
    }
}
