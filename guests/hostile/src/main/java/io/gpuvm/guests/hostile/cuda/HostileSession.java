package io.gpuvm.guests.hostile.cuda;

import io.gpuvm.cuda.protocol.CudaCall;
import io.gpuvm.cuda.protocol.CudaEntry;
import io.gpuvm.cuda.protocol.CudaOpcode;
import io.gpuvm.cuda.protocol.CudaStatus;
import io.gpuvm.cuda.protocol.DeviceFacts;
import io.gpuvm.cuda.protocol.FailedCall;
import io.gpuvm.pv.protocol.AreaLayout;
import io.gpuvm.pv.protocol.RingProtocol;
import io.gpuvm.pv.protocol.WireType;
import io.gpuvm.pv.remote.SocketConnection;
import io.gpuvm.pv.ring.Doorbell;
import io.gpuvm.pv.ring.RingConsumer;
import io.gpuvm.pv.ring.RingProducer;
import io.gpuvm.pv.ring.Sleeper;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/// Session of a CUDA client that chooses each word of its entries. Confined to one thread.
final class HostileSession implements AutoCloseable {
    /// Start of the addresses for allocations, in sessions that connect as the protocol requires.
    static final long FIRST_ADDRESS = 0x41_0000_0000L;

    static final long ADDRESS_BYTES = 1L << 34;
    static final long DATA_ADDRESS = 0x60_0000_0000L;

    /// Length of the data area, unless the virtual machine has less.
    static final long DATA_BYTES = 16 << 20;

    /// Number of operand words of an entry.
    static final int WORDS = 6;

    /// Length of the part at the end of the data area for arguments, in bytes.
    static final long ARGUMENT_BYTES = 64 << 10;

    /// Time after which a session that does not answer counts as stalled.
    private static final long LIMIT_NS = TimeUnit.SECONDS.toNanos(60);

    private static final long NAP_NS = TimeUnit.MILLISECONDS.toNanos(1);

    /// Completion of a call.
    ///
    /// @param failed word of [FailedCall]
    record Answer(int status, long failed, long first, long second) {
        String name() {
            String name = CudaStatus.nameOf(status);
            return name == null ? "status " + status : name;
        }

        /// Returns the status of the call without reply that failed before; 0 if there is none.
        int failedStatus() {
            return FailedCall.status(failed);
        }
    }

    private final SocketConnection connection;
    private final Doorbell doorbell;
    private final Sleeper sleeper;
    private final RingProducer submissions;
    private final RingConsumer completions;
    private final MemorySegment data;
    private final Map<Long, Answer> answers = new HashMap<>();
    private long last;
    private long argumentOffset;

    private HostileSession(SocketConnection connection) {
        this.connection = connection;
        doorbell = connection.area().hostDoorbell(connection::wakeHost);
        sleeper = connection.area().guestSleeper();
        submissions = connection.area().submissionProducer();
        completions = connection.area().completionConsumer();
        data = connection.area().data();
        argumentOffset = data.byteSize() - ARGUMENT_BYTES;
    }

    /// Opens a session, without the call Connect.
    static HostileSession open(Path socket, long dataBytes) {
        return new HostileSession(SocketConnection.open(socket, RingProtocol.CUDA, dataBytes));
    }

    /// Opens a session, and connects it.
    static HostileSession connect(Path socket) {
        HostileSession session = open(socket, DATA_BYTES);
        session.connect();
        return session;
    }

    /// Sends a Connect with valid operands, and waits for its completion.
    Answer connect() {
        return call(
                new CudaCall.Connect(
                        0,
                        DeviceFacts.BYTES,
                        CudaOpcode.WIRE_HASH,
                        FIRST_ADDRESS,
                        ADDRESS_BYTES,
                        DATA_ADDRESS));
    }

    /// Connects, and creates context 1 with stream 1. A status other than success is a finding.
    void openContext(Findings findings) {
        findings.expect("Connect", connect(), CudaStatus.SUCCESS);
        findings.expect(
                "cuCtxCreate", call(new CudaCall.CtxCreate(1, 0, 0, 1)), CudaStatus.SUCCESS);
    }

    MemorySegment data() {
        return data;
    }

    /// Returns the memory of the whole area.
    MemorySegment area() {
        return connection.area().memory();
    }

    AreaLayout layout() {
        return connection.area().layout();
    }

    /// Returns the number of the last call.
    long last() {
        return last;
    }

