package io.gpuvm.gf100.fifo;

import static io.gpuvm.gf100.reg.BitField.bit;
import static io.gpuvm.gf100.reg.BitField.bits;

import io.gpuvm.gf100.mmu.MemoryTarget;
import io.gpuvm.gf100.reg.BitField;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/// State of a channel that is not on a PBDMA: the first 512 bytes of an [InstanceBlock]. Offsets
/// equal those of the PBDMA's registers, which PFIFO loads from RAMFC and saves to RAMFC.
///
/// ```text
///  008 00c  USERD: address, 1:0 target          048  ring address, low
///  010      signature, 15:0 = face              04c  7:0 ring address, high; 31:16 log2(entries)
///  014      IB_GET: next ring entry             05c 060  end of the segment in progress
///  018 01c  address of the next word            084  command in progress
///  020 024  the same, outside subroutines       094  SLI mask, b28 active, b29 enable
///  028      reference count                     09c  9:8 command forms: 0 old, 1 new, 2 both
///  030      semaphore timeout                   0a4 0a8  engine on each subchannel, a byte each
///  038 03c  semaphore address: high, low        0ac  engine used last
///  040 044  semaphore payload, trigger
/// ```
///
/// Movable flyweight. Sources: envytools `rnndb/fifo/gf100_pfifo.xml` (`PSUBFIFO`); nouveau
/// `nvkm/engine/fifo/gf100.c`.
public final class Ramfc {
    /// Size of the part of an instance block that a PBDMA loads and saves.
    public static final int BYTES = 0x200;

    /// Required value of the low half of the signature word.
    public static final int SIGNATURE = 0xface;

    private static final int USERD_LOW = 0x08;
    private static final int USERD_HIGH = 0x0c;
    private static final int SIG = 0x10;
    private static final int IB_GET = 0x14;
    private static final int DMA_GET = 0x18;
    private static final int DMA_GET_HIGH = 0x1c;
    private static final int REF_COUNT = 0x28;
    private static final int SEMAPHORE_CONFIG = 0x30;
    private static final int SEMAPHORE_ADDRESS_HIGH = 0x38;
    private static final int SEMAPHORE_ADDRESS_LOW = 0x3c;
    private static final int SEMAPHORE_PAYLOAD = 0x40;
    private static final int IB_ADDRESS_LOW = 0x48;
    private static final int IB_CONFIG = 0x4c;
    private static final int IB_ENTRY_LOW = 0x54;
    private static final int IB_ENTRY_HIGH = 0x64;
    private static final int DMA_STATE = 0x84;
    private static final int SLI = 0x94;
    private static final int FEATURES = 0x9c;
    private static final int ENGINES_LOW = 0xa4;
    private static final int ENGINES_HIGH = 0xa8;
    private static final int CURRENT_ENGINE = 0xac;

    private static final BitField USERD_TARGET = bits(1, 0);
    private static final BitField USERD_ADDRESS = bits(31, 12).scaledBy(12);
    private static final BitField SIG_VALUE = bits(15, 0);
    private static final BitField ADDRESS_HIGH = bits(7, 0);
    private static final BitField RING_ORDER = bits(31, 16);
    private static final BitField SLI_MASK = bits(11, 0);
    private static final BitField SLI_ACTIVE = bit(28);
    private static final BitField SLI_ENABLE = bit(29);
    private static final BitField COMMAND_FORMS = bits(9, 8);
    private static final BitField ENGINE = bits(4, 0);

    /// Values that nouveau writes to fields of unknown meaning.
    private static final int USUAL_SEMAPHORE_CONFIG = 0xfffff902;

    private static final int USUAL_IB_ENTRY = 2;
    private static final int USUAL_DMA_STATE = 0x20400000;
    private static final int USUAL_SLI = 0x30000fff;
    private static final int USUAL_FEATURES = 0x100;
    private static final int NO_ENGINES = 0x1f1f1f1f;

    /// Command forms that a channel may use.
    public enum CommandForms {
        OLD,
        NEW,
        BOTH
    }

    private static final CommandForms[] FORMS = {
        CommandForms.OLD, CommandForms.NEW, CommandForms.BOTH, CommandForms.BOTH
    };

    private MemorySegment memory;
    private long base;

    /// Moves this flyweight to the instance block at `offset` of `memory`.
    public Ramfc wrap(MemorySegment memory, long offset) {
        this.memory = memory;
        this.base = offset;
        return this;
    }

    /// Fills a zeroed block as nouveau does.
    ///
    /// @param userdAddress physical address of the channel's USERD, a multiple of 4 KiB
    /// @param ringGpuVa virtual address of the ring, a multiple of 8
    /// @param ringOrder binary logarithm of the number of entries
    public Ramfc initialize(
            MemoryTarget userdTarget, long userdAddress, long ringGpuVa, int ringOrder) {
        userd(userdTarget, userdAddress);
        set(SIG, SIGNATURE);
        set(SEMAPHORE_CONFIG, USUAL_SEMAPHORE_CONFIG);
        ring(ringGpuVa, ringOrder);
        set(IB_ENTRY_LOW, USUAL_IB_ENTRY);
        set(IB_ENTRY_HIGH, USUAL_IB_ENTRY);
        set(DMA_STATE, USUAL_DMA_STATE);
        set(SLI, USUAL_SLI);
        set(FEATURES, USUAL_FEATURES);
        set(ENGINES_LOW, NO_ENGINES);
        set(ENGINES_HIGH, NO_ENGINES);
        set(CURRENT_ENGINE, EngineId.SOFTWARE.number());
        return this;
    }

