package io.gpuvm.tests.cuda;

import io.gpuvm.cuda.protocol.CudaCall;
import io.gpuvm.cuda.protocol.CudaEntry;
import io.gpuvm.cuda.protocol.CudaOpcode;
import io.gpuvm.cuda.protocol.RetiredWord;
import io.gpuvm.pv.protocol.WireType;
import io.gpuvm.pv.ring.RingConsumer;
import io.gpuvm.pv.ring.RingProducer;
import io.gpuvm.pv.ring.SharedArea;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/// Client's end of a CUDA session's area. The arguments of spilled calls lie at the end of the data
/// area. Confined to one thread.
public final class CudaTestClient {
    /// Length of the part of the data area for arguments, in bytes.
    public static final int ARGUMENT_BYTES = 8 * CudaOpcode.MAX_ARGUMENT_BYTES;

    private final SharedArea area;
    private final MemorySegment data;
    private final RingProducer submissions;
    private final RingConsumer completions;
    private final Runnable onWait;
    private final Map<Long, CudaCompletion> arrived = new HashMap<>();
    private long last;
    private long argumentOffset;

    /// @param area area of the session
    /// @param onWait called repeatedly while the client waits: makes the backend work, or pauses
    public CudaTestClient(SharedArea area, Runnable onWait) {
        this.area = area;
        this.onWait = onWait;
        data = area.data();
        submissions = area.submissionProducer();
        completions = area.completionConsumer();
        argumentOffset = firstArgument();
    }

    /// Returns the data area.
    public MemorySegment data() {
        return data;
    }

    /// Returns the number of the last call.
    public long last() {
        return last;
    }

    /// Returns the number that the backend has published as retired.
    public long retired() {
        return RetiredWord.get(area.memory());
    }

    /// Sends a call with the flags of its class.
    ///
    /// @return number of the call
    public long send(CudaCall call) {
        return send(call, call.tag());
    }

    /// Sends a call with another tag than its own.
    ///
    /// @return number of the call
    public long send(CudaCall call, int tag) {
        return sendEntry(
                tag,
                entry -> {
                    MemorySegment arguments = data.asSlice(argumentOffset);
                    int bytes = call.write(entry, arguments, argumentOffset);
                    argumentOffset += bytes;
                    if (data.byteSize() - argumentOffset < CudaOpcode.MAX_ARGUMENT_BYTES) {
                        argumentOffset = firstArgument();
                    }
                });
    }

    /// Sends an entry with the next number.
    ///
    /// @param operands writes the operands
    /// @return number of the call
    public long sendEntry(int tag, Consumer<MemorySegment> operands) {
        return sendEntry(tag, last + 1, operands);
    }

    /// Sends an entry with any number.
    ///
    /// @param operands writes the operands
    /// @return number of the call
    public long sendEntry(int tag, long number, Consumer<MemorySegment> operands) {
        long at = submissions.claim();
        while (at == RingProducer.FULL) {
            onWait.run();
            collect();
            at = submissions.claim();
        }
        MemorySegment entry = submissions.memory().asSlice(at, CudaEntry.BYTES);
        entry.set(WireType.U64, CudaEntry.NUMBER, number);
        operands.accept(entry);
        submissions.publish(tag);
        last = number;
        return number;
    }

    /// Sends a call, and waits for its completion.
    public CudaCompletion call(CudaCall call) {
        return await(send(call));
    }

    /// Waits for the completion of a call.
    public CudaCompletion await(long number) {
        collect();
        while (!arrived.containsKey(number)) {
            onWait.run();
            collect();
        }
        return arrived.remove(number);
    }

    /// Lets the backend work, or pauses.
    public void pause() {
        onWait.run();
    }

    /// Returns whether the completion of a call has arrived, and [#await] has not taken it.
    public boolean hasArrived(long number) {
        collect();
        return arrived.containsKey(number);
    }

    /// Takes all completions from the ring.
    public void collect() {
        boolean any = false;
        while (completions.poll()) {
            CudaCompletion completion = CudaCompletion.of(completions.entry(), retired());
            if (arrived.put(completion.number(), completion) != null) {
                throw new AssertionError("second completion of call " + completion.number());
            }
            any = true;
        }
        if (any) {
            completions.release();
        }
    }

    private long firstArgument() {
        return data.byteSize() - ARGUMENT_BYTES;
    }
}
