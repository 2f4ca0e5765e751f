package io.gpuvm.replay;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// State of a GPU: its registers except clocks, and a digest of its VRAM except times that the GPU
/// has written.
///
/// Two GPUs are in the same state if their end states are equal.
///
/// @param registers number of registers read
/// @param registersSha256 digest of their offsets and values
/// @param vramBytes length of the VRAM read
/// @param vramSha256 digest of the VRAM
/// @param pagesInUse number of nonzero pages of 4 KiB
/// @param registerValues values by offset
/// @param pageSums checksums of pages that are not zero, by page number, which locate the
///   differences between two states
public record EndState(
        int registers,
        String registersSha256,
        long vramBytes,
        String vramSha256,
        int pagesInUse,
        @JsonIgnore Map<Integer, Integer> registerValues,
        @JsonIgnore Map<Integer, Long> pageSums) {
    private static final int DIFFERENCES = 20;

    public EndState {
        registerValues = Map.copyOf(registerValues);
        pageSums = Map.copyOf(pageSums);
    }

    /// Returns descriptions of the first differences of each kind between two states.
    public List<String> differences(EndState other) {
        List<String> found = new ArrayList<>();
        compare(registerValues, other.registerValues, "register %#x: %#x, other %#x", found);
        compare(pageSums, other.pageSums, "page %#x: sum %#x, other %#x", found);
        return found;
    }

    private static <T extends Number> void compare(
            Map<Integer, T> mine, Map<Integer, T> others, String format, List<String> found) {
        Map<Integer, T> all = new TreeMap<>(others);
        all.putAll(mine);
        int count = 0;
        for (int key : all.keySet()) {
            Number left = mine.get(key);
            Number right = others.get(key);
            long a = left == null ? 0 : left.longValue();
            long b = right == null ? 0 : right.longValue();
            if (a != b && count++ < DIFFERENCES) {
                found.add(format.formatted(key, a, b));
            }
        }
        if (count > DIFFERENCES) {
            found.add("and %d more".formatted(count - DIFFERENCES));
        }
    }
}
