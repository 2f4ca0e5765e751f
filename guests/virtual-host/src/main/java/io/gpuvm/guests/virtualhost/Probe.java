package io.gpuvm.guests.virtualhost;

import io.gpuvm.gf100.device.Bar;
import io.gpuvm.gf100.device.GpuDevice;
import io.gpuvm.gf100.reg.Pmc;
import io.gpuvm.linux.EventFd;
import io.gpuvm.vfio.PciAddress;
import io.gpuvm.vfio.VfioGpu;
import java.time.Duration;
import java.time.Instant;

/// Program inside the virtual host that checks the prerequisites of all other tests: system calls,
/// Linux's VFIO, and a register.
///
/// Argument: PCI address of the card. Exit status 0 if all checks pass.
final class Probe {
    private Probe() {}

    public static void main(String[] args) {
        measured("java.millisToMain", millisSinceStart());
        try (EventFd event = EventFd.create()) {
            check("eventfd is " + event.descriptor());
        }
        try (GpuDevice gpu = VfioGpu.open(PciAddress.parse(args[0]))) {
            check("the card is " + gpu.identity());
            long boot = gpu.read(Bar.BAR0, Pmc.BOOT_0.offset(), Integer.BYTES);
            check("register %s holds %#x".formatted(Pmc.BOOT_0.name(), boot));
        }
        measured("java.millisToEnd", millisSinceStart());
    }

    private static long millisSinceStart() {
        Instant started = ProcessHandle.current().info().startInstant().orElseThrow();
        return Duration.between(started, Instant.now()).toMillis();
    }

    private static void check(String text) {
        System.out.printf("@gpuvm {\"event\":\"check\",\"ok\":true,\"text\":\"%s\"}%n", text);
    }

    private static void measured(String name, long value) {
        System.out.printf(
                "@gpuvm {\"event\":\"measured\",\"name\":\"%s\",\"value\":%d}%n", name, value);
    }
}
