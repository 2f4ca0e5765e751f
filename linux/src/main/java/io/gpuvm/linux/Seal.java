package io.gpuvm.linux;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/// File seal: restriction of a memfd that the kernel enforces for all holders (fcntl(2)).
public enum Seal {
    /// Prevents additional seals.
    SEAL(0x1),
    /// Prevents the file from shrinking, so that accesses to a mapping never fault.
    SHRINK(0x2),
    /// Prevents the file from growing.
    GROW(0x4),
    /// Prevents writes.
    WRITE(0x8);

    private static final int F_ADD_SEALS = 1033;
    private static final int F_GET_SEALS = 1034;

    private final int bit;

    Seal(int bit) {
        this.bit = bit;
    }

    /// Returns the seals of an open file; empty for files that cannot be sealed.
    public static Set<Seal> of(int descriptor) {
        int bits = Native.C.fcntl(descriptor, F_GET_SEALS, 0);
        if (bits < 0) {
            if (Native.errno() == Errno.EINVAL.number()) {
                return Set.of();
            }
            throw Native.failure("fcntl(" + descriptor + ", F_GET_SEALS)");
        }
        EnumSet<Seal> seals = EnumSet.noneOf(Seal.class);
        for (Seal seal : values()) {
            if ((bits & seal.bit) != 0) {
                seals.add(seal);
            }
        }
        return Collections.unmodifiableSet(seals);
    }

    /// Returns whether the kernel supports seals for an open file. Does not call the file system.
    static boolean areKept(int descriptor) {
        return Native.C.fcntl(descriptor, F_GET_SEALS, 0) >= 0;
    }

    static void add(int descriptor, Set<Seal> seals) {
        int bits = 0;
        for (Seal seal : seals) {
            bits |= seal.bit;
        }
        if (Native.C.fcntl(descriptor, F_ADD_SEALS, bits) < 0) {
            throw Native.failure("fcntl(" + descriptor + ", F_ADD_SEALS, " + seals + ")");
        }
    }
}
