package io.gpuvm.trap.vfiouser;

import io.gpuvm.linux.EventFd;
import io.gpuvm.linux.Poller;
import java.util.function.IntConsumer;

/// The eventfds that the client gave for the device's interrupts.
final class IrqTable {
    private final VfioUserDevice device;
    private final EventFd[][] events = new EventFd[Irq.COUNT][];

    /// What the client signals instead of sending an unmask message for [Irq#INTX]; QEMU has KVM do
    /// so when the guest's interrupt controller sees the end of the interrupt.
    private EventFd resample;

    private final IntConsumer resampleWatch;

    /// @param resampleWatch told which descriptor to poll for [#onResample()], or [Poller#NONE];
    ///   told before that descriptor is closed
    IrqTable(VfioUserDevice device, IntConsumer resampleWatch) {
        this.device = device;
        this.resampleWatch = resampleWatch;
        for (Irq irq : Irq.values()) {
            events[irq.index()] = new EventFd[device.vectors(irq)];
        }
    }

    int vectors(Irq irq) {
        return events[irq.index()].length;
    }

    /// Has a vector signal an eventfd, which belongs to this table from now on: it is closed if the
    /// device does not take it, and the vector then stays as it was.
    void connect(Irq irq, int vector, EventFd event) {
        try {
            device.connectInterrupt(irq, vector, event.descriptor());
        } catch (RuntimeException | Error e) {
            event.close();
            throw e;
        }
        close(events[irq.index()][vector]);
        events[irq.index()][vector] = event;
    }

    void disconnect(Irq irq, int vector) {
        EventFd event = events[irq.index()][vector];
        if (event != null) {
            device.disconnectInterrupt(irq, vector);
            event.close();
            events[irq.index()][vector] = null;
        }
    }

    /// Disconnects all vectors of a kind.
    void disable(Irq irq) {
        for (int vector = 0; vector < vectors(irq); vector++) {
            disconnect(irq, vector);
        }
        if (irq == Irq.INTX) {
            resample(null);
        }
    }

    /// Signals as if the device had, without asking it.
    void fire(Irq irq, int vector) {
        EventFd event = events[irq.index()][vector];
        if (event != null) {
            event.signal();
        }
    }

    void mask() {
        device.maskInterrupt();
    }

    void unmask() {
        device.unmaskInterrupt();
    }

    /// Unmasks whenever the client signals this eventfd, or no more if it is null. It belongs to
    /// this table from now on, and is closed if it cannot be watched.
    void resample(EventFd event) {
        try {
            resampleWatch.accept(event == null ? Poller.NONE : event.descriptor());
        } catch (RuntimeException | Error e) {
            close(event);
            throw e;
        }
        close(resample);
        resample = event;
    }

    /// Unmasks if the client has asked for it.
    void onResample() {
        if (resample != null && resample.drain() > 0) {
            unmask();
        }
    }

    /// Forgets everything, for the next client.
    void clear() {
        for (Irq irq : Irq.values()) {
            disable(irq);
        }
    }

    private static void close(EventFd event) {
        if (event != null) {
            event.close();
        }
    }
}
