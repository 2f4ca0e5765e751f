package io.gpuvm.cuda.api.table;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Exported name of a function.
///
/// @param symbol name, without the suffix of a twin
/// @param since CUDA version in which the name appears, as 1000 * major + 10 * minor; 0 if
///   `cuGetProcAddress` does not know the name
/// @param support answer of the stub
/// @param twin second name for per-thread default streams
public record ApiVariant(String symbol, int since, Support support, Twin twin) {
    /// First CUDA version with per-thread default streams.
    public static final int FIRST_TWINS = 7000;

    private static final Pattern BASE = Pattern.compile("(\\w+?)(_v\\d+)?");

    /// Answer of a stub, and its place in the tiers.
    public enum Support {
        /// Function of the first tier.
        TIER1,
        /// Function of the second tier.
        TIER2,
        /// Function outside the tiers.
        EXTRA,
        /// The stub answers `CUDA_ERROR_NOT_SUPPORTED`.
        REFUSED;

        /// Returns whether the stub calls the function.
        public boolean isLive() {
            return this != REFUSED;
        }
    }

    /// Suffix of a second name, whose default stream is the calling thread's own.
    public enum Twin {
        /// No second name.
        NONE(""),
        /// Second name of a function with a stream.
        PTSZ("_ptsz"),
        /// Second name of a function without a stream.
        PTDS("_ptds");

        private final String suffix;

        Twin(String suffix) {
            this.suffix = suffix;
        }

        /// Returns the suffix, empty for [#NONE].
        public String suffix() {
            return suffix;
        }
    }

    /// Returns whether the name has a twin.
    public boolean hasTwin() {
        return twin != Twin.NONE;
    }

    /// Returns the name of the twin; the same name if there is none.
    public String twinSymbol() {
        return symbol + twin.suffix();
    }

    /// Returns the CUDA version in which the twin appears.
    public int twinSince() {
        return Math.max(since, FIRST_TWINS);
    }

    /// Returns the name by which `cuGetProcAddress` finds this variant: the symbol without version.
    public String queryName() {
        Matcher matcher = BASE.matcher(symbol);
        return matcher.matches() ? matcher.group(1) : symbol;
    }

    /// Returns all exported names: the symbol, and its twin if it has one.
    public List<String> symbols() {
        return hasTwin() ? List.of(symbol, twinSymbol()) : List.of(symbol);
    }
}
