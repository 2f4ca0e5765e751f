package io.gpuvm.ptx.interpreter;

import io.gpuvm.ptx.check.PtxSpace;
import java.util.Arrays;

/// Memory that all blocks of a machine share, and the windows of generic addresses.
final class MachineMemory {
    /// First address of global memory.
    static final long GLOBAL = 0x1000_0000L;

    /// Windows of generic addresses for shared, local and constant memory.
    static final long SHARED_WINDOW = 0x0100_0000L;

    static final long LOCAL_WINDOW = 0x0200_0000L;
    static final long CONST_WINDOW = 0x0300_0000L;
    private static final long WINDOW_BYTES = 0x0100_0000L;

    final byte[] global;
    final byte[] constant = new byte[1 << 16];

    MachineMemory(int globalBytes) {
        global = new byte[globalBytes];
    }

    /// Returns the space of a generic address.
    static PtxSpace spaceOf(long address) {
        if (address >= GLOBAL) {
            return PtxSpace.GLOBAL;
        }
        if (address >= CONST_WINDOW) {
            return PtxSpace.CONST;
        }
        if (address >= LOCAL_WINDOW) {
            return PtxSpace.LOCAL;
        }
        return address >= SHARED_WINDOW ? PtxSpace.SHARED : PtxSpace.GENERIC;
    }

    /// Returns the difference between a generic address and the address in a space.
    static long window(PtxSpace space) {
        return switch (space) {
            case SHARED -> SHARED_WINDOW;
            case LOCAL -> LOCAL_WINDOW;
            case CONST -> CONST_WINDOW;
            default -> 0;
        };
    }

    /// Returns whether a generic address is in the window of a space.
    static boolean isIn(long address, PtxSpace space) {
        return spaceOf(address) == space
                && (space == PtxSpace.GLOBAL || address - window(space) < WINDOW_BYTES);
    }

    static long read(byte[] memory, long offset, int bytes) {
        check(memory, offset, bytes);
        long value = 0;
        for (int i = bytes - 1; i >= 0; i--) {
            value = value << Byte.SIZE | memory[(int) offset + i] & 0xFF;
        }
        return value;
    }

    static void write(byte[] memory, long offset, int bytes, long value) {
        check(memory, offset, bytes);
        for (int i = 0; i < bytes; i++) {
            memory[(int) offset + i] = (byte) (value >>> i * Byte.SIZE);
        }
    }

    private static void check(byte[] memory, long offset, int bytes) {
        if (offset < 0 || offset > memory.length - bytes) {
            throw new MachineFault(
                    "access of %d bytes at 0x%x, limit=0x%x"
                            .formatted(bytes, offset, memory.length));
        }
        if (offset % bytes != 0) {
            throw new MachineFault("access of %d bytes at 0x%x".formatted(bytes, offset));
        }
    }

    static byte[] grown(byte[] memory, int bytes) {
        return memory.length >= bytes
                ? memory
                : Arrays.copyOf(memory, Math.max(bytes, memory.length * 2));
    }
}
