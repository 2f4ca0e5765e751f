package io.gpuvm.backend;

import io.gpuvm.backend.owner.CommandTap;
import io.gpuvm.record.OwnerTrack;

/// Has the flight recorder take down what the owner of the GPU does.
record RecordedCommands(OwnerTrack track) implements CommandTap {
    @Override
    public void onSubmitted(int vm, int channel, long nowNs) {
        track.onSubmitted(vm, channel, nowNs);
    }

    @Override
    public void onStarted(int vm, int channel, long nowNs) {
        track.onStarted(vm, channel, nowNs);
    }

    @Override
    public void onCompleted(int vm, int channel, int engine, long usedNs, long nowNs) {
        track.onCompleted(vm, channel, engine, usedNs, nowNs);
    }
}
