package io.gpuvm.cuda.service;

import io.gpuvm.pv.module.ModuleImage;
import io.gpuvm.pv.protocol.ChannelFailure;
import io.gpuvm.pv.runtime.Completions;
import io.gpuvm.pv.runtime.GpuContext;
import io.gpuvm.pv.runtime.GpuException;
import io.gpuvm.pv.runtime.GpuKernel;
import io.gpuvm.pv.runtime.GpuPoint;
import io.gpuvm.pv.runtime.LaunchShape;
import io.gpuvm.pv.runtime.PinnedMemory;
import io.gpuvm.pv.runtime.Releases;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Predicate;

/// Context of a client: streams, the order between them, and pending releases.
final class ExecutorContext {
    /// Release of a resource after the pending operations up to a position.
    private record PendingRelease(long sequence, Runnable release) {}

    /// Number of streams that are compared or counted in one step of a turn.
    private static final int STREAMS_OF_STEP = 8;

    /// Number of steps of a turn for a release.
    private static final int STEPS_OF_RELEASE = 8;

    private final GpuContext gpu;
    private final PinnedMemory area;
    private final boolean isPrimary;
    private final SessionMeans means;
    private final ExecutorStream legacy;

    /// All streams, including destroyed streams whose operations are not done.
    private final List<ExecutorStream> streams = new ArrayList<>();

    private final Rotation<ExecutorStream> destroyedStreams = new Rotation<>();

    /// Streams with pending operations.
    private final Rotation<ExecutorStream> busyStreams = new Rotation<>();

    private final Deque<PendingRelease> releases = new ArrayDeque<>();
    private final Rotation<ContextTask> tasks = new Rotation<>();

    private final Predicate<ExecutorStream> pump = this::pump;
    private final Predicate<ContextTask> advance = this::advance;
    private final Predicate<ExecutorStream> closeIfIdle = this::closeIfIdle;

    /// Stream that was not idle when the end of the context was tried; null if there was none, or
    /// if the stream is closed.
    private ExecutorStream lastBusy;

    /// True if releases may remain that wait for no operation.
    private boolean areReleasesLeft;

    /// Number of operations that have ever been pending.
    private long sequence;

    private int pendingOperations;

    /// Memory of this process for modules.
    private long moduleBytes;

    /// Number of actions of blocking streams.
    private long blockingActions;

    /// Number of these actions for which the legacy default stream waits.
    private long joinedActions;

    /// Failure of the context; null before it is known.
    private ContextFailure failure;

    private int stackBytes = ModuleImage.DEFAULT_STACK_BYTES;
    private boolean ended;

    /// True if launches may wait for [#flush()].
    private boolean mustFlush;

    /// @param gpu context; owned by this object
    /// @param area the data area
    ExecutorContext(GpuContext gpu, PinnedMemory area, boolean isPrimary, SessionMeans means) {
        this.gpu = gpu;
        this.area = area;
        this.isPrimary = isPrimary;
        this.means = means;
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
        return means.completions();
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
        CudaResult failed = resultOfFailure();
        if (failed != null) {
            throw new CudaCallException(failed, gpu.failure().message());
        }
    }

    /// Returns the result of the context's failure, which the first call reports; null if the
    /// context has not failed.
    private CudaResult resultOfFailure() {
        ChannelFailure cause = gpu.failure();
        if (failure == null && cause != null) {
            failure = ContextFailure.of(gpu, cause);
            failure.reports().forEach(means.errors()::onReport);
        }
        return failure == null ? null : failure.result();
    }

    /// Returns the refusal of a call that failed.
    CudaCallException refusal(GpuException e) {
        return new CudaCallException(resultOf(e), e.getMessage());
    }

    /// Returns the result for an error of the runtime.
    CudaResult resultOf(GpuException e) {
        return ended ? CudaResult.CONTEXT_IS_DESTROYED : ResultMapping.of(e, resultOfFailure());
    }

