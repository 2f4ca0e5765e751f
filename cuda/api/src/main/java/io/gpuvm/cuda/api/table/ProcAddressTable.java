package io.gpuvm.cuda.api.table;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;

/// Table of `cuGetProcAddress`: for each name, the symbols by the CUDA version in which they
/// appear. Immutable.
///
/// A query gets the youngest symbol that appeared in the queried version or before. A query with
/// per-thread default streams gets the twin of a symbol if the twin appeared by then.
public final class ProcAddressTable {
    /// Result of a query.
    ///
    /// @param symbol exported name, or null if there is none
    /// @param isKnown whether the name exists in any version
    public record Answer(String symbol, boolean isKnown) {}

    /// Entry of the table.
    ///
    /// @param name queried name
    /// @param since CUDA version in which the symbol appears
    /// @param isPerThread whether only queries with per-thread default streams get the symbol
    /// @param symbol exported name
    public record Entry(String name, int since, boolean isPerThread, String symbol) {}

    private final TreeMap<String, List<Entry>> byName = new TreeMap<>();

    private ProcAddressTable() {}

    /// Builds the table of all names that `cuGetProcAddress` knows.
    public static ProcAddressTable of(ApiTable table) {
        ProcAddressTable result = new ProcAddressTable();
        table.variants().filter(variant -> variant.since() != 0).forEach(result::add);
        Comparator<Entry> youngestFirst =
                Comparator.comparingInt(Entry::since).thenComparing(Entry::isPerThread).reversed();
        result.byName.values().forEach(entries -> entries.sort(youngestFirst));
        return result;
    }

    private void add(ApiVariant variant) {
        String name = variant.queryName();
        List<Entry> entries = byName.computeIfAbsent(name, key -> new ArrayList<>());
        entries.add(new Entry(name, variant.since(), false, variant.symbol()));
        if (variant.hasTwin()) {
            entries.add(new Entry(name, variant.twinSince(), true, variant.twinSymbol()));
        }
    }

    /// Returns all entries: by name in the order of the bytes, then youngest first; of two entries
    /// of one version, the entry for per-thread default streams comes first.
    public List<Entry> entries() {
        return byName.values().stream().flatMap(List::stream).toList();
    }

    /// Answers a query.
    ///
    /// @param name name without version, such as `cuMemAlloc`
    /// @param version CUDA version, as 1000 * major + 10 * minor
    /// @param isPerThread whether the program uses per-thread default streams
    public Answer find(String name, int version, boolean isPerThread) {
        List<Entry> entries = byName.getOrDefault(name, List.of());
        for (Entry entry : entries) {
            if (entry.since() <= version && (isPerThread || !entry.isPerThread())) {
                return new Answer(entry.symbol(), true);
            }
        }
        return new Answer(null, !entries.isEmpty());
    }
}
