package io.gpuvm.cuda.service;

import io.gpuvm.pv.module.ModuleImage;
import io.gpuvm.pv.protocol.ChannelFailure;
import io.gpuvm.pv.runtime.Completions;
import io.gpuvm.pv.runtime.GpuContext;
import io.gpuvm.pv.runtime.GpuException;
import io.gpuvm.pv.runtime.GpuPoint;
import io.gpuvm.pv.runtime.PinnedMemory;
import io.gpuvm.pv.runtime.Releases;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/// Context of a client: streams, the order between them, and pending releases.
final class ExecutorContext {
    /// Release of a resource after the pending operations up to a position.
    private record PendingRelease(long sequence, Runnable release) {}

    private final GpuContext gpu;
    private final PinnedMemory area;
    private final boolean isPrimary;
    private final Completions completions;
    private final ExecutorErrors errors;
    private final ExecutorStream legacy;

    /// All streams, including destroyed streams whose operations are not done.
    private final List<ExecutorStream> streams = new ArrayList<>();

    private final List<ExecutorStream> destroyedStreams = new ArrayList<>();

    /// Streams with pending operations.
    private final List<ExecutorStream> busyStreams = new ArrayList<>();

    private final Deque<PendingRelease> releases = new ArrayDeque<>();
    private final List<ContextTask> tasks = new ArrayList<>();

    /// Number of operations that have ever been pending.
    private long sequence;

    private int pendingOperations;

    /// Number of actions of blocking streams.
    private long blockingActions;

    /// Number of these actions for which the legacy default stream waits.
    private long joinedActions;

    private int stackBytes = ModuleImage.DEFAULT_STACK_BYTES;
    private boolean ended;

    /// @param gpu context; owned by this object
    /// @param area the data area
    ExecutorContext(
            GpuContext gpu,
            PinnedMemory area,
            boolean isPrimary,
            Completions completions,
            ExecutorErrors errors) {
        this.gpu = gpu;
        this.area = area;
        this.isPrimary = isPrimary;
        this.completions = completions;
        this.errors = errors;
        legacy = newStream(true);
    }

    GpuContext gpu() {
        return gpu;
    }

    PinnedMemory area() {
        return area;
    }

    boolean isPrimary() {
        return isPrimary;
    }

    Completions completions() {
        return completions;
    }

    ExecutorStream legacy() {
        return legacy;
    }

    int stackBytes() {
        return stackBytes;
    }

    void setStackBytes(int bytes) {
        stackBytes = bytes;
    }

    /// Returns the number of streams, including destroyed streams whose operations are not done.
    int streamCount() {
        return streams.size();
    }

    int pendingOperations() {
        return pendingOperations;
    }

    /// @throws CudaCallException if the context has failed
    void check() {
        ChannelFailure failure = gpu.failure();
        if (failure != null) {
            throw new CudaCallException(ResultMapping.of(failure), failure.message());
        }
    }

    /// Returns the refusal of a call that failed.
    CudaCallException refusal(GpuException e) {
        return new CudaCallException(resultOf(e), e.getMessage());
    }

    /// Returns the result for an error of the runtime.
    CudaResult resultOf(GpuException e) {
        return ended ? CudaResult.CONTEXT_IS_DESTROYED : ResultMapping.of(e, gpu.failure());
    }

    /// Completes a call when a point is reached.
    void notifyAt(GpuPoint point, CallReply reply) {
        completions.add(
                point,
                failure ->
                        reply.complete(failure == null ? CudaResult.SUCCESS : resultOf(failure)));
    }

    /// @throws GpuException if the context is unusable
    ExecutorStream newStream(boolean isBlocking) {
        ExecutorStream stream = new ExecutorStream(this, gpu.newStream(), isBlocking);
        streams.add(stream);
        return stream;
    }

    /// Destroys a stream once its operations are done.
    void destroy(ExecutorStream stream) {
        destroyedStreams.add(stream);
    }

    /// Adds an operation that takes part in the order between the legacy default stream and the
    /// blocking streams.
    ///
    /// @throws CudaCallException if the operation fails at once
    void act(ExecutorStream stream, StreamOperation operation) {
        join(stream);
        stream.add(operation);
        acted(stream);
    }

    /// Makes a stream wait for the operations that precede its next action.
    void join(ExecutorStream stream) {
        if (stream == legacy) {
            joinBlockingStreams();
        } else if (stream.isBlocking() && stream.joined() < legacy.lastAction()) {
            stream.setJoined(legacy.lastAction());
            stream.add(new JoinOperation(legacy, legacy.lastAction()));
        }
    }

    private void joinBlockingStreams() {
        if (joinedActions == blockingActions) {
            return;
        }
        joinedActions = blockingActions;
        for (ExecutorStream other : streams) {
            if (other != legacy
                    && other.isBlocking()
                    && other.joinedByLegacy() < other.lastAction()) {
                other.setJoinedByLegacy(other.lastAction());
                legacy.add(new JoinOperation(other, other.lastAction()));
            }
        }
    }

    /// Records that the last operation of a stream is an action.
    void acted(ExecutorStream stream) {
        stream.acted();
        if (stream != legacy && stream.isBlocking()) {
            blockingActions++;
        }
    }

