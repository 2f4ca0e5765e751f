package io.gpuvm.remote.session;

import io.gpuvm.cuda.protocol.CudaEntry;
import io.gpuvm.cuda.protocol.CudaOpcode;
import io.gpuvm.cuda.protocol.CudaStatus;
import io.gpuvm.cuda.protocol.FailedCall;
import io.gpuvm.cuda.protocol.RetiredWord;
import io.gpuvm.pv.protocol.RingEntry;
import io.gpuvm.pv.protocol.WireType;
import io.gpuvm.pv.ring.RingConsumer;
import io.gpuvm.pv.ring.RingProducer;
import io.gpuvm.pv.ring.SharedArea;
import io.gpuvm.remote.link.Link;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// End of a CUDA session on the backend's host: a guest of the backend. It passes the program's
/// calls to the backend when the bytes that they read are in the data area, and sends the bytes
/// that calls have written before their completions.
///
/// The peer is not trusted, and the backend trusts neither: calls are passed on unchecked, except
/// that each frame is parsed within its length.
final class CudaGuestEnd implements GuestEnd {
    // operands of Connect
    private static final int ADDRESS_START = CudaEntry.OPERANDS + 3 * Long.BYTES;
    private static final int ADDRESS_BYTES = ADDRESS_START + Long.BYTES;
    private static final int DATA_ADDRESS = ADDRESS_BYTES + Long.BYTES;

    private final MemorySegment memory;
    private final MemorySegment data;
    private final RingProducer submissions;
    private final RingConsumer completions;
    private final int submissionEntries;
    private final Runnable ring;
    private final ArgumentSpace space;

    /// Maximum number of silent transfers in flight with a completion, each of which needs an entry
    /// of the completion ring. A limit that made later calls wait could block a program's stream
    /// forever: among these calls may be the end of a host function.
    private final int mostSilent;

    private final CudaTransfers reads = new CudaTransfers();
    private final Transfers transfers = new Transfers();
    private final RowsSender sender;
    private final RowsReceiver receiver;
    private final EntryReader calls;
    private final EntryBatch answers;
    private final MemorySegment entry = Arena.ofAuto().allocate(RingEntry.BYTES, Long.BYTES);
    private final MemorySegment none = Arena.ofAuto().allocate(Long.BYTES, Long.BYTES);
    private final MemorySegment arguments =
            Arena.ofAuto().allocate(CudaOpcode.MAX_ARGUMENT_BYTES, Long.BYTES);

    /// True if a completion has been taken from the ring, and has not been added to the batch.
    private boolean isTaken;

    /// True if the bytes of the taken completion's call are being sent.
    private boolean isBegun;

    /// Transfer of the current completion, or without completion, whose bytes are being sent; null
    /// if there is none.
    private Transfer current;

    /// Failed call that the next completion describes.
    private long failed = FailedCall.NONE;

    private long sentRetired;
    private boolean isStalled;

    /// @param area area of the backend, with room for [ArgumentSpace#BYTES] beyond the program's
    ///   data
    /// @param programBytes length of the program's data area
    /// @param signal wakes the sleeping backend
    CudaGuestEnd(SharedArea area, long programBytes, Link link, Runnable signal) {
        memory = area.memory();
        data = area.data();
        submissions = area.submissionProducer();
        completions = area.completionConsumer();
        submissionEntries = area.layout().submissionEntries();
        mostSilent = area.layout().completionEntries() / 2;
        ring = area.hostDoorbell(signal)::ring;
        space = new ArgumentSpace(programBytes, submissionEntries);
        reads.mapArea(0, programBytes);
        MemorySegment program = data.asSlice(0, programBytes);
        sender = new RowsSender(link, program);
        receiver = new RowsReceiver(link, program);
        calls = new EntryReader(link, SessionFrame.ENTRIES);
        answers = new EntryBatch(link, SessionFrame.COMPLETIONS);
    }

    @Override
    public int doWork(long nowNs) {
        return receive() + send();
    }

    @Override
    public long nanosUntilWork(long nowNs) {
        return isStalled ? STALL_NS : Long.MAX_VALUE;
    }

    private int receive() {
        int work = receiver.work();
        int passed = 0;
        isStalled = false;
        while (!isStalled && calls.begin(receiver.frames())) {
            while (!isStalled && calls.hasEntry()) {
                isStalled = !pass();
                passed += isStalled ? 0 : 1;
            }
            if (!isStalled) {
                calls.end();
                work++;
            }
        }
        if (passed > 0) {
            ring.run();
        }
        return work + passed;
    }

    /// Passes the next call to the backend.
    ///
    /// @return false if the ring, or the space for arguments, is full
    private boolean pass() {
        MemorySegment.copy(calls.memory(), calls.entry(), entry, 0, RingEntry.BYTES);
        int tag = entry.get(WireType.U32, CudaEntry.TAG);
        boolean isSpilled = (CudaEntry.flagsOf(tag) & CudaOpcode.SPILLED) != 0;
        long bytes = isSpilled ? entry.get(WireType.U64, CudaEntry.ARGUMENT_BYTES) : 0;
        if (bytes < 0 || bytes > CudaOpcode.MAX_ARGUMENT_BYTES || bytes % Long.BYTES != 0) {
            throw new SessionException(
                    "argument bytes=%d, expected a multiple of 8, at most %d"
                            .formatted(bytes, CudaOpcode.MAX_ARGUMENT_BYTES));
        }
        long source = calls.arguments(bytes);
        int room = submissions.room();
        long at = submissions.claim();
        if (at == RingProducer.FULL) {
            return false;
        }
        long number = submissions.position();
        space.free(number - (submissionEntries - room));
        long to = space.allocate(number, bytes);
        if (to == ArgumentSpace.FULL) {
            return false;
        }
        if (isSpilled) {
            MemorySegment.copy(calls.memory(), source, data, to, bytes);
            MemorySegment.copy(calls.memory(), source, arguments, 0, bytes);
            entry.set(WireType.U64, CudaEntry.OPERANDS, to);
        }
        if (CudaEntry.opcodeOf(tag) == CudaOpcode.CONNECT) {
            keepAddressesApart();
        }
        reads.read(entry, arguments, bytes);
        MemorySegment.copy(
                entry,
                RingEntry.CORRELATION,
                submissions.memory(),
                at + RingEntry.CORRELATION,
                RingEntry.BYTES - RingEntry.CORRELATION);
        submissions.publish(reads.output().isEmpty() ? tag : follow(tag));
        calls.take(bytes);
        return true;
    }

