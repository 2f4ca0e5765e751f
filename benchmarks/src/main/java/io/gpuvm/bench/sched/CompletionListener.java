package io.gpuvm.bench.sched;

import io.gpuvm.owner.CommandTap;

/// Listener that notifies an [Ending] when a command has completed and has been charged.
///
/// @param ending end of the only command in flight
record CompletionListener(Ending ending) implements CommandTap {
    @Override
    public void onSubmitted(int vm, int session, int channel, int engine, long nowNs) {}

    @Override
    public void onStarted(int vm, int channel, int engine, long nowNs) {}

    @Override
    public void onCompleted(int vm, int channel, int engine, long usedNs, long nowNs) {
        ending.isNow();
    }
}
