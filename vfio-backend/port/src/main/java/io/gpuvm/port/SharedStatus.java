package io.gpuvm.port;

import io.gpuvm.gf100.device.KernelPosition;
import io.gpuvm.gf100.fifo.EngineId;
import io.gpuvm.gf100.reg.Pfifo;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;

/// Latest status observed by the owner, which one virtual machine reads without a request: a cell
/// for each channel, for each engine, for the used GPU time, and for the position of each channel's
/// kernel that has failed.
///
/// The owner's thread writes with release order; any thread reads with acquire order. Cells are
/// independent of each other.
public final class SharedStatus {
    private final AtomicIntegerArray channelStates = new AtomicIntegerArray(Pfifo.CHANNELS);
    private final AtomicIntegerArray engineStatuses = new AtomicIntegerArray(EngineId.COUNT);
    private final AtomicLong gpuTimeNs = new AtomicLong();
    private final AtomicReferenceArray<KernelPosition> kernelPositions =
            new AtomicReferenceArray<>(Pfifo.CHANNELS);

    /// Creates the cells, all 0 or null.
    SharedStatus() {}

    /// Returns a channel's state, as [GpuRequests#channelState] specifies.
    int channelState(int channel) {
        return channelStates.getAcquire(channel);
    }

    /// Returns an engine's status, as [GpuRequests#engineStatus] specifies.
    public int engineStatus(int engine) {
        return engineStatuses.getAcquire(engine);
    }

    /// Returns the used GPU time, as [GpuRequests#gpuTimeNs] specifies.
    long gpuTimeNs() {
        return gpuTimeNs.getAcquire();
    }

    /// Returns and forgets a position, as [GpuRequests#takeKernelPosition] specifies.
    KernelPosition takeKernelPosition(int channel) {
        return kernelPositions.getAndSet(channel, null);
    }

    /// Sets the position of a channel's kernel that has failed. Called before the report of the
    /// failure.
    ///
    /// @param position position, or null if it is unknown
    public void showKernelPosition(int channel, KernelPosition position) {
        kernelPositions.setRelease(channel, position);
    }

    /// Sets a channel's cell.
    ///
    /// @param state `PFIFO.CHANNEL_STATE` without the driver's own bit
    public void showChannel(int channel, int state) {
        channelStates.setRelease(channel, state);
    }

    /// Sets an engine's cell.
    ///
    /// @param status `PFIFO.ENGINE_STATUS` with the guest's number of the channel, 0 for idle
    public void showEngine(int engine, int status) {
        engineStatuses.setRelease(engine, status);
    }

    /// Sets the used GPU time, which never decreases.
    public void showGpuTime(long ns) {
        gpuTimeNs.setRelease(ns);
    }
}
