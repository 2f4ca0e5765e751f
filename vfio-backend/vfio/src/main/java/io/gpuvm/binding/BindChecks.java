package io.gpuvm.binding;

import io.gpuvm.doctor.ConsoleUse;
import io.gpuvm.doctor.Host;
import io.gpuvm.vfio.PciFunction;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/// Selection of the functions to bind with a card, and the refusals that protect the host.
final class BindChecks {
    private static final int DISPLAY_CLASS = 0x03;
    private static final int BASE_CLASS_SHIFT = 16;

    private final Host host;
    private final BindOptions options;

    BindChecks(Host host, BindOptions options) {
        this.host = host;
        this.options = options;
    }

    /// Returns the functions to bind to vfio-pci: the card, and the functions of its IOMMU group
    /// whose drivers belong to the host; empty if all of them are bound already.
    ///
    /// @throws BindingException if the host needs one of them
    List<PciFunction> toTake(PciFunction card) {
        requireCard(card);
        List<PciFunction> functions = new ArrayList<>(List.of(card));
        List<PciFunction> others = card.groupMembersInUse();
        if (!others.isEmpty() && !options.wholeGroup()) {
            throw refusal(
                    card,
                    "the host uses other devices of IOMMU group %s: %s; the kernel assigns a group only as a whole. To bind them, too: gpuvm bind %s --whole-group"
                            .formatted(card.group().orElseThrow(), names(others), card.address()));
        }
        functions.addAll(others);
        functions.removeIf(
                function -> function.driver().filter(PciFunction.VFIO_DRIVER::equals).isPresent());
        functions.forEach(this::requireFree);
        return functions;
    }

    private void requireCard(PciFunction card) {
        if (!card.exists()) {
            throw refusal(card, "no such PCI device; gpuvm doctor lists the cards of this host");
        }
        if (card.isBridge()) {
            throw refusal(
                    card,
                    "class %06x is a bridge, which leads to other devices"
                            .formatted(card.classCode()));
        }
        if (card.classCode() >> BASE_CLASS_SHIFT != DISPLAY_CLASS) {
            throw refusal(
                    card,
                    "class=%06x, expected 03xxxx (a display controller)"
                            .formatted(card.classCode()));
        }
        if (card.group().isEmpty()) {
            throw refusal(
                    card,
                    "not behind an IOMMU, which vfio-pci requires; 'gpuvm doctor %s' shows how to enable it"
                            .formatted(card.address()));
        }
        if (!Files.isDirectory(Writes.driver(host.root(), PciFunction.VFIO_DRIVER))) {
            throw refusal(card, "vfio-pci is not loaded; load it with: modprobe vfio-pci");
        }
    }

    private void requireFree(PciFunction function) {
        if (function.isBridge()) {
            throw refusal(function, "a bridge, which vfio-pci does not support");
        }
        if (!Files.isWritable(function.folder().resolve(Writes.OVERRIDE))) {
            throw refusal(
                    function,
                    "%s may not change the driver; run the command as root: sudo gpuvm bind ..."
                            .formatted(host.user()));
        }
        if (!options.display()) {
            ConsoleUse.of(host, function)
                    .ifPresent(use -> {
                        throw refusal(
                                function,
                                "%s. To bind the card and lose that display: --boot-display"
                                        .formatted(use));
                    });
        }
    }

    private static String names(List<PciFunction> functions) {
        return functions.stream().map(PciFunction::toString).collect(Collectors.joining(", "));
    }

    private static BindingException refusal(PciFunction function, String text) {
        return new BindingException("%s: %s".formatted(function.address(), text));
    }
}