    /// Shortens the range of addresses for allocations in the entry of a Connect, if it overlaps
    /// the backend's data area, which is longer than the program's.
    private void keepAddressesApart() {
        long dataAddress = entry.get(WireType.U64, DATA_ADDRESS);
        long start = entry.get(WireType.U64, ADDRESS_START);
        long end = dataAddress + data.byteSize();
        if (start > dataAddress && start < end) {
            long bytes = entry.get(WireType.U64, ADDRESS_BYTES);
            entry.set(WireType.U64, ADDRESS_START, end);
            entry.set(WireType.U64, ADDRESS_BYTES, bytes - (end - start));
        }
    }

    /// Remembers the call, in order to send what it writes.
    ///
    /// @return tag with which the backend gets the call
    private int follow(int tag) {
        long call = entry.get(WireType.U64, CudaEntry.NUMBER);
        int flags = CudaEntry.flagsOf(tag);
        boolean isSilent = (flags & CudaOpcode.NO_REPLY) != 0;
        boolean isUnanswered = isSilent && transfers.answered() >= mostSilent;
        transfers.add(call, reads, isSilent, isUnanswered);
        int followed =
                reads.isLate() && !isUnanswered
                        ? flags & ~CudaOpcode.NO_REPLY | CudaOpcode.REPLY_AFTER_USE
                        : flags;
        return CudaEntry.tag(CudaEntry.opcodeOf(tag), followed);
    }

    private int send() {
        // Before the completions: the completion of a call that it covers may still be in the ring.
        long retired = RetiredWord.get(memory);
        int taken = 0;
        boolean isBlocked = !isBegun && !sendUnanswered(retired);
        while (!isBlocked && (isTaken || completions.poll())) {
            taken += isTaken ? 0 : 1;
            isTaken = true;
            isBlocked = !begin() || !sender.work() || !finish(retired);
        }
        if (taken > 0) {
            completions.release();
        }
        if (!isBlocked || !answers.isEmpty()) {
            sendRetired(retired);
        }
        return taken;
    }

    /// Sends what calls without completions have written.
    ///
    /// @return false if the link has no room
    private boolean sendUnanswered(long retired) {
        for (Transfer first = transfers.firstUnanswered();
                first != null && first.call() < retired;
                first = transfers.firstUnanswered()) {
            if (current != first) {
                current = first;
                sender.begin(first.box());
            }
            if (!sender.work()) {
                return false;
            }
            transfers.end(first);
        }
        current = null;
        return true;
    }

    /// Begins to send the bytes of the taken completion's call, unless it has begun.
    ///
    /// @return false if the completion may tell of the end of a call without completion, whose
    ///   bytes have not been sent
    private boolean begin() {
        if (isBegun) {
            return true;
        }
        MemorySegment completion = completions.entry();
        long call = completion.get(WireType.U64, CudaEntry.NUMBER);
        Transfer first = transfers.firstUnanswered();
        if (first != null && first.call() < call) {
            return false;
        }
        isBegun = true;
        boolean hasSucceeded = completion.get(WireType.U32, CudaEntry.TAG) == CudaStatus.SUCCESS;
        current = transfers.get(call);
        if (current != null && hasSucceeded) {
            if (current.isLimitedByResult()) {
                current.box().limit(completion.get(WireType.U64, CudaEntry.RESULTS));
            }
            sender.begin(current.box());
        }
        return true;
    }

    /// Adds the current completion to the batch, after the bytes have been sent.
    ///
    /// @return false if the link has no room
    private boolean finish(long retired) {
        MemorySegment completion = completions.entry();
        if (current != null && current.isSilent()) {
            int status = completion.get(WireType.U32, CudaEntry.TAG);
            fail(completion.get(WireType.U64, CudaEntry.FAILED));
            if (status != CudaStatus.SUCCESS) {
                fail(FailedCall.of(current.call(), status));
            }
        } else {
            if (!answers.hasRoom(0) && !flush(retired)) {
                return false;
            }
            fail(completion.get(WireType.U64, CudaEntry.FAILED));
            completion.set(WireType.U64, CudaEntry.FAILED, failed);
            failed = FailedCall.NONE;
            answers.add(completion, 0, none, 0);
        }
        if (current != null) {
            transfers.end(current);
        }
        isTaken = false;
        isBegun = false;
        return true;
    }

    private void fail(long call) {
        if (failed == FailedCall.NONE) {
            failed = call;
        }
    }

    private boolean flush(long retired) {
        if (!answers.isEmpty()) {
            sentRetired = transfers.retired(retired);
            answers.send(sender.frames(), sentRetired);
        }
        return answers.hasRoom(0);
    }

    private void sendRetired(long retired) {
        if (transfers.retired(retired) != sentRetired
                && (!answers.isEmpty() || answers.hasRoom(0))) {
            sentRetired = transfers.retired(retired);
            answers.send(sender.frames(), sentRetired);
        } else {
            flush(retired);
        }
    }
}
