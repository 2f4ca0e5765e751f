package io.gpuvm.trap.vfiouser;

import io.gpuvm.linux.EventFd;
import io.gpuvm.linux.Poller;
import java.util.function.IntConsumer;

/// Eventfds that the client has sent for the device's interrupts.
final class IrqTable {
    private final VfioUserDevice device;
    private final EventFd[][] events = new EventFd[Irq.COUNT][];

    /// Eventfd that the client signals instead of sending an unmask message for [Irq#INTX]; QEMU
    /// lets KVM signal it at the guest's end of interrupt.
    private EventFd resample;

    private final IntConsumer resampleWatch;

    /// @param resampleWatch receives the descriptor to poll for [#onResample()], or [Poller#NONE];
    ///   called before the previous descriptor is closed
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

    /// Connects a vector to an eventfd. The table takes ownership of the eventfd; if the device
    /// refuses it, the table closes it and leaves the vector's entry unchanged.
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

    /// Signals a vector's eventfd, without involving the device.
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

    /// Sets the eventfd whose signals unmask [Irq#INTX]; null removes it. The table takes ownership
    /// of the eventfd, and closes it if it cannot be polled.
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

    /// Unmasks [Irq#INTX] if the client has signalled its resample eventfd.
    void onResample() {
        if (resample != null && resample.drain() > 0) {
            unmask();
        }
    }

    /// Clears all state, for the next client.
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
