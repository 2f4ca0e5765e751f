package io.gpuvm.daemon;

import io.gpuvm.owner.CommandTap;
import io.gpuvm.record.OwnerTrack;
import io.gpuvm.sched.PolicyKind;
import io.gpuvm.sched.policy.TimeShare;

/// Listener that records the actions of the GPU's owner and all input of its scheduler, from which
/// the decisions can be repeated.
record RecordedCommands(OwnerTrack track) implements CommandTap {
    @Override
    public void onSubmitted(int vm, int session, int channel, int engine, long nowNs) {
        track.onSubmitted(vm, session, channel, engine, nowNs);
    }

    @Override
    public void onStarted(int vm, int channel, int engine, long nowNs) {
        track.onStarted(vm, channel, engine, nowNs);
    }

    @Override
    public void onWithdrawn(int vm, int channel, int engine, long nowNs) {
        track.onWithdrawn(vm, channel, engine, nowNs);
    }

    @Override
    public void onCompleted(int vm, int channel, int engine, long usedNs, long nowNs) {
        track.onCompleted(vm, channel, engine, usedNs, nowNs);
    }

    @Override
    public void onCharged(int vm, int channel, int engine, long usedNs, long nowNs) {
        track.onCharged(vm, channel, engine, usedNs, nowNs);
    }

    @Override
    public void onShare(int vm, TimeShare share, long nowNs) {
        track.onShare(vm, share.weight(), share.capPercent(), nowNs);
    }

    @Override
    public void onPolicy(PolicyKind policy, long nowNs) {
        track.onPolicy(PolicyOption.textOf(policy), nowNs);
    }
}
