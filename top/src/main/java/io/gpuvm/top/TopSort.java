package io.gpuvm.top;

import java.util.Comparator;
import java.util.Locale;

/// Order of the virtual machines of a backend. All orders except that by name begin with the
/// greatest value.
public enum TopSort {
    /// By share of the GPU.
    SHARE(Comparator.comparingDouble(TopVm::share).reversed()),
    /// By GPU time since the attachment.
    TIME(Comparator.comparingLong(TopVm::gpuTimeNs).reversed()),
    /// By number of waiting commands.
    QUEUE(Comparator.comparingLong(TopVm::queue).reversed()),
    /// By 99th percentile of the waits.
    WAIT(Comparator.comparingLong(TopVm::waitP99Ns).reversed()),
    /// By VRAM in use.
    VRAM(Comparator.comparingLong(TopVm::vramUsedBytes).reversed()),
    /// By trapped accesses per second.
    TRAPS(Comparator.comparingDouble(TopVm::trapsPerSecond).reversed()),
    /// By ring entries per second.
    ENTRIES(Comparator.comparingDouble(TopVm::entriesPerSecond).reversed()),
    /// By name.
    NAME(Comparator.comparing(TopVm::name));

    private final Comparator<TopVm> order;

    TopSort(Comparator<TopVm> order) {
        this.order = order;
    }

    /// Returns the order; virtual machines with equal values are in the order of their attachments.
    Comparator<TopVm> order() {
        return order.thenComparingLong(TopVm::attachment);
    }

    /// Returns the name in options and on the screen.
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /// Returns the next order, the first after the last.
    TopSort next() {
        return values()[(ordinal() + 1) % values().length];
    }
}
