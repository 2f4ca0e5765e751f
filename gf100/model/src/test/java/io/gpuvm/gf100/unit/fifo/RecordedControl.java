package io.gpuvm.gf100.unit.fifo;

import io.gpuvm.gf100.mmu.MemoryTarget;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Channel control that records the requests from the registers, and completes them immediately or
/// leaves them pending.
final class RecordedControl implements ChannelControl {
    final List<String> asked = new ArrayList<>();
    boolean atOnce = true;
    int status;

    @Override
    public void bind(int channel, MemoryTarget target, long instanceAddress) {
        asked.add("bind %d %s %x".formatted(channel, target, instanceAddress));
    }

    @Override
    public void unbind(int channel) {
        asked.add("unbind %d".formatted(channel));
    }

    @Override
    public void run(int channel, boolean runnable) {
        asked.add("run %d %s".formatted(channel, runnable));
    }

    @Override
    public int status(int channel) {
        return status;
    }

    @Override
    public boolean commitRunlist(int[] channels, int count) {
        asked.add("runlist " + Arrays.toString(Arrays.copyOf(channels, count)));
        return atOnce;
    }

    @Override
    public boolean preempt(int channel) {
        asked.add("preempt %d".formatted(channel));
        return atOnce;
    }

    @Override
    public void freeze(int engineBits) {
        asked.add("freeze %x".formatted(engineBits));
    }

    @Override
    public void injectFault(int engine, int unit) {
        asked.add("fault %d %x".formatted(engine, unit));
    }

    @Override
    public void releaseFaults(int units) {
        asked.add("faults released %x".formatted(units));
    }

    @Override
    public void releaseMethod(int pbdma, int method, int data, int bits) {
        asked.add("method released %d %x %x %x".formatted(pbdma, method, data, bits));
    }
}
