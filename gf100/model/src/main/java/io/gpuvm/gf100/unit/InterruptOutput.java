package io.gpuvm.gf100.unit;

import io.gpuvm.gf100.device.InterruptKind;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntPredicate;

/// Output of the GPU's interrupt: converts the level of the interrupt tree into signals on an
/// eventfd.
///
/// A signal is sent when the level is asserted and the gate is open, and closes the gate. With MSI
/// the driver reopens the gate (`PPCI.CYA_2`), with INTX the interrupt's handler reopens it
/// (unmask). The interrupt is therefore handled between two signals, and a level that remains
/// asserted signals again.
///
/// Levels change on the register thread and on engine threads. A thread that raises the level
/// publishes the level before it reads the gate, and a thread that re-arms publishes the gate
/// before it reads the level. If two threads do so concurrently, at least one of them sees both
/// changes. Only one thread signals: a thread that is about to signal checks level and gate again
/// under the lock, because a signal, its handling and a re-arm may have happened since the first
/// check.
public final class InterruptOutput {
    private record Connection(InterruptKind kind, int eventDescriptor, AtomicBoolean gate) {}

    private final IntPredicate signaller;
    private final InterruptTree tree = new InterruptTree(this::evaluate);
    private final AtomicLong signalled = new AtomicLong();
    private volatile Connection connection;

    /// Flag: INTX is masked; also applies to future connections.
    private boolean intxMasked;

    /// @param signaller function that adds 1 to an eventfd and returns whether the write succeeded;
    ///   any thread
    public InterruptOutput(IntPredicate signaller) {
        this.signaller = signaller;
    }

    /// Returns the tree whose level this output signals.
    public InterruptTree tree() {
        return tree;
    }

    /// Returns the total number of sent signals. Any thread.
    public long signalled() {
        return signalled.get();
    }

    /// Connects the interrupt: see [io.gpuvm.gf100.device.GpuDevice#connectInterrupt].
    public void connect(InterruptKind kind, int eventDescriptor) {
        boolean open = kind == InterruptKind.MSI || !intxMasked;
        replace(new Connection(kind, eventDescriptor, new AtomicBoolean(open)));
        evaluate();
    }

    /// Disconnects the interrupt: see [io.gpuvm.gf100.device.GpuDevice#disconnectInterrupt].
    public void disconnect() {
        replace(null);
    }

    /// Allows the next MSI.
    public void rearm() {
        open(InterruptKind.MSI);
    }

    /// Masks INTX.
    public synchronized void mask() {
        intxMasked = true;
        Connection current = connection;
        if (current != null && current.kind == InterruptKind.INTX) {
            current.gate.set(false);
        }
    }

    /// Unmasks INTX.
    public void unmask() {
        intxMasked = false;
        open(InterruptKind.INTX);
    }

    private void open(InterruptKind kind) {
        Connection current = connection;
        if (current != null && current.kind == kind) {
            current.gate.set(true);
            evaluate();
        }
    }

    private void evaluate() {
        Connection current = connection;
        if (current != null && tree.asserted() && current.gate.get()) {
            signal(current);
        }
    }

    /// Sends a signal under the lock, which also serializes with [#disconnect()] and [#mask()]:
    /// these methods must not return while a signal is in progress.
    private synchronized void signal(Connection current) {
        if (connection == current
                && tree.asserted()
                && current.gate.compareAndSet(true, false)
                && signaller.test(current.eventDescriptor)) {
            signalled.incrementAndGet();
        }
    }

    private synchronized void replace(Connection next) {
        connection = next;
    }
}
