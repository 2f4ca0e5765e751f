package io.gpuvm.remote.link;

import java.util.List;
import java.util.Locale;

/// Lane of a link: an ordered stream of frames in each direction, on a connection of its own. The
/// lanes of a link have no order among each other.
public enum Lane {
    /// Small calls and their results.
    CALLS,
    /// Bulk data.
    BULK;

    /// All lanes, in the order of their numbers on the wire.
    static final List<Lane> ALL = List.of(values());

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
