package io.gpuvm.guests.virtualhost;

import io.gpuvm.guests.real.QemuMachine;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// Kind of virtual host, by the position of the card.
enum HostMachine {
    /// Machine whose card is alone in its IOMMU group, and bound to vfio-pci before the tests
    /// begin.
    USUAL("intel_iommu=on", "0000:00:", List.of(), QemuMachine.ROOT_BUS),

    /// Machine whose card shares a conventional PCI bus with a source of random numbers. The two
    /// devices share an IOMMU group, because a bridge to such a bus hides the requester ID. No
    /// device is bound to vfio-pci.
    SHARED_GROUP(
            "intel_iommu=on gpuvm.bind=no",
            "0000:01:",
            List.of(
                    "pcie-pci-bridge,id=conventional,addr=02.0",
                    "virtio-rng-pci,bus=conventional,addr=02.0"),
            "conventional"),

    /// Machine whose card is in a slot that supports unplugging while the machine runs.
    HOT_PLUG(
            "intel_iommu=on",
            "0000:01:",
            List.of("pcie-root-port,id=behind,chassis=1,addr=02.0"),
            "behind"),

    /// Usual machine whose memory suffices for a card that pins all memory of a guest.
    ROOMY("intel_iommu=on", "0000:00:", List.of(), QemuMachine.ROOT_BUS, "3G"),

    /// Machine whose Linux does not enable the IOMMU.
    NO_IOMMU("intel_iommu=off gpuvm.bind=no", "0000:00:", List.of(), QemuMachine.ROOT_BUS);

    /// IOMMU that vfio-pci requires. In caching mode, Linux reports each new mapping, so that QEMU
    /// receives it immediately.
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

    /// Returns the machine with the given name, as in `# Machine: shared-group`.
    static HostMachine named(String name) {
        return valueOf(name.strip().toUpperCase(Locale.ROOT).replace('-', '_'));
    }

    /// Returns words for the kernel's command line.
    String kernelParameters() {
        return kernelParameters;
    }

    /// Returns the memory size in QEMU's syntax.
    String memory() {
        return memory;
    }

    /// Returns the PCI devices beside the card: values of QEMU's `-device`, in order of creation.
    List<String> devices() {
        List<String> all = new ArrayList<>(List.of(IOMMU));
        all.addAll(beside);
        return List.copyOf(all);
    }

    /// Returns the name of the card's bus in QEMU.
    String gpuBus() {
        return gpuBus;
    }

    /// Returns the slot of the card on its bus. A PCI Express port has only one slot.
    String gpuSlot() {
        return this == HOT_PLUG ? "00.0" : QemuMachine.PCI_SLOT;
    }

    /// Returns the PCI address of the card in Linux.
    String gpuAddress() {
        return busAddress + gpuSlot();
    }
}
