package io.gpuvm.cuda.service;

import java.util.ArrayList;
import java.util.List;

/// Contexts of a session, with those that are destroyed but whose work is not done.
final class SessionContexts {
    private final ExecutorLimits limits;
    private final SessionMeans means;
    private final List<ExecutorContext> live = new ArrayList<>();
    private final List<ExecutorContext> ending = new ArrayList<>();

    /// Index of the context that is advanced first.
    private int first;

    SessionContexts(ExecutorLimits limits, SessionMeans means) {
        this.limits = limits;
        this.means = means;
    }

    SessionMeans means() {
        return means;
    }

    boolean hasPrimary() {
        return live.stream().anyMatch(ExecutorContext::isPrimary);
    }

    /// @throws CudaCallException if the session cannot have another context
    void checkRoomForContext() {
        CallChecks.atMost("contexts", live.size() + ending.size() + 1L, limits.contexts());
        means.heap().check("context", SessionHeap.STREAM_BYTES);
    }

    void add(ExecutorContext context) {
        live.add(context);
    }

    /// Ends a context once its work is done.
    void destroy(ExecutorContext context) {
        live.remove(context);
        context.cancelTasks();
        if (!context.tryEnd()) {
            ending.add(context);
        }
    }

    /// @throws CudaCallException if no further operation can be pending
    void checkRoomForOperation() {
        checkRoomForOperations(1);
    }

    /// @throws CudaCallException if not so many further operations can be pending
    void checkRoomForOperations(int count) {
        CallChecks.atMost(
                "pending operations",
                pendingOperations() + (long) count,
                limits.stalledOperations());
        means.heap().check("operation", (long) count * SessionHeap.OPERATION_BYTES);
    }

    int pendingOperations() {
        int pending = 0;
        for (int i = 0; i < live.size(); i++) {
            pending += live.get(i).pendingOperations();
        }
        for (int i = 0; i < ending.size(); i++) {
            pending += ending.get(i).pendingOperations();
        }
        return pending;
    }

    /// Returns whether [#doWork()] has to be called.
    boolean areWaiting() {
        if (means.completions().size() > 0 || !ending.isEmpty()) {
            return true;
        }
        for (int i = 0; i < live.size(); i++) {
            if (live.get(i).isWaiting()) {
                return true;
            }
        }
        return false;
    }

    /// Advances all contexts, as far as steps are left in the turn; the next call begins with the
    /// next context.
    ///
    /// @return number of completions and advanced operations
    int doWork() {
        PollSteps steps = means.steps();
        steps.renew();
        int checks = Math.min(means.completions().size(), Math.max(1, steps.left() / 2));
        steps.take(checks);
        int work = means.completions().poll(checks);
        int count = live.size() + ending.size();
        for (int i = 0; i < count; i++) {
            work += context((first + i) % count).doWork();
        }
        first = count == 0 ? 0 : (first + 1) % count;
        if (!ending.isEmpty()) {
            ending.removeIf(ExecutorContext::tryEnd);
        }
        return work;
    }

    private ExecutorContext context(int index) {
        return index < live.size() ? live.get(index) : ending.get(index - live.size());
    }

    /// Starts the GPU on all launches.
    void flush() {
        for (int i = live.size() + ending.size() - 1; i >= 0; i--) {
            context(i).flush();
        }
    }

    /// Ends all work.
    void terminate() {
        live.forEach(ExecutorContext::terminate);
        ending.forEach(ExecutorContext::terminate);
        live.clear();
        ending.clear();
    }
}
