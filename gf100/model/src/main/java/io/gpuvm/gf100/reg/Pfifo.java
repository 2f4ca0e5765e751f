package io.gpuvm.gf100.reg;

import static io.gpuvm.gf100.reg.BitField.bit;
import static io.gpuvm.gf100.reg.BitField.bits;

/// PFIFO: channel table, runlist, preemption, interrupt and fault status of the host interface.
///
/// Sources: envytools `rnndb/fifo/gf100_pfifo.xml`; nouveau `nvkm/engine/fifo/gf100.c`.
public final class Pfifo {
    static final RegisterBlock BLOCK = new RegisterBlock("PFIFO", 0x002000, 0x2000);

    /// Number of channels.
    public static final int CHANNELS = 128;

    /// Pending interrupts. Some bits are set while other registers are nonzero; writing 1 clears
    /// each of the remaining bits.
    public static final Register INTR = BLOCK.reg32("INTR", 0x002100);

    public static final Register INTR_EN = BLOCK.reg32("INTR_EN", 0x002140);

    /// Invalid word in the channel table; [#CHAN_TABLE_ERROR] holds the reason.
    public static final BitField INTR_CHAN_TABLE_ERROR = bit(0);

    /// Unexpected state of an engine or a channel in the scheduler; [#SCHED_ERROR] holds the
    /// reason.
    public static final BitField INTR_SCHED_ERROR = bit(8);

    /// Set while [#VM_FAULT_SOURCE] is nonzero.
    public static final BitField INTR_VM_FAULT = bit(28);

    /// Set while [#PBDMA_INTR_SOURCE] is nonzero.
    public static final BitField INTR_PBDMA = bit(29);

    /// Set while [#RUNLIST_EVENT] is nonzero.
    public static final BitField INTR_RUNLIST = bit(30);

    /// Set while [#ENGINE_INTR_SOURCE] is nonzero: non-stall interrupts.
    public static final BitField INTR_ENGINE = bit(31);

    /// Bits of [#INTR] that are latched.
    public static final BitField INTR_LATCHED = bits(27, 0);

    public static final Register CTRL = BLOCK.reg32("CTRL", 0x002200);
    public static final Register PBDMA_ENABLE = BLOCK.reg32("SUBFIFO_ENABLE", 0x002204);
    public static final BitField PBDMA_ENABLE_UNITS = bits(2, 0);

    /// Mask of excluded PBDMAs, by engine: PBDMA i may serve engine e if bit i of element e is 0.
    public static final RegisterArray ENGINE_PBDMA_MASK =
            BLOCK.array("ENG_SUBFIFO_MASK", 0x002208, 4, 6);

    public static final Register NOSNOOP_REFRESH = BLOCK.reg32("NOSNOOP_REFRESH", 0x002248);
    public static final Register HIDDEN_CHANNEL = BLOCK.reg32("HIDDEN_CHANNEL", 0x00224c);
    public static final Register ACQUIRE_PRETEST = BLOCK.reg32("ACQ_PRETEST", 0x002250);

    /// Start of the channels' USERD areas in BAR1's address space.
    public static final Register USERD_BASE = BLOCK.reg32("BAR1_BASE", 0x002254);

    public static final BitField USERD_BASE_ADDRESS = bits(27, 0).scaledBy(12);
    public static final BitField USERD_BASE_VALID = bit(28);
    public static final Register IDLE_FILTER = BLOCK.reg32("IDLE_FILTER", 0x002258);
    public static final Register CTXSW_INTERVAL = BLOCK.reg32("CTXSW_INTERVAL", 0x002260);

    /// Runlist to commit: address and target.
    public static final Register RUNLIST = BLOCK.reg32("PLAYLIST_WR", 0x002270);

    public static final BitField RUNLIST_ADDRESS = bits(27, 0).scaledBy(12);
    public static final BitField RUNLIST_TARGET = bits(29, 28);

    /// Number of the runlist's entries; a write commits the runlist.
    public static final Register RUNLIST_LENGTH = BLOCK.reg32("PLAYLIST_WR_LEN", 0x002274);

