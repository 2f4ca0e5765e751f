package io.gpuvm.doctor;

import io.gpuvm.vfio.PciAddress;
import io.gpuvm.vfio.PciFunction;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Examines a host: what it can do for `gpuvm serve --gpu vfio:BDF`, and what it lacks. Any user
/// may; nothing is changed, no card is opened.
public final class Doctor {
    private Doctor() {}

    /// Looks at every GPU that somebody may want to share.
    ///
    /// @param arenaBytes host memory that each guest takes beside its own, unless told otherwise
    public static Examination examine(Host host, long arenaBytes) {
        return examine(
                host,
                arenaBytes,
                host.functions().stream().filter(CardChecks::isCandidate).toList());
    }

    /// Looks at one card.
    ///
    /// @param arenaBytes as above
    /// @throws IllegalArgumentException if nothing is there
    public static Examination examine(Host host, long arenaBytes, PciAddress address) {
        PciFunction card = host.function(address);
        if (!card.exists()) {
            throw new IllegalArgumentException(
                    "%s: no such PCI device (there are: %s)"
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
        return cards.isEmpty() ? "no GPU of NVIDIA's" : String.join(", ", cards);
    }
}
