package io.gpuvm.replay;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// The state of a GPU: its registers but for clocks, and a digest of its VRAM but for times that
/// the GPU has written there.
///
/// Two states are the same if they are equal.
///
/// @param registers how many were read
/// @param registersSha256 of their offsets and values
/// @param vramBytes how much VRAM was read
/// @param vramSha256 of it
/// @param pagesInUse pages of 4 KiB that are not all zeros
/// @param registerValues by offset
/// @param pageSums by number of the page, those that are not all zeros: to tell where two states
///   differ
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

    /// In what two states differ, in words; the first differences of each kind.
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
