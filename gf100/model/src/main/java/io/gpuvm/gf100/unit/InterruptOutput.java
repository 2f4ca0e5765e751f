package io.gpuvm.gf100.unit;

import io.gpuvm.gf100.device.InterruptKind;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntPredicate;

/// The GPU's interrupt on its way out: turns the level of the interrupt tree into signals of an
/// eventfd, one per event.
///
/// A signal goes out when the level holds and the gate is open, and closes the gate. With MSI the
/// driver opens it again (`PPCI.CYA_2`), with INTX whoever answers the interrupt does (unmask). So
/// between two signals somebody has always looked, and a level that holds on signals again.
///
/// Levels change on the register thread and on engine threads. Level and gate are both published
/// before the other is read, so of two threads that raise and rearm at once at least one sees both.
/// Only one of them signals: whoever is about to looks at level and gate again under the lock,
/// since a signal, its answer and a rearm may have come in between.
public final class InterruptOutput {
    private record Connection(InterruptKind kind, int eventDescriptor, AtomicBoolean gate) {}

    private final IntPredicate signaller;
    private final InterruptTree tree = new InterruptTree(this::evaluate);
    private final AtomicLong signalled = new AtomicLong();
    private volatile Connection connection;

    /// Whether INTX is to be held back, also by connections to come.
    private boolean intxMasked;

    /// @param signaller adds 1 to the eventfd that it is given, and says whether it could; any
    ///   thread
    public InterruptOutput(IntPredicate signaller) {
        this.signaller = signaller;
    }

    /// The tree that ends here.
    public InterruptTree tree() {
        return tree;
    }

    /// Signals sent so far. Any thread.
    public long signalled() {
        return signalled.get();
    }

    /// See [io.gpuvm.gf100.device.GpuDevice#connectInterrupt].
    public void connect(InterruptKind kind, int eventDescriptor) {
        boolean open = kind == InterruptKind.MSI || !intxMasked;
        replace(new Connection(kind, eventDescriptor, new AtomicBoolean(open)));
        evaluate();
    }

    /// See [io.gpuvm.gf100.device.GpuDevice#disconnectInterrupt].
    public void disconnect() {
        replace(null);
    }

    /// Lets the next MSI go out.
    public void rearm() {
        open(InterruptKind.MSI);
    }

    /// Holds back INTX.
    public synchronized void mask() {
        intxMasked = true;
        Connection current = connection;
        if (current != null && current.kind == InterruptKind.INTX) {
            current.gate.set(false);
        }
    }

    /// Lets INTX signal again.
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

    /// The lock is also for [#disconnect()] and [#mask()], which must not return while a signal is
    /// under way.
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
