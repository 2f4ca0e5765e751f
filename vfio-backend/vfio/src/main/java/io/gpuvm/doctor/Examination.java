package io.gpuvm.doctor;

import io.gpuvm.vfio.PciAddress;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// Findings of [Doctor].
///
/// @param host findings on the host as a whole
/// @param cards findings on each card, by address
public record Examination(List<Finding> host, Map<PciAddress, List<Finding>> cards) {
    /// Returns whether `gpuvm serve --gpu vfio:BDF` can work on at least one examined card.
    public boolean isUsable() {
        return cards.keySet().stream().anyMatch(this::isUsable);
    }

    /// Returns whether `gpuvm serve --gpu vfio:BDF` can work on this card.
    public boolean isUsable(PciAddress card) {
        return missing(card) == 0;
    }

    /// Returns the number of unmet requirements of this card and of the host.
    public long missing(PciAddress card) {
        return Stream.concat(host.stream(), cards.get(card).stream())
                .filter(finding -> finding.status() == Status.MISSING)
                .count();
    }
}
