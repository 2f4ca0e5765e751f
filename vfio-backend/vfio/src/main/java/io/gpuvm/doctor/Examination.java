package io.gpuvm.doctor;

import io.gpuvm.vfio.PciAddress;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// What [Doctor] has found.
///
/// @param host what concerns the host as a whole
/// @param cards what concerns each card, by address
public record Examination(List<Finding> host, Map<PciAddress, List<Finding>> cards) {
    /// Whether `gpuvm serve --gpu vfio:BDF` can work on some card that was looked at.
    public boolean isUsable() {
        return cards.keySet().stream().anyMatch(this::isUsable);
    }

    /// Whether it can work on this one.
    public boolean isUsable(PciAddress card) {
        return missing(card) == 0;
    }

    /// How many points are in the way, with this card or with the host.
    public long missing(PciAddress card) {
        return Stream.concat(host.stream(), cards.get(card).stream())
                .filter(finding -> finding.status() == Status.MISSING)
                .count();
    }
}
