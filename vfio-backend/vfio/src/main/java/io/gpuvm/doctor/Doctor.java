package io.gpuvm.doctor;

import io.gpuvm.vfio.PciAddress;
import io.gpuvm.vfio.PciFunction;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Examination of a host for the requirements of `gpuvm serve --gpu vfio:BDF`. Any user may run it.
/// It changes nothing and opens no card.
public final class Doctor {
    private Doctor() {}

    /// Examines every GPU that is a candidate for sharing.
    ///
    /// @param arenaBytes default size in bytes of the arena, the host memory for each guest in
    ///   addition to the guest's own memory
    public static Examination examine(Host host, long arenaBytes) {
        return examine(
                host,
                arenaBytes,
                host.functions().stream().filter(CardChecks::isCandidate).toList());
    }

    /// Examines one card.
    ///
    /// @param arenaBytes as in [#examine(Host, long)]
    /// @throws IllegalArgumentException if the host has no such PCI function
    public static Examination examine(Host host, long arenaBytes, PciAddress address) {
        PciFunction card = host.function(address);
        if (!card.exists()) {
            throw new IllegalArgumentException(
                    "%s: no such PCI device; NVIDIA GPUs of this host: %s"
                            .formatted(card.address(), candidates(host)));
        }
        return examine(host, arenaBytes, List.of(card));
    }

    private static Examination examine(Host host, long arenaBytes, List<PciFunction> cards) {
        Map<PciAddress, List<Finding>> findings =
                new TreeMap<>(Comparator.comparing(PciAddress::toString));
        for (PciFunction card : cards) {
            findings.put(card.address(), CardChecks.all(host, card));
        }
        return new Examination(HostChecks.all(host, arenaBytes), findings);
    }

    private static String candidates(Host host) {
        List<String> cards =
                host.functions().stream()
                        .filter(CardChecks::isCandidate)
                        .map(card -> card.address().toString())
                        .toList();
        return cards.isEmpty() ? "none" : String.join(", ", cards);
    }
}
