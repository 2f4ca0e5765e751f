package io.gpuvm.cuda.service;

import io.gpuvm.pv.runtime.Completions;

/// Means that all contexts of a session use.
///
/// @param completions callbacks of points that the GPU will reach
/// @param errors receiver of errors
/// @param heap memory of this process for the session's objects
/// @param turn current turn of the session
/// @param steps steps of the turn that remain for the checks of pending work
record SessionMeans(
        Completions completions,
        ExecutorErrors errors,
        SessionHeap heap,
        Turn turn,
        PollSteps steps) {
    static SessionMeans of(GpuContextExecutor.Parts parts) {
        return new SessionMeans(
                new Completions(),
                parts.errors(),
                new SessionHeap(parts.heap()),
                parts.turn(),
                new PollSteps(parts.turn()));
    }
}