    /// Sends a call as the protocol requires.
    ///
    /// @return number of the call
    long send(CudaCall call) {
        return send(call, call.tag());
    }

    /// Sends a call with another tag than its own.
    ///
    /// @return number of the call
    long send(CudaCall call, int tag) {
        MemorySegment entry = claim();
        MemorySegment arguments = data.asSlice(argumentOffset);
        argumentOffset += call.write(entry, arguments, argumentOffset);
        if (data.byteSize() - argumentOffset < CudaOpcode.MAX_ARGUMENT_BYTES) {
            argumentOffset = data.byteSize() - ARGUMENT_BYTES;
        }
        return publish(entry, tag, last + 1);
    }

    /// Sends a call so that it is answered, also if programs send it without an answer, and waits
    /// for its completion.
    Answer ask(CudaCall call) {
        return await(send(call, call.tag() & ~(CudaOpcode.NO_REPLY << Short.SIZE)));
    }

    /// Sends an entry of any contents.
    ///
    /// @param number number of the call
    /// @param words operands, [#WORDS] words
    void send(int tag, long number, long... words) {
        MemorySegment entry = claim();
        for (int i = 0; i < words.length; i++) {
            entry.set(WireType.U64, CudaEntry.OPERANDS + (long) i * Long.BYTES, words[i]);
        }
        publish(entry, tag, number);
    }

    /// Returns whether a call can be sent without waiting.
    boolean hasRoom() {
        return submissions.room() > 0;
    }

    /// Wakes the backend, which then looks for calls.
    void wake() {
        connection.wakeHost();
    }

    private MemorySegment claim() {
        long at = submissions.claim();
        long startNs = System.nanoTime();
        while (at == RingProducer.FULL) {
            pause("room in the ring", startNs);
            collect();
            at = submissions.claim();
        }
        return submissions.memory().asSlice(at, CudaEntry.BYTES);
    }

    private long publish(MemorySegment entry, int tag, long number) {
        entry.set(WireType.U64, CudaEntry.NUMBER, number);
        submissions.publish(tag);
        doorbell.ring();
        last = number;
        return number;
    }

    /// Sends a call, and waits for its completion.
    Answer call(CudaCall call) {
        return await(send(call));
    }

    /// Waits for the completion of a call.
    ///
    /// @throws LostSessionException if the backend ends the session
    /// @throws IllegalStateException if the backend does not answer
    Answer await(long number) {
        long startNs = System.nanoTime();
        collect();
        while (!answers.containsKey(number)) {
            pause("the completion of call " + number, startNs);
            collect();
        }
        return answers.remove(number);
    }

    /// Returns whether a completion has arrived that [#await] has not taken.
    boolean hasArrived(long number) {
        collect();
        return answers.containsKey(number);
    }

    /// Forgets completions that have arrived.
    ///
    /// @return number of these completions
    int forget() {
        collect();
        int count = answers.size();
        answers.clear();
        return count;
    }

    private void collect() {
        boolean any = false;
        while (completions.poll()) {
            MemorySegment entry = completions.entry();
            Answer answer =
                    new Answer(
                            entry.get(WireType.U32, CudaEntry.TAG),
                            entry.get(WireType.U64, CudaEntry.FAILED),
                            entry.get(WireType.U64, CudaEntry.RESULTS),
                            entry.get(WireType.U64, CudaEntry.RESULTS + Long.BYTES));
            long number = entry.get(WireType.U64, CudaEntry.NUMBER);
            if (answers.put(number, answer) != null) {
                throw new IllegalStateException("second completion of call " + number);
            }
            any = true;
        }
        if (any) {
            completions.release();
        }
    }

    private void pause(String what, long startNs) {
        doorbell.ring();
        sleeper.announce();
        connection.sleep(NAP_NS);
        sleeper.withdraw();
        if (connection.lost() != null) {
            throw new LostSessionException(connection.lost());
        }
        if (System.nanoTime() - startNs > LIMIT_NS) {
            throw new IllegalStateException(
                    "%s: not within %d s"
                            .formatted(what, TimeUnit.NANOSECONDS.toSeconds(LIMIT_NS)));
        }
    }

    /// Waits until the backend has ended the session.
    ///
    /// @throws IllegalStateException if it does not
    void awaitLoss() {
        long startNs = System.nanoTime();
        try {
            while (true) {
                pause("the end of the session", startNs);
            }
        } catch (LostSessionException _) {
            // As expected.
        }
    }

    /// Ends the connection, whatever the session does.
    @Override
    public void close() {
        connection.close();
    }
}
