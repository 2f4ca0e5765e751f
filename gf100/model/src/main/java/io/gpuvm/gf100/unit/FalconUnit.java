package io.gpuvm.gf100.unit;

import io.gpuvm.gf100.reg.Falcon;
import io.gpuvm.gf100.reg.Pcopy;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/// Falcon, modelled at the level of its registers: memories that a driver fills, a start bit,
/// interrupts. Its program does not run; a [FalconProgram] replaces it.
///
/// Data memory stores writes, because drivers read it. Code is dropped.
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
    private final FalconProgram program;
    private int dataIndex;
    private int interruptEnable;
    private int routing;

    /// @param codePages size of code memory, in [Falcon#PAGE_BYTES]
    /// @param dataPages size of data memory, in [Falcon#PAGE_BYTES]
    FalconUnit(Falcon registers, int codePages, int dataPages, FalconProgram program) {
        this.registers = registers;
        this.caps = Falcon.CAPS_CODE_PAGES.of(codePages) | Falcon.CAPS_DATA_PAGES.of(dataPages);
        this.dataMemory = MemorySegment.ofArray(new int[dataPages * Falcon.PAGE_BYTES / 4]);
        this.program = program;
    }

    /// Returns the falcon of a copy engine, which accepts nouveau's program
    /// (`nvkm/engine/ce/fuc/com.fuc`). The component that executes the channel's methods performs
    /// the copies.
    ///
    /// @param registers [Pcopy#FALCON_0] or [Pcopy#FALCON_1]
    /// @param trap reports of refused methods
    public static FalconUnit copyEngine(Falcon registers, CopyTrap trap) {
        return new FalconUnit(registers, Pcopy.CODE_PAGES, Pcopy.DATA_PAGES, trap);
    }

    /// Returns the falcon of a video decoder. Its program is in a firmware file that no free
    /// operating system distributes.
    static FalconUnit videoDecoder(Falcon registers) {
        return new FalconUnit(registers, 1, 1, FalconProgram.SILENT);
    }

    @Override
    public void declare(RegisterTable.Builder table) {
        table.onWrite(registers.intrTrigger(), program::onTrigger)
                .onWrite(registers.intrAck(), program::acknowledge)
                .onRead(registers.intr(), program::interrupts)
                .onRead(registers.intrEn(), () -> interruptEnable)
                .onWrite(registers.intrEnSet(), bits -> interruptEnable |= bits)
                .onWrite(registers.intrEnClr(), bits -> interruptEnable &= ~bits)
                .on(registers.intrRouting(), () -> routing, value -> routing = value)
                .onRead(registers.scratch0(), program::error)
                .onRead(registers.scratch1(), program::data)
                .latch(registers.accessEn())
                .constant(registers.statusBusy(), 0)
                .onRead(registers.channelCur(), program::instance)
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
        routing = 0;
        dataMemory.fill((byte) 0);
        program.reset();
    }

    private void control(int value) {
        if (Falcon.UC_CTRL_START.isSet(value)) {
            // A program writes this value first.
            routing = Falcon.INTR_ROUTING_HOST.of(Falcon.INTR_ROUTING_OF_PROGRAMS);
            program.onStart();
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
