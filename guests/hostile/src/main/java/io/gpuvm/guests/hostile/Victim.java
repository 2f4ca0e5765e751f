package io.gpuvm.guests.hostile;

import io.gpuvm.gf100.mmu.TableGeometry;

/// Addresses at which a hostile guest would reach another virtual machine's memory if the backend
/// checked nothing.
///
/// @param vram start of the victim's VRAM
/// @param vramBytes length of that VRAM
/// @param ram guest-physical address that reaches the victim's guest-physical address 0
/// @param arena guest-physical address of the victim's shadow tables, instance blocks and USERD
///   areas
/// @param own guest-physical address of the hostile guest's own shadow tables
record Victim(long vram, long vramBytes, long ram, long arena, long own) {
    /// Resources of one virtual machine, from the backend's counters.
    ///
    /// @param vram start of the machine's share in the GPU's VRAM
    /// @param ram bus address of the machine's memory
    /// @param arena bus address of the machine's shadow structures
    record Share(long vram, long vramBytes, long ram, long arena) {}

    /// Computes the victim's addresses. They are 40 bits wide; addresses below the hostile guest's
    /// own result from wrap-around.
    static Victim of(Share hostile, Share other) {
        return new Victim(
                other.vram - hostile.vram & TableGeometry.VA_MASK,
                other.vramBytes,
                other.ram - hostile.ram & TableGeometry.VA_MASK,
                other.arena - hostile.ram & TableGeometry.VA_MASK,
                hostile.arena - hostile.ram & TableGeometry.VA_MASK);
    }

    /// Returns the text form for command lines.
    String toText() {
        return "%x:%x:%x:%x:%x".formatted(vram, vramBytes, ram, arena, own);
    }

    static Victim parse(String text) {
        String[] part = text.split(":");
        if (part.length != 5) {
            throw new IllegalArgumentException("neighbour=%s, expected 5 numbers".formatted(text));
        }
        return new Victim(hex(part[0]), hex(part[1]), hex(part[2]), hex(part[3]), hex(part[4]));
    }

    private static long hex(String text) {
        return Long.parseUnsignedLong(text, 16);
    }
}