    public static final BitField RUNLIST_ENTRIES = bits(11, 0);

    /// Loaded runlist.
    public static final Register RUNLIST_LOADED = BLOCK.reg32("PLAYLIST_RD", 0x002278);

    public static final Register RUNLIST_LOADED_LENGTH = BLOCK.reg32("PLAYLIST_RD_LEN", 0x00227c);

    /// The load is in progress.
    public static final BitField RUNLIST_BUSY = bit(20);

    public static final RegisterArray ENGINE_RAMFC_F8 =
            BLOCK.array("ENG_RAMFC_UNKF8", 0x002310, 4, 16);
    public static final RegisterArray ENGINE_RAMFC_FC =
            BLOCK.array("ENG_RAMFC_UNKFC", 0x002350, 4, 16);

    /// Engine that a PBDMA currently serves, by PBDMA.
    public static final RegisterArray PBDMA_ENGINE = BLOCK.array("SUBFIFO_ENGINE", 0x002390, 4, 3);

    public static final Register CHAN_TABLE_ERROR = BLOCK.reg32("CHAN_TABLE_ERROR", 0x00252c);

    /// A channel table word has an invalid memory target.
    public static final int CHAN_TABLE_ERROR_INVALID_TARGET = 6;

    public static final Register SCHED_ERROR = BLOCK.reg32("PLAYLIST_INTR", 0x00254c);
    public static final BitField SCHED_ERROR_CODE = bits(7, 0);

    /// An engine does not release a channel (nouveau: `CTXSW_TIMEOUT`).
    public static final int SCHED_ERROR_ENGINE_TIMEOUT = 0x0a;

    public static final Register CHSW_ERROR = BLOCK.reg32("INTR_CHSW_ERROR", 0x00256c);
    public static final Register INTR24_SOURCE = BLOCK.reg32("INTR24_SOURCE", 0x00258c);

    /// Bit u: fault block u of [#VM_FAULT_INSTANCE] holds a report.
    public static final Register VM_FAULT_SOURCE = BLOCK.reg32("VM_FAULT_SOURCE", 0x00259c);

    /// Bit p: PBDMA p has an enabled interrupt.
    public static final Register PBDMA_INTR_SOURCE = BLOCK.reg32("SUBFIFO_INTR_SOURCE", 0x0025a0);

    /// Bit e: element e of [#ENGINE_INTR] is not zero.
    public static final Register ENGINE_INTR_SOURCE = BLOCK.reg32("ENGINE_INTR_SOURCE", 0x0025a4);

    /// Engine events, eight nibbles in each element.
    public static final RegisterArray ENGINE_INTR = BLOCK.array("ENGINE_INTR", 0x0025a8, 4, 16);

    /// Requested non-stall interrupt, in nibble 0.
    public static final BitField ENGINE_INTR_NOTIFY = bit(0);

    /// Mask of the bits that raise an interrupt, applied to every nibble.
    public static final Register ENGINE_INTR_ENABLE = BLOCK.reg32("ENGINE_INTR_ENABLE", 0x002628);

    public static final BitField ENGINE_INTR_NIBBLE = bits(3, 0);

    /// Bit 0 of each of the eight nibbles of a word.
    public static final int EVERY_NIBBLE = 0x11111111;

    /// Bit e: engine e has faulted. Writing 1 clears a bit.
    public static final Register ENGINE_FAULT = BLOCK.reg32("ENG_FAULT", 0x00262c);

    /// Bit e: scheduling on engine e is disabled.
    public static final Register ENGINE_FREEZE = BLOCK.reg32("ENG_FREEZE", 0x002630);

    /// One bit for each engine.
    public static final BitField ENGINES = bits(5, 0);

    /// Removes the channel whose number is written from its PBDMA and engine.
    public static final Register PREEMPT = BLOCK.reg32("KICK_CHID", 0x002634);

    public static final BitField PREEMPT_CHANNEL = bits(6, 0);

    /// The preemption is in progress.
    public static final BitField PREEMPT_BUSY = bit(20);

