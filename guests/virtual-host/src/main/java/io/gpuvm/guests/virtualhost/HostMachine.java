package io.gpuvm.guests.virtualhost;

import io.gpuvm.guests.real.QemuMachine;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// What a virtual host is like, as far as its card is concerned.
enum HostMachine {
    /// The card is alone in its IOMMU group, and vfio-pci has it before the tests begin.
    USUAL("intel_iommu=on", "0000:00:", List.of(), QemuMachine.ROOT_BUS),

    /// The card shares a conventional PCI bus with a source of random numbers, and so an IOMMU
    /// group, because a bridge of that kind hides who is behind it. Nothing is bound to vfio-pci.
    SHARED_GROUP(
            "intel_iommu=on gpuvm.bind=no",
            "0000:01:",
            List.of(
                    "pcie-pci-bridge,id=conventional,addr=02.0",
                    "virtio-rng-pci,bus=conventional,addr=02.0"),
            "conventional"),

    /// The card is in a slot from which it can be unplugged while the machine runs.
    HOT_PLUG(
            "intel_iommu=on",
            "0000:01:",
            List.of("pcie-root-port,id=behind,chassis=1,addr=02.0"),
            "behind"),

    /// The usual one with room for the memory of a whole guest, all of which a card keeps there.
    ROOMY("intel_iommu=on", "0000:00:", List.of(), QemuMachine.ROOT_BUS, "3G"),

    /// The kernel leaves the IOMMU alone.
    NO_IOMMU("intel_iommu=off gpuvm.bind=no", "0000:00:", List.of(), QemuMachine.ROOT_BUS);

    /// The IOMMU that vfio-pci asks for. It caches what is not mapped, too, so that QEMU learns of
    /// each mapping when it is made.
    private static final String IOMMU = "intel-iommu,caching-mode=on,aw-bits=48";

    private final String kernelParameters;
    private final String busAddress;
    private final List<String> beside;
    private final String gpuBus;
    private final String memory;

    HostMachine(String kernelParameters, String busAddress, List<String> beside, String gpuBus) {
        this(kernelParameters, busAddress, beside, gpuBus, "1G");
    }

    HostMachine(
            String kernelParameters,
            String busAddress,
            List<String> beside,
            String gpuBus,
            String memory) {
        this.kernelParameters = kernelParameters;
        this.busAddress = busAddress;
        this.beside = beside;
        this.gpuBus = gpuBus;
        this.memory = memory;
    }

    /// The one of this name, which is as in `# Machine: shared-group`.
    static HostMachine named(String name) {
        return valueOf(name.strip().toUpperCase(Locale.ROOT).replace('-', '_'));
    }

    /// Words for the kernel's command line.
    String kernelParameters() {
        return kernelParameters;
    }

    /// How much memory it has, as QEMU writes it.
    String memory() {
        return memory;
    }

    /// The PCI devices beside the card: values of QEMU's `-device`, in the order in which it makes
    /// them.
    List<String> devices() {
        List<String> all = new ArrayList<>(List.of(IOMMU));
        all.addAll(beside);
        return List.copyOf(all);
    }

    /// QEMU's name for the bus that the card is on.
    String gpuBus() {
        return gpuBus;
    }

    /// Where on that bus. Behind a port of PCI Express there is one place only.
    String gpuSlot() {
        return this == HOT_PLUG ? "00.0" : QemuMachine.PCI_SLOT;
    }

    /// Where Linux finds the card.
    String gpuAddress() {
        return busAddress + gpuSlot();
    }
}