    /// Completes a call when a point is reached.
    void notifyAt(GpuPoint point, CallReply reply) {
        means.completions()
                .add(
                        point,
                        failure ->
                                reply.complete(
                                        failure == null ? CudaResult.SUCCESS : resultOf(failure)));
    }

    /// Creates a stream. The caller has checked that memory for it is left.
    ///
    /// @throws GpuException if the context is unusable
    ExecutorStream newStream(boolean isBlocking) {
        ExecutorStream stream = new ExecutorStream(this, gpu.newStream(), isBlocking);
        streams.add(stream);
        means.heap().take(SessionHeap.STREAM_BYTES);
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

    /// Launches a kernel if the stream's queue has room. The GPU may start it only after
    /// [#flush()].
    ///
    /// @return whether the kernel is launched
    /// @throws GpuException if the launch is refused, or the context has failed
    boolean tryLaunch(
            ExecutorStream stream, GpuKernel kernel, LaunchShape shape, MemorySegment parameters) {
        mustFlush = true;
        return stream.gpu().offerLaunch(kernel, shape, parameters);
    }

    /// Starts the GPU on all launches.
    void flush() {
        if (!mustFlush) {
            return;
        }
        mustFlush = false;
        try {
            gpu.flush();
        } catch (GpuException _) {
            // The context has failed, so that its channels no longer run.
        }
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
        means.turn().spend(streams.size() / STREAMS_OF_STEP);
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

    /// Returns the number of streams whose operations are not done.
    ///
    /// @throws GpuException if the context has failed
    int countBusyStreams() {
        means.turn().spend(streams.size() / STREAMS_OF_STEP);
        int count = 0;
        for (ExecutorStream stream : streams) {
            count += stream.isIdle() ? 0 : 1;
        }
        return count;
    }

    /// Completes a call when all operations of all streams are done. The caller has checked that
    /// there is room for an operation of each stream that is busy.
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
        means.heap().take(SessionHeap.OPERATION_BYTES);
        if (!stream.isBusy()) {
            stream.setBusy(true);
            busyStreams.add(stream);
        }
    }

    /// Reports the failure of an operation whose call has returned.
    void failLater(StreamOperation operation, GpuException e) {
        CudaResult result = resultOf(e);
        operation.cancel(result);
        if (operation.call() != StreamOperation.NO_CALL) {
            means.errors().onFailedLater(operation.call(), result, e.getMessage());
        }
    }

    /// Runs a release once all earlier operations are submitted. The release itself ensures that
    /// the GPU has completed them.
    void release(Runnable release) {
        if (pendingOperations == 0 && releases.isEmpty()) {
            release.run();
        } else {
            releases.addLast(new PendingRelease(sequence, release));
            means.heap().take(SessionHeap.ALLOCATION_BYTES);
        }
    }

    /// Counts memory of this process for a module.
    ///
    /// @throws CudaCallException if it is not left
    void takeModule(long bytes) {
        means.heap().check("module", bytes);
        means.heap().take(bytes);
        moduleBytes += bytes;
    }

    /// Counts memory of [#takeModule] as free. Has no effect after the end of the context.
    void giveBackModule(long bytes) {
        long counted = Math.min(bytes, moduleBytes);
        means.heap().giveBack(counted);
        moduleBytes -= counted;
    }

    /// Returns the number of releases that wait for the submission of operations.
    int orderedReleases() {
        return releases.size();
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
        means.errors().onRefused(result, message);
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

    /// Advances operations, releases and tasks, as far as steps are left. Steps remain for each
    /// kind of work, however much of the others does not proceed.
    ///
    /// @return number of operations, releases and tasks
    int doWork() {
        PollSteps steps = means.steps();
        boolean isMoreLeft = areReleasesLeft || !destroyedStreams.isEmpty();
        int work = 0;
        if (pendingOperations > 0) {
            int before = pendingOperations;
            busyStreams.visit(steps, steps.share(isMoreLeft || !tasks.isEmpty()), pump);
            work += before - pendingOperations;
        }
        boolean mayRelease = areReleasesLeft || work > 0 && !releases.isEmpty();
        work += tasks.visit(steps, steps.share(isMoreLeft), advance);
        destroyedStreams.visit(steps, steps.share(areReleasesLeft), closeIfIdle);
        return mayRelease ? work + runReleases() : work;
    }

    /// Submits operations of a stream.
    ///
    /// @return whether no operation of the stream is pending
    private boolean pump(ExecutorStream stream) {
        int count = stream.pump();
        means.steps().take(count);
        ended(count);
        stream.setBusy(stream.hasPending());
        return !stream.hasPending();
    }

    /// Counts operations as no longer pending.
    private void ended(int operations) {
        pendingOperations -= operations;
        means.heap().giveBack((long) operations * SessionHeap.OPERATION_BYTES);
    }

    /// Runs the releases that wait for no operation, as far as steps are left.
    ///
    /// @return number of releases
    private int runReleases() {
        PollSteps steps = means.steps();
        areReleasesLeft = true;
        if (steps.left() == 0) {
            return 0;
        }
        steps.take(busyStreams.size() / STREAMS_OF_STEP);
        long oldest = Long.MAX_VALUE;
        for (int i = 0; i < busyStreams.size(); i++) {
            oldest = Math.min(oldest, busyStreams.get(i).oldestSequence());
        }
        int count = 0;
        areReleasesLeft = isReleasedBefore(oldest);
        // The search for the oldest operation may have taken all steps.
        while (areReleasesLeft && (count == 0 || steps.left() > 0)) {
            steps.take(STEPS_OF_RELEASE);
            releases.removeFirst().release().run();
            count++;
            areReleasesLeft = isReleasedBefore(oldest);
        }
        means.heap().giveBack((long) count * SessionHeap.ALLOCATION_BYTES);
        return count;
    }

    /// Returns whether the first release waits only for operations before a position.
    private boolean isReleasedBefore(long position) {
        return !releases.isEmpty() && releases.peekFirst().sequence() < position;
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
        lastBusy = stream == lastBusy ? null : lastBusy;
        means.heap().giveBack(SessionHeap.STREAM_BYTES);
        return true;
    }

    /// Completes the calls that wait for memory or for loads, whose context is destroyed.
    void cancelTasks() {
        List<ContextTask> cancelled = tasks.clear();
        cancelled.forEach(task -> task.cancel(CudaResult.CONTEXT_IS_DESTROYED));
    }

    /// Frees the resources of a destroyed context, if its work is done or the context has failed.
    ///
    /// @return whether the context has ended
    boolean tryEnd() {
        CudaResult failed = resultOfFailure();
        if (failed != null) {
            streams.forEach(stream -> stream.cancelPending(failed));
            means.completions().poll();
            end();
            gpu.terminate();
            return true;
        }
        try {
            if (pendingOperations > 0 || !gpu.defaultStream().isDone() || isAnyBusy()) {
                return false;
            }
        } catch (GpuException _) {
            // The context has failed meanwhile; the next call ends it.
            return false;
        }
        means.completions().poll();
        end();
        gpu.close();
        return true;
    }

    /// Returns whether a stream is busy; looks first at the stream that was busy before.
    private boolean isAnyBusy() {
        if (lastBusy != null && !lastBusy.isIdle()) {
            return true;
        }
        lastBusy = null;
        for (ExecutorStream stream : streams) {
            if (!stream.isIdle()) {
                lastBusy = stream;
                return true;
            }
        }
        return false;
    }

    /// Ends all work, and frees all resources.
    void terminate() {
        cancelTasks();
        end();
        gpu.terminate();
    }

    private void end() {
        ended = true;
        ended(pendingOperations);
        long bytes =
                (long) streams.size() * SessionHeap.STREAM_BYTES
                        + (long) releases.size() * SessionHeap.ALLOCATION_BYTES;
        means.heap().giveBack(bytes + moduleBytes);
        moduleBytes = 0;
    }
}