    /// Returns whether the signature is valid.
    public boolean isSigned() {
        return SIG_VALUE.get(get(SIG)) == SIGNATURE;
    }

    /// Returns the physical address of the channel's USERD.
    public long userdAddress() {
        long low = Integer.toUnsignedLong(get(USERD_LOW));
        return USERD_ADDRESS.bytes(low) | high(get(USERD_HIGH));
    }

    /// Returns the memory that contains the channel's USERD; null for the reserved code.
    public MemoryTarget userdTarget() {
        return MemoryTarget.ofPointer(USERD_TARGET.get(get(USERD_LOW)));
    }

    public Ramfc userd(MemoryTarget target, long physicalAddress) {
        set(USERD_LOW, (int) physicalAddress | USERD_TARGET.of(target.pointerCode()));
        set(USERD_HIGH, (int) (physicalAddress >>> Integer.SIZE));
        return this;
    }

    /// Returns the virtual address of the ring.
    public long ringGpuVa() {
        return Integer.toUnsignedLong(get(IB_ADDRESS_LOW)) | high(get(IB_CONFIG));
    }

    /// Returns the binary logarithm of the number of entries in the ring, 0 to 65535.
    public int ringOrder() {
        return RING_ORDER.get(get(IB_CONFIG));
    }

    public Ramfc ring(long gpuVa, int order) {
        set(IB_ADDRESS_LOW, (int) gpuVa);
        set(IB_CONFIG, ADDRESS_HIGH.of((int) (gpuVa >>> Integer.SIZE)) | RING_ORDER.of(order));
        return this;
    }

    /// Returns the index of the next ring entry.
    public int ibGet() {
        return get(IB_GET);
    }

    public Ramfc ibGet(int index) {
        set(IB_GET, index);
        return this;
    }

    /// Returns the virtual address of the next word of a push buffer.
    public long dmaGet() {
        return Integer.toUnsignedLong(get(DMA_GET)) | high(get(DMA_GET_HIGH));
    }

    public Ramfc dmaGet(long gpuVa) {
        set(DMA_GET, (int) gpuVa);
        set(DMA_GET_HIGH, (int) (gpuVa >>> Integer.SIZE));
        return this;
    }

    public int refCount() {
        return get(REF_COUNT);
    }

    public Ramfc refCount(int count) {
        set(REF_COUNT, count);
        return this;
    }

    /// Returns the virtual address of the semaphore.
    public long semaphoreGpuVa() {
        return Integer.toUnsignedLong(get(SEMAPHORE_ADDRESS_LOW))
                | high(get(SEMAPHORE_ADDRESS_HIGH));
    }

    public int semaphorePayload() {
        return get(SEMAPHORE_PAYLOAD);
    }

    public Ramfc semaphore(long gpuVa, int payload) {
        set(SEMAPHORE_ADDRESS_HIGH, ADDRESS_HIGH.of((int) (gpuVa >>> Integer.SIZE)));
        set(SEMAPHORE_ADDRESS_LOW, (int) gpuVa);
        set(SEMAPHORE_PAYLOAD, payload);
        return this;
    }

    /// Returns the command forms that the channel may use.
    public CommandForms commandForms() {
        return FORMS[COMMAND_FORMS.get(get(FEATURES))];
    }

    public Ramfc commandForms(CommandForms forms) {
        set(FEATURES, COMMAND_FORMS.with(get(FEATURES), forms.ordinal()));
        return this;
    }

    /// Returns the mask of this board in an SLI group.
    public int sliMask() {
        return SLI_MASK.get(get(SLI));
    }

    /// Returns whether methods currently apply to this board.
    public boolean isSliActive() {
        return SLI_ACTIVE.isSet(get(SLI));
    }

    /// Returns whether SLI commands are enabled for the channel.
    public boolean isSliEnabled() {
        return SLI_ENABLE.isSet(get(SLI));
    }

    public Ramfc sli(int mask, boolean active, boolean enabled) {
        set(
                SLI,
                SLI_MASK.of(mask) | SLI_ACTIVE.of(active ? 1 : 0) | SLI_ENABLE.of(enabled ? 1 : 0));
        return this;
    }

    /// Returns the number of the engine bound to a subchannel, 5 bits.
    public int engine(int subchannel) {
        return ENGINE.get(Byte.toUnsignedInt(memory.get(Layout.U8, engineByte(subchannel))));
    }

    public Ramfc engine(int subchannel, int engine) {
        memory.set(Layout.U8, engineByte(subchannel), (byte) engine);
        return this;
    }

    /// Returns the number of the engine used last, 5 bits.
    public int currentEngine() {
        return ENGINE.get(get(CURRENT_ENGINE));
    }

    public Ramfc currentEngine(int engine) {
        set(CURRENT_ENGINE, engine);
        return this;
    }

    private long engineByte(int subchannel) {
        return base + ENGINES_LOW + Objects.checkIndex(subchannel, MethodHeader.SUBCHANNELS);
    }

    private static long high(int word) {
        return (long) ADDRESS_HIGH.get(word) << Integer.SIZE;
    }

    private int get(int offset) {
        return memory.get(Layout.U32, base + offset);
    }

    private void set(int offset, int value) {
        memory.set(Layout.U32, base + offset, value);
    }
}
