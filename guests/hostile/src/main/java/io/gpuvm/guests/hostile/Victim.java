package io.gpuvm.guests.hostile;

import io.gpuvm.gf100.mmu.TableGeometry;

/// Where another virtual machine's things are, numbered as the hostile guest would have to name
/// them if nobody checked.
///
/// @param vram where its VRAM begins
/// @param vramBytes how much that is
/// @param ram what its guest-physical 0 would be
/// @param arena where its shadow tables, instance blocks and USERD areas are: guest-physical
/// @param own where the hostile guest's own shadow tables are: guest-physical
record Victim(long vram, long vramBytes, long ram, long arena, long own) {
    /// What one machine has of the GPU, as the backend tells it.
    ///
    /// @param vram where its VRAM begins in the GPU's
    /// @param ram bus address of its memory
    /// @param arena bus address of its shadow structures
    record Share(long vram, long vramBytes, long ram, long arena) {}

    /// Addresses are 40 bits wide, so what lies below is reached by going round.
    static Victim of(Share hostile, Share other) {
        return new Victim(
                other.vram - hostile.vram & TableGeometry.VA_MASK,
                other.vramBytes,
                other.ram - hostile.ram & TableGeometry.VA_MASK,
                other.arena - hostile.ram & TableGeometry.VA_MASK,
                hostile.arena - hostile.ram & TableGeometry.VA_MASK);
    }

    /// As a word of a command line.
    String toText() {
        return "%x:%x:%x:%x:%x".formatted(vram, vramBytes, ram, arena, own);
    }

    static Victim parse(String text) {
        String[] part = text.split(":");
        if (part.length != 5) {
            throw new IllegalArgumentException("neighbour=%s, limit=5 numbers".formatted(text));
        }
        return new Victim(hex(part[0]), hex(part[1]), hex(part[2]), hex(part[3]), hex(part[4]));
    }

    private static long hex(String text) {
        return Long.parseUnsignedLong(text, 16);
    }
}
