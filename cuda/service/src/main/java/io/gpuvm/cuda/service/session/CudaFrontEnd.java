package io.gpuvm.cuda.service.session;

import io.gpuvm.cuda.protocol.CudaCallDecoder;
import io.gpuvm.cuda.protocol.CudaCallHandler;
import io.gpuvm.cuda.protocol.CudaEntry;
import io.gpuvm.cuda.protocol.CudaOpcode;
import io.gpuvm.cuda.protocol.CudaStatus;
import io.gpuvm.cuda.service.CudaExecutor;
import io.gpuvm.cuda.service.Turn;
import io.gpuvm.pv.host.SessionFrontEnd;
import io.gpuvm.pv.host.SessionViolationException;
import io.gpuvm.pv.protocol.WireType;
import io.gpuvm.pv.ring.RingConsumer;
import io.gpuvm.pv.ring.SharedArea;
import java.lang.foreign.MemorySegment;

/// Front end of a CUDA session: takes calls from the submission ring in order, executes them, and
/// publishes their completions. Confined to the poller; launches, and calls that are answered at
/// once, allocate nothing here.
public final class CudaFrontEnd implements SessionFrontEnd {
    private final RingConsumer ring;
    private final Runnable wakeClient;
    private final Turn turn;
    private final CallCompletions completions;
    private final SessionErrors errors;
    private final CallArguments arguments;
    private final Connection connection;
    private final SessionCalls calls;

    /// Number of the last call that was taken.
    private long last;

    private int taken;

    /// Number of calls that failed in the last turn.
    private int failed;

    /// True if the ring has an entry that could not be taken in the last turn.
    private boolean isStalled;

    /// @param area area that is shared with the client
    /// @param wakeClient wakes the client if it sleeps
    /// @param log log of the virtual machine
    CudaFrontEnd(SharedArea area, Runnable wakeClient, RefusalLog log, Connection.Parts parts) {
        ring = area.submissionConsumer();
        this.wakeClient = wakeClient;
        turn = parts.turn();
        completions = new CallCompletions(area);
        errors = new SessionErrors(parts.vm(), log, completions);
        DataArea data = new DataArea(area.data());
        arguments = new CallArguments(data);
        connection = new Connection(parts, data, errors);
        calls = new SessionCalls(connection, data, arguments, errors);
    }

    /// Takes calls, and advances earlier calls.
    ///
    /// @throws SessionViolationException if the numbers of calls are not consecutive
    @Override
    public int doWork(int limit) {
        CudaExecutor executor = connection.executor();
        int work = executor == null ? 0 : executor.doWork();
        taken = 0;
        while (taken < limit && mayTake() && ring.poll()) {
            take(ring.entry());
            taken++;
        }
        if (taken > 0) {
            ring.release();
            flush();
        }
        // A completion that follows says that a stream is done, and so are its copies.
        completions.precede();
        work += answerAreaUses();
        isStalled = !ring.isEmpty() && !mayTake();
        if (completions.publish(oldestAreaUse())) {
            wakeClient.run();
        }
        failed = completions.takeFailures();
        return work + taken;
    }

    /// Starts the GPU on the operations that were taken: launches of one turn have one submission.
    private void flush() {
        CudaExecutor executor = connection.executor();
        if (executor != null) {
            executor.flush();
        }
    }

    private int answerAreaUses() {
        CudaExecutor executor = connection.executor();
        return executor == null ? 0 : executor.answerAreaUses();
    }

    private boolean mayTake() {
        CudaExecutor executor = connection.executor();
        return completions.canTake()
                && turn.isLeft()
                && (executor == null || executor.isAccepting());
    }

    private long oldestAreaUse() {
        CudaExecutor executor = connection.executor();
        return executor == null ? last + 1 : Math.min(executor.oldestAreaUse(), last + 1);
    }

    /// @param entry private copy of the entry
    private void take(MemorySegment entry) {
        long number = entry.get(WireType.U64, CudaEntry.NUMBER);
        if (number != last + 1) {
            throw new SessionViolationException(
                    "number of a call=%d, expected=%d".formatted(number, last + 1));
        }
        last = number;
        int tag = entry.get(WireType.U32, CudaEntry.TAG);
        int opcode = CudaEntry.opcodeOf(tag);
        int flags = CudaEntry.flagsOf(tag);
        boolean isAnswered = (flags & CudaOpcode.NO_REPLY) == 0;
        PendingCall answered = isAnswered ? completions.begin(number) : null;
        errors.begin(opcode, number);
        calls.begin(answered);
        int status = execute(tag, number, entry);
        errors.end();
        if (status == CudaCallHandler.PENDING) {
            return;
        }
        if (status == CudaStatus.SUCCESS && (flags & CudaOpcode.REPLY_AFTER_USE) != 0) {
            connection.executor().answerAfterAreaUse(number, answered);
        } else if (isAnswered) {
            answered.complete(status, 0, 0);
        } else if (status != CudaStatus.SUCCESS) {
            completions.failed(number, status);
        }
    }

    /// @return status of the call, or [CudaCallHandler#PENDING] if the call completes by its
    ///   [PendingCall]
    private int execute(int tag, long number, MemorySegment entry) {
        int opcode = CudaEntry.opcodeOf(tag);
        if (connection.executor() == null && opcode != CudaOpcode.CONNECT) {
            errors.refused(CudaStatus.NOT_INITIALIZED, "connections=0, expected=1");
            return CudaStatus.NOT_INITIALIZED;
        }
        boolean isSpilled = (CudaEntry.flagsOf(tag) & CudaOpcode.SPILLED) != 0;
        if (isSpilled && !arguments.copy(entry)) {
            long offset = entry.get(WireType.U64, CudaEntry.OPERANDS);
            return calls.refused(
                    number,
                    opcode,
                    "arguments",
                    offset,
                    "a range of the data area, multiples of 8, at most %d bytes"
                            .formatted(CudaOpcode.MAX_ARGUMENT_BYTES),
                    CudaStatus.INVALID_VALUE);
        }
        return CudaCallDecoder.decode(
                tag,
                number,
                entry,
                arguments.memory(),
                isSpilled ? arguments.bytes() : 0,
                entry,
                calls);
    }

    @Override
    public int taken() {
        return taken;
    }

    @Override
    public int failed() {
        return failed;
    }

    @Override
    public boolean isWaiting() {
        CudaExecutor executor = connection.executor();
        return isStalled || executor != null && executor.isWaiting();
    }

    @Override
    public void close() {
        CudaExecutor executor = connection.executor();
        if (executor != null) {
            executor.close();
        }
    }
}
