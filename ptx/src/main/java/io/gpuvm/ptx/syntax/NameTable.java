package io.gpuvm.ptx.syntax;

import java.util.Arrays;

/// Table of the names of a source, so that equal names share one string.
final class NameTable {
    private static final int INITIAL_SLOTS = 1 << 10;

    /// Number of slots that a search visits. A name that does not find a slot is not shared, so
    /// that names with equal hashes do not slow the search.
    private static final int PROBES = 8;

    private static final int MULTIPLIER = 0x9E3779B1;

    private String[] slots = new String[INITIAL_SLOTS];
    private int used;

    /// Returns the name in a part of the text.
    ///
    /// @param hash hash of the characters
    String name(char[] text, int start, int end, int hash) {
        int mask = slots.length - 1;
        int slot = (hash * MULTIPLIER) >>> (Integer.numberOfLeadingZeros(mask));
        for (int i = 0; i < PROBES; i++) {
            String name = slots[(slot + i) & mask];
            if (name == null) {
                return add((slot + i) & mask, new String(text, start, end - start));
            }
            if (equals(name, text, start, end)) {
                return name;
            }
        }
        return new String(text, start, end - start);
    }

    private String add(int slot, String name) {
        slots[slot] = name;
        used++;
        if (used > slots.length / 2) {
            grow();
        }
        return name;
    }

    private void grow() {
        String[] old = slots;
        slots = new String[old.length * 2];
        int mask = slots.length - 1;
        for (String name : old) {
            if (name != null) {
                place(name, mask);
            }
        }
        used = (int) Arrays.stream(slots).filter(name -> name != null).count();
    }

    private void place(String name, int mask) {
        int slot = (name.hashCode() * MULTIPLIER) >>> (Integer.numberOfLeadingZeros(mask));
        for (int i = 0; i < PROBES; i++) {
            if (slots[(slot + i) & mask] == null) {
                slots[(slot + i) & mask] = name;
                return;
            }
        }
    }

    private static boolean equals(String name, char[] text, int start, int end) {
        if (name.length() != end - start) {
            return false;
        }
        for (int i = start; i < end; i++) {
            if (name.charAt(i - start) != text[i]) {
                return false;
            }
        }
        return true;
    }
}
