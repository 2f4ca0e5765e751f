package io.gpuvm.remote.session;

import io.gpuvm.cuda.protocol.CudaEntry;
import io.gpuvm.cuda.protocol.CudaOpcode;
import io.gpuvm.cuda.protocol.RetiredWord;
import io.gpuvm.pv.protocol.RingEntry;
import io.gpuvm.pv.protocol.WireType;
import io.gpuvm.pv.ring.RingConsumer;
import io.gpuvm.pv.ring.RingProducer;
import io.gpuvm.pv.ring.SharedArea;
import io.gpuvm.remote.link.Link;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// End of a CUDA session on the program's host: takes the place of the backend in the program's
/// area. Sends the program's calls, preceded by the bytes that they read, and passes completions to
/// the program when the bytes that the calls have written are in its data area.
final class CudaHostEnd implements HostEnd {
    private final SharedArea area;
    private final MemorySegment data;
    private final RingConsumer submissions;
    private final RingProducer completions;
    private final Runnable ring;
    private final CudaTransfers transfers = new CudaTransfers();
    private final RowsSender sender;
    private final RowsReceiver receiver;
    private final EntryBatch calls;
    private final EntryReader answers;
    private final MemorySegment arguments =
            Arena.ofAuto().allocate(CudaOpcode.MAX_ARGUMENT_BYTES, Long.BYTES);

    /// Length of the arguments of the current call.
    private long argumentBytes;

    /// True if a call has been taken from the ring, and has not been added to the batch.
    private boolean isCurrent;

    private boolean isStalled;

    /// @param signal wakes the sleeping program
    CudaHostEnd(SharedArea area, Link link, Runnable signal) {
        this.area = area;
        data = area.data();
        submissions = area.submissionConsumer();
        completions = area.completionProducer();
        ring = area.guestDoorbell(signal)::ring;
        transfers.mapArea(0, data.byteSize());
        sender = new RowsSender(link, data);
        receiver = new RowsReceiver(link, data);
        calls = new EntryBatch(link, SessionFrame.ENTRIES);
        answers = new EntryReader(link, SessionFrame.COMPLETIONS);
    }

    @Override
    public int doWork(long nowNs) {
        return receive() + send();
    }

    @Override
    public long nanosUntilWork(long nowNs) {
        return isStalled ? STALL_NS : Long.MAX_VALUE;
    }

    @Override
    public boolean isStalled() {
        return isStalled;
    }

    private int receive() {
        int work = receiver.work();
        isStalled = false;
        while (!isStalled && answers.begin(receiver.frames())) {
            while (!isStalled && answers.hasEntry()) {
                isStalled = !complete();
                work += isStalled ? 0 : 1;
            }
            if (!isStalled) {
                RetiredWord.set(area.memory(), answers.retired());
                answers.end();
                work++;
            }
        }
        if (work > 0) {
            ring.run();
        }
        return work;
    }

    /// @return false if the program's ring is full
    private boolean complete() {
        long entry = answers.entry();
        long at = completions.claim();
        if (at == RingProducer.FULL) {
            return false;
        }
        MemorySegment.copy(
                answers.memory(),
                entry + RingEntry.CORRELATION,
                completions.memory(),
                at + RingEntry.CORRELATION,
                RingEntry.BYTES - RingEntry.CORRELATION);
        completions.publish(answers.memory().get(WireType.U32, entry + RingEntry.TAG));
        answers.take(0);
        return true;
    }

    private int send() {
        int taken = 0;
        while (isCurrent || submissions.poll()) {
            if (!isCurrent) {
                begin(submissions.entry());
                taken++;
            }
            if (!sender.work() || !calls.hasRoom(argumentBytes) && !flush()) {
                break;
            }
            calls.add(submissions.entry(), 0, arguments, argumentBytes);
            isCurrent = false;
        }
        if (taken > 0) {
            submissions.release();
        }
        flush();
        return taken;
    }

    private void begin(MemorySegment entry) {
        isCurrent = true;
        int flags = CudaEntry.flagsOf(entry.get(WireType.U32, CudaEntry.TAG));
        argumentBytes = (flags & CudaOpcode.SPILLED) == 0 ? 0 : copyArguments(entry);
        transfers.read(entry, arguments, argumentBytes);
        sender.begin(transfers.input());
    }

    /// Copies the arguments of a spilled call. The arguments of a call whose range is invalid do
    /// not travel; the gateway then makes the range invalid, too.
    ///
    /// @return length of the arguments
    private long copyArguments(MemorySegment entry) {
        long offset = entry.get(WireType.U64, CudaEntry.OPERANDS);
        long bytes = entry.get(WireType.U64, CudaEntry.ARGUMENT_BYTES);
        boolean isValid =
                bytes > 0
                        && bytes <= CudaOpcode.MAX_ARGUMENT_BYTES
                        && bytes % Long.BYTES == 0
                        && offset >= 0
                        && offset <= data.byteSize() - bytes;
        if (!isValid) {
            entry.set(WireType.U64, CudaEntry.ARGUMENT_BYTES, 0);
            return 0;
        }
        MemorySegment.copy(data, offset, arguments, 0, bytes);
        return bytes;
    }

    /// Sends the batch, after [EntryBatch#hasRoom] for its last entry.
    ///
    /// @return whether the empty batch has room for the current call
    private boolean flush() {
        if (!calls.isEmpty()) {
            calls.send(sender.frames(), 0);
        }
        return calls.hasRoom(argumentBytes);
    }
}
