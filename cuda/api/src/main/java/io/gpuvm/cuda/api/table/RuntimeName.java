package io.gpuvm.cuda.api.table;

import java.util.List;

/// Exported name of the CUDA runtime API, with the versions of CUDA that have it.
///
/// @param symbol exported name
/// @param since version in which the name appears, 1000 * major + 10 * minor
/// @param until last version with the name; [Integer#MAX_VALUE] if it exists still
/// @param twin second name, which uses the default stream of the calling thread
public record RuntimeName(String symbol, int since, int until, ApiVariant.Twin twin) {
    private static final int FIRST_WITH_TWINS = 7000;

    /// Returns whether the name has a twin.
    public boolean hasTwin() {
        return twin != ApiVariant.Twin.NONE;
    }

    /// Returns the twin's name.
    public String twinSymbol() {
        return symbol + twin.suffix();
    }

    /// Returns whether a library for a version exports the name.
    boolean isIn(int version) {
        return since <= version && version <= until;
    }

    /// Returns the names, twins included, that a library for a version exports.
    List<String> symbols(int version) {
        if (!isIn(version)) {
            return List.of();
        }
        boolean hasBoth = hasTwin() && version >= FIRST_WITH_TWINS;
        return hasBoth ? List.of(symbol, twinSymbol()) : List.of(symbol);
    }
}