    /// Completes a call when all operations of all streams are done.
    void synchronize(CallReply reply) {
        GroupReply group = new GroupReply(reply);
        for (ExecutorStream stream : streams) {
            try {
                if (!stream.isIdle()) {
                    group.add();
                    stream.add(new NotifyOperation(group));
                }
            } catch (GpuException e) {
                group.add();
                group.complete(resultOf(e));
            } catch (CudaCallException _) {
                // The operation has completed its part.
            }
        }
        group.end();
    }

    /// Called when an operation becomes pending.
    void onPending(ExecutorStream stream, StreamOperation operation) {
        operation.setSequence(++sequence);
        pendingOperations++;
        if (!busyStreams.contains(stream)) {
            busyStreams.add(stream);
        }
    }

    /// Reports the failure of an operation whose call has returned.
    void failLater(StreamOperation operation, GpuException e) {
        CudaResult result = resultOf(e);
        operation.cancel(result);
        if (operation.call() != StreamOperation.NO_CALL) {
            errors.onFailedLater(operation.call(), result, e.getMessage());
        }
    }

    /// Runs a release once all earlier operations are submitted. The release itself ensures that
    /// the GPU has completed them.
    void release(Runnable release) {
        if (pendingOperations == 0) {
            release.run();
        } else {
            releases.addLast(new PendingRelease(sequence, release));
        }
    }

    /// Returns the numbers of the runtime's releases.
    Releases releases() {
        return gpu.releases();
    }

    /// Returns whether memory will be released later, by releases before a position.
    boolean hasPendingReleases(Releases known, long position) {
        return known.arePending()
                || !releases.isEmpty() && releases.peekFirst().sequence() < position;
    }

    /// Returns whether memory may be free later without further calls of the client.
    boolean mayReleaseMemory() {
        try {
            return hasPendingReleases(releases(), MemoryWait.AFTER_ALL);
        } catch (GpuException _) {
            // The context has failed.
            return false;
        }
    }

    /// Begins a task, and completes it at once if possible.
    void begin(ContextTask task) {
        if (!advance(task)) {
            tasks.add(task);
        }
    }

    private boolean advance(ContextTask task) {
        try {
            return task.advance();
        } catch (GpuException e) {
            return refuse(task, resultOf(e), e.getMessage());
        } catch (CudaCallException e) {
            return refuse(task, e.result(), e.getMessage());
        }
    }

    private boolean refuse(ContextTask task, CudaResult result, String message) {
        errors.onRefused(result, message);
        task.cancel(result);
        return true;
    }

    /// Returns whether [#doWork()] has to be called.
    boolean isWaiting() {
        return pendingOperations > 0
                || !tasks.isEmpty()
                || !releases.isEmpty()
                || !destroyedStreams.isEmpty();
    }

    /// Advances operations, releases and tasks.
    ///
    /// @return number of steps
    int doWork() {
        int work = 0;
        if (pendingOperations > 0) {
            work += pump();
        }
        if (!releases.isEmpty()) {
            work += runReleases();
        }
        if (!tasks.isEmpty()) {
            int before = tasks.size();
            tasks.removeIf(this::advance);
            work += before - tasks.size();
        }
        if (!destroyedStreams.isEmpty()) {
            destroyedStreams.removeIf(this::closeIfIdle);
        }
        return work;
    }

    private int pump() {
        int work = 0;
        for (ExecutorStream stream : busyStreams) {
            work += stream.pump();
        }
        pendingOperations -= work;
        busyStreams.removeIf(stream -> !stream.hasPending());
        return work;
    }

    private int runReleases() {
        long oldest = Long.MAX_VALUE;
        for (ExecutorStream stream : busyStreams) {
            oldest = Math.min(oldest, stream.oldestSequence());
        }
        int count = 0;
        while (!releases.isEmpty() && releases.peekFirst().sequence() < oldest) {
            releases.removeFirst().release().run();
            count++;
        }
        return count;
    }

    private boolean closeIfIdle(ExecutorStream stream) {
        try {
            if (!stream.isIdle()) {
                return false;
            }
        } catch (GpuException _) {
            // The context has failed.
        }
        stream.gpu().close();
        streams.remove(stream);
        return true;
    }

    /// Completes the calls that wait for memory or for loads, whose context is destroyed.
    void cancelTasks() {
        List<ContextTask> cancelled = List.copyOf(tasks);
        tasks.clear();
        cancelled.forEach(task -> task.cancel(CudaResult.CONTEXT_IS_DESTROYED));
    }

    /// Frees the resources of a destroyed context, if its work is done or the context has failed.
    ///
    /// @return whether the context has ended
    boolean tryEnd() {
        ChannelFailure failure = gpu.failure();
        if (failure != null) {
            streams.forEach(stream -> stream.cancelPending(ResultMapping.of(failure)));
            completions.poll();
            ended = true;
            gpu.terminate();
            return true;
        }
        try {
            if (pendingOperations > 0
                    || !gpu.defaultStream().isDone()
                    || !streams.stream().allMatch(ExecutorStream::isIdle)) {
                return false;
            }
        } catch (GpuException _) {
            // The context has failed meanwhile; the next call ends it.
            return false;
        }
        completions.poll();
        ended = true;
        gpu.close();
        return true;
    }

    /// Ends all work, and frees all resources.
    void terminate() {
        ended = true;
        gpu.terminate();
    }
}
