package io.gpuvm.cuda.service;

import io.gpuvm.pv.runtime.Completions;
import java.util.ArrayList;
import java.util.List;

/// Contexts of a session, with those that are destroyed but whose work is not done.
final class SessionContexts {
    private final Completions completions = new Completions();
    private final ExecutorLimits limits;
    private final List<ExecutorContext> live = new ArrayList<>();
    private final List<ExecutorContext> ending = new ArrayList<>();

    SessionContexts(ExecutorLimits limits) {
        this.limits = limits;
    }

    Completions completions() {
        return completions;
    }

    boolean hasPrimary() {
        return live.stream().anyMatch(ExecutorContext::isPrimary);
    }

    /// @throws CudaCallException if the session cannot have another context
    void checkRoomForContext() {
        CallChecks.atMost("contexts", live.size() + ending.size() + 1L, limits.contexts());
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
        CallChecks.atMost(
                "pending operations", pendingOperations() + 1L, limits.stalledOperations());
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
        return completions.size() > 0
                || !ending.isEmpty()
                || live.stream().anyMatch(ExecutorContext::isWaiting);
    }

    /// Advances all contexts.
    ///
    /// @return number of steps
    int doWork() {
        int work = completions.poll();
        for (int i = 0; i < live.size(); i++) {
            work += live.get(i).doWork();
        }
        if (!ending.isEmpty()) {
            ending.forEach(ExecutorContext::doWork);
            ending.removeIf(ExecutorContext::tryEnd);
        }
        return work;
    }

    /// Ends all work.
    void terminate() {
        live.forEach(ExecutorContext::terminate);
        ending.forEach(ExecutorContext::terminate);
        live.clear();
        ending.clear();
    }
}