    public static final Register FREEZE = BLOCK.reg32("FREEZE", 0x002638);
    public static final Register SCHED_STATUS = BLOCK.reg32("SCHED_STATUS", 0x00263c);

    /// State and channel of an engine.
    public static final RegisterArray ENGINE_STATUS = BLOCK.array("ENG_STATE", 0x002640, 4, 6);

    public static final BitField STATUS_CHANNEL = bits(6, 0);
    public static final BitField STATUS_FAULTED = bit(24);

    /// Busy bit that Linux 6.12 and 7.2 test.
    public static final BitField STATUS_BUSY = bit(28);

    /// Busy bit that Linux 6.1 tests.
    public static final BitField STATUS_BUSY_OLD = bit(31);

    /// Bit that, together with a busy bit, indicates a hung channel switch to all drivers.
    public static final BitField STATUS_SWITCHING = bit(12);

    /// Bit that, together with a busy bit, indicates a hung channel switch to Linux 6.12 and 7.2.
    public static final BitField STATUS_SWITCHING_NEW = bit(14);

    /// Bit that, together with a busy bit, indicates a hung channel switch to Linux 6.1.
    public static final BitField STATUS_SWITCHING_OLD = bit(18);

    /// Instance block of a faulting access, by fault block: see
    /// [io.gpuvm.gf100.mmu.FaultUnit#number].
    public static final RegisterArray VM_FAULT_INSTANCE =
            BLOCK.array("VM_FAULT.CHAN", 0x002800, 0x10, 32);

    public static final RegisterArray VM_FAULT_ADDRESS_LOW =
            BLOCK.array("VM_FAULT.ADDR_LOW", 0x002804, 0x10, 32);
    public static final RegisterArray VM_FAULT_ADDRESS_HIGH =
            BLOCK.array("VM_FAULT.ADDR_HIGH", 0x002808, 0x10, 32);

    /// Status word, by fault block: see [io.gpuvm.gf100.mmu.FaultStatus].
    public static final RegisterArray VM_FAULT_STATUS =
            BLOCK.array("VM_FAULT.FLAGS", 0x00280c, 0x10, 32);

    /// Events of runlists. Writing 1 clears a bit.
    public static final Register RUNLIST_EVENT = BLOCK.reg32("INTR_RUNLIST", 0x002a00);

    public static final BitField RUNLIST_EVENT_DONE = bit(28);

    /// First register of the time limits and options that the model does not use.
    public static final Register FIRST_TIMEOUT = BLOCK.reg32("FB_TIMEOUT", 0x002a04);

    public static final Register LAST_TIMEOUT = BLOCK.reg32("CHSW_CTL", 0x002a28);

    /// Makes the MMU report a fault for a unit, to interrupt a hung engine.
    public static final RegisterArray FAULT_INJECT = BLOCK.array("VM_FAULT_INJECT", 0x002a30, 4, 6);

    public static final BitField FAULT_INJECT_UNIT = bits(4, 0);
    public static final BitField FAULT_INJECT_VALID = bit(8);

    /// Instance block of a channel; a write binds or unbinds the channel.
    public static final RegisterArray CHANNEL =
            BLOCK.array("CHAN_TABLE.CHAN", 0x003000, 8, CHANNELS);

    public static final BitField CHANNEL_INSTANCE = bits(27, 0).scaledBy(12);
    public static final BitField CHANNEL_TARGET = bits(29, 28);
    public static final BitField CHANNEL_POLL = bit(30);
    public static final BitField CHANNEL_VALID = bit(31);

    /// State of a channel.
    public static final RegisterArray CHANNEL_STATE =
            BLOCK.array("CHAN_TABLE.STATE", 0x003004, 8, CHANNELS);

    public static final BitField STATE_RUNNABLE = bit(0);
    public static final BitField STATE_ACQUIRE_PENDING = bit(4);

    /// The channel is on a PBDMA.
    public static final BitField STATE_LOADED = bit(12);

    public static final BitField STATE_ENGINE = bits(20, 16);

    /// The channel has pending commands.
    public static final BitField STATE_PENDING = bit(28);

    private Pfifo() {}
}
