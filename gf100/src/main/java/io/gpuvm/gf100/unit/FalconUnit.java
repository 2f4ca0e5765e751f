package io.gpuvm.gf100.unit;

import io.gpuvm.gf100.reg.Falcon;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/// What all falcons have in common, at the level of their registers: memories that a driver fills,
/// a start button, an enable mask. The program itself is not run; the unit that owns the falcon
/// does what the program would.
///
/// Data memory reads back, because drivers look into it. Code is dropped.
///
/// Behaviour: nouveau `nvkm/engine/falcon.c`; envytools `docs/hw/falcon/`.
public final class FalconUnit implements Unit {
    private static final int VERSION_3_ONE_PORT_EACH =
            Falcon.CAPS2_VERSION.of(3)
                    | Falcon.CAPS2_CODE_PORTS.of(1)
                    | Falcon.CAPS2_DATA_PORTS.of(1);
    private static final ValueLayout.OfInt U32 =
            ValueLayout.JAVA_INT.withOrder(ByteOrder.LITTLE_ENDIAN);

    private final Falcon registers;
    private final int caps;
    private final MemorySegment dataMemory;
    private final Runnable onStart;
    private int dataIndex;
    private int interruptEnable;

    /// @param codePages size of code memory, in [Falcon#PAGE_BYTES]
    /// @param dataPages size of data memory
    /// @param onStart called when the driver starts the processor
    FalconUnit(Falcon registers, int codePages, int dataPages, Runnable onStart) {
        this.registers = registers;
        this.caps = Falcon.CAPS_CODE_PAGES.of(codePages) | Falcon.CAPS_DATA_PAGES.of(dataPages);
        this.dataMemory = MemorySegment.ofArray(new int[dataPages * Falcon.PAGE_BYTES / 4]);
        this.onStart = onStart;
    }

    /// A falcon that nothing is known to run on: one of the video decoders, whose programs come
    /// from files that no free system carries.
    public static FalconUnit idle(Falcon registers) {
        return new FalconUnit(registers, 1, 1, () -> {});
    }

    /// Declares what every falcon has except interrupts (INTR, INTR_ACK, INTR_ROUTING), the two
    /// scratch registers of errors and the current channel, which differ.
    @Override
    public void declare(RegisterTable.Builder table) {
        table.on(registers.intrEn(), () -> interruptEnable, _ -> {})
                .onWrite(registers.intrEnSet(), bits -> interruptEnable |= bits)
                .onWrite(registers.intrEnClr(), bits -> interruptEnable &= ~bits)
                .latch(registers.accessEn())
                .constant(registers.statusBusy(), 0)
                .latch(registers.channelNext())
                .latch(registers.scratch3())
                .onWrite(registers.ucCtrl(), this::control)
                .latch(registers.entry())
                .constant(registers.caps(), caps)
                .constant(registers.ucBlockOnFifo(), 0)
                .constant(registers.caps2(), VERSION_3_ONE_PORT_EACH)
                .latch(registers.codeIndex())
                .latch(registers.code())
                .latch(registers.codeVirtAddr())
                .on(registers.dataIndex(), () -> dataIndex, index -> dataIndex = index)
                .on(registers.data(), this::readData, this::writeData);
    }

    @Override
    public void reset() {
        dataIndex = 0;
        interruptEnable = 0;
        dataMemory.fill((byte) 0);
    }

    private void control(int value) {
        if (Falcon.UC_CTRL_START.isSet(value)) {
            onStart.run();
        }
    }

    private int readData() {
        long offset = Falcon.DATA_INDEX_OFFSET.bytes(dataIndex);
        advance(Falcon.DATA_INDEX_READ_INCREMENT.isSet(dataIndex), offset);
        return offset < dataMemory.byteSize() ? dataMemory.get(U32, offset) : 0;
    }

    private void writeData(int value) {
        long offset = Falcon.DATA_INDEX_OFFSET.bytes(dataIndex);
        advance(Falcon.DATA_INDEX_WRITE_INCREMENT.isSet(dataIndex), offset);
        if (offset < dataMemory.byteSize()) {
            dataMemory.set(U32, offset, value);
        }
    }

    private void advance(boolean increment, long offset) {
        if (increment) {
            long next = Falcon.DATA_INDEX_OFFSET.ofBytes(offset + Integer.BYTES);
            dataIndex = Falcon.DATA_INDEX_OFFSET.with(dataIndex, 0) | (int) next;
        }
    }
}
