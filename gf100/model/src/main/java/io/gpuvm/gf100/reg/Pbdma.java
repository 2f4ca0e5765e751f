package io.gpuvm.gf100.reg;

import static io.gpuvm.gf100.reg.BitField.bit;
import static io.gpuvm.gf100.reg.BitField.bits;

import java.util.Map;
import java.util.StringJoiner;

/// PBDMAs (rnndb: PSUBFIFO): the three units that fetch push buffers.
///
/// Sources: envytools `rnndb/fifo/gf100_pfifo.xml`; nouveau `nvkm/engine/fifo/gf100.c`.
public final class Pbdma {
    static final RegisterBlock BLOCK = new RegisterBlock("PBDMA", 0x040000, 0x6000);

    /// Number of PBDMAs.
    public static final int COUNT = 3;

    private static final int STRIDE = 0x2000;

    /// Next method to execute, at which the PBDMA stopped.
    public static final RegisterArray METHOD = BLOCK.array("CACHE0.ADDR", 0x0400c0, STRIDE, COUNT);

    public static final BitField METHOD_ADDRESS = bits(13, 2).scaledBy(2);
    public static final BitField METHOD_SUBCHANNEL = bits(18, 16);
    public static final BitField METHOD_VALID = bit(31);

    /// Data of the method.
    public static final RegisterArray DATA = BLOCK.array("CACHE0.DATA", 0x0400c4, STRIDE, COUNT);

    /// Pending interrupts. Writing 1 clears a bit; the PBDMA then continues.
    public static final RegisterArray INTR = BLOCK.array("INTR", 0x040108, STRIDE, COUNT);

    public static final RegisterArray INTR_EN = BLOCK.array("INTR_EN", 0x04010c, STRIDE, COUNT);
    public static final RegisterArray INTR_HALT_MASK =
            BLOCK.array("INTR_HALT_MASK", 0x04013c, STRIDE, COUNT);

    /// The put index lies outside the ring.
    public static final BitField INTR_IB_PUT_OVERFLOW = bit(14);

    public static final BitField INTR_IB_ENTRY_INVALID = bit(15);
    public static final BitField INTR_ILLEGAL_COMMAND = bit(18);
    public static final BitField INTR_ILLEGAL_METHOD = bit(21);
    public static final BitField INTR_METHOD_7C_NONZERO = bit(22);

    /// A method for software, or on a subchannel without an engine.
    public static final BitField INTR_SOFTWARE_METHOD = bit(23);

    public static final BitField INTR_ILLEGAL_SEMAPHORE = bit(25);
    public static final BitField INTR_SIGNATURE_MISMATCH = bit(31);

    private static final Map<BitField, String> INTERRUPT_NAMES =
            Map.of(
                    INTR_IB_PUT_OVERFLOW,
                    "IB_PUT_OVERFLOW",
                    INTR_IB_ENTRY_INVALID,
                    "INVALID_IB_ENTRY",
                    INTR_ILLEGAL_COMMAND,
                    "ILLEGAL_CMD",
                    INTR_ILLEGAL_METHOD,
                    "ILLEGAL_MTHD",
                    INTR_METHOD_7C_NONZERO,
                    "MTHD_7C_NONZERO",
                    INTR_SOFTWARE_METHOD,
                    "EMPTY_SUBC",
                    INTR_ILLEGAL_SEMAPHORE,
                    "ILLEGAL_SEMAPHORE",
                    INTR_SIGNATURE_MISMATCH,
                    "SIG_MISMATCH");

    /// Last fetched header.
    public static final RegisterArray COMMAND = BLOCK.array("CMD_SHADOW", 0x040118, STRIDE, COUNT);

    /// Loaded channel.
    public static final RegisterArray CHANNEL = BLOCK.array("CH", 0x040120, STRIDE, COUNT);

    public static final BitField CHANNEL_ID = bits(6, 0);
    public static final BitField CHANNEL_ACTIVE = bit(8);

    private Pbdma() {}

    /// Returns rnndb's names of the given interrupts, for messages.
    public static String interruptNames(int interrupts) {
        StringJoiner names = new StringJoiner(" ");
        int left = interrupts;
        for (Map.Entry<BitField, String> named : INTERRUPT_NAMES.entrySet()) {
            if (named.getKey().isSet(interrupts)) {
                names.add(named.getValue());
                left &= ~named.getKey().mask();
            }
        }
        return left == 0 ? names.toString() : names.add("%#x".formatted(left)).toString();
    }
}
