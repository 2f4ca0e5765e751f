package io.gpuvm.guests.real;

/// Hardware of each virtual machine of a run, except the GPU and the memory.
///
/// @param accelerator method by which QEMU executes instructions
/// @param processors number of the machine's processors, 1 to 16
/// @param on processors of the host on which QEMU runs
public record GuestHardware(Accelerator accelerator, int processors, HostProcessors on) {
    /// One emulated processor.
    public static final GuestHardware DEFAULT =
            new GuestHardware(Accelerator.TCG, 1, HostProcessors.ALL);

    private static final int MOST_PROCESSORS = 16;

    /// @throws IllegalArgumentException if the number of processors is out of range
    public GuestHardware {
        if (processors < 1 || processors > MOST_PROCESSORS) {
            throw new IllegalArgumentException(
                    "processors=%d, expected 1 to %d".formatted(processors, MOST_PROCESSORS));
        }
    }

    public GuestHardware withAccelerator(Accelerator other) {
        return new GuestHardware(other, processors, on);
    }

    public GuestHardware withProcessors(int number) {
        return new GuestHardware(accelerator, number, on);
    }

    /// Returns this hardware, with QEMU on the given processors of the host only.
    public GuestHardware pinnedTo(HostProcessors some) {
        return new GuestHardware(accelerator, processors, some);
    }
}
