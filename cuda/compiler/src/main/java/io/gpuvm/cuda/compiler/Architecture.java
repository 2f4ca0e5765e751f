package io.gpuvm.cuda.compiler;

import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// GPU whose language a source uses. The machine code is always for sm_20.
///
/// @param number 20 for sm_20
record Architecture(int number) {
    /// GPU whose machine code the PTX compiler generates.
    static final int MACHINE = 20;

    /// GPUs that clang knows, up to the newest one whose functions clang's headers declare without
    /// NVIDIA's headers.
    private static final NavigableSet<Integer> KNOWN =
            new TreeSet<>(List.of(MACHINE, 21, 30, 32, 35, 37, 50, 52, 53, 60));

    private static final Pattern NAME = Pattern.compile("(?:sm|compute|lto)_(\\d+)[a-z]?");

    /// Names of nvcc for GPUs of this host, or of this compiler.
    private static final List<String> ANY = List.of("native", "all", "all-major");

    /// Returns the oldest of several GPUs, or sm_20 if there are none. A GPU that clang or the
    /// headers do not know becomes the next older one.
    ///
    /// @throws CcException if a name is not that of a GPU
    static Architecture oldest(List<String> names) {
        int oldest = names.stream().mapToInt(Architecture::number).min().orElse(MACHINE);
        Integer known = KNOWN.floor(oldest);
        return new Architecture(known == null ? MACHINE : known);
    }

    private static int number(String name) {
        Matcher matcher = NAME.matcher(name);
        if (ANY.contains(name)) {
            return MACHINE;
        }
        if (!matcher.matches() || matcher.group(1).length() > 4) {
            throw CcException.usage(
                    "GPU=%s, expected for instance sm_20 or compute_35".formatted(name));
        }
        return Integer.parseInt(matcher.group(1));
    }

    /// Returns the name, for instance `sm_20`.
    @Override
    public String toString() {
        return "sm_" + number;
    }
}
