package io.gpuvm.gf100.unit;

import io.gpuvm.gf100.memory.MemoryPort;
import io.gpuvm.gf100.reg.Pdisplay;
import java.util.Arrays;

/// Display unit of a board with one digital output and no connected screen: sufficient for a driver
/// to set up its channels and to detect that no screen is connected.
///
/// On a board without a display unit, only the VGA lock exists, which drivers always write.
///
/// Behaviour: nouveau `nvkm/engine/disp/{nv50,gt215}.c`, `dispnv50/`.
public final class PdisplayUnit implements Unit {
    private static final int ONE_DIGITAL_OUTPUT = Pdisplay.CAP_SOR_MASK.of(1);

    private final Board board;
    private final EvoChannel[] channels = new EvoChannel[Pdisplay.FIRST_PIO_CHANNEL];
    private final int[] directChannels = new int[Pdisplay.CHANNELS - Pdisplay.FIRST_PIO_CHANNEL];
    private final EvoNotifier notifier;
    private int objects;

    /// @param memory memory of push buffers, handles and notifiers
    public PdisplayUnit(Board board, MemoryPort memory) {
        this.board = board;
        notifier = new EvoNotifier(new EvoObjects(memory, () -> objects));
        for (int i = 0; i < channels.length; i++) {
            boolean core = i == Pdisplay.CORE_CHANNEL;
            channels[i] = new EvoChannel(memory, core ? notifier : (_, _) -> {});
        }
    }

    @Override
    public void declare(RegisterTable.Builder table) {
        table.latch(Pdisplay.CRTC_INDEX_DATA);
        if (board.display()) {
            declareCapabilities(table);
            declareChannels(table);
            declareOutputs(table);
        }
    }

    @Override
    public void reset() {
        objects = 0;
        Arrays.fill(directChannels, 0);
        notifier.reset();
        for (EvoChannel channel : channels) {
            channel.reset();
        }
    }

    private void declareCapabilities(RegisterTable.Builder table) {
        table.constant(Pdisplay.CLOCK_CAP, ONE_DIGITAL_OUTPUT)
                .latch(Pdisplay.CAP, ONE_DIGITAL_OUTPUT)
                .storage(Pdisplay.HEAD_CAPS)
                .storage(Pdisplay.DAC_CAPS)
                .storage(Pdisplay.SOR_CAPS)
                .storage(Pdisplay.PIOR_CAPS)
                .constant(Pdisplay.HEAD_A, 0)
                .constant(Pdisplay.HEAD_B, 0)
                .constant(Pdisplay.HEAD_C, 0)
                .constant(Pdisplay.HEAD_D, 0)
                // VRAM contains no copy of the VBIOS, so drivers read PROM.
                .constant(Pdisplay.VGA_ROM_WINDOW, 0);
    }

    private void declareChannels(RegisterTable.Builder table) {
        table.on(Pdisplay.OBJECTS, () -> objects, value -> objects = value)
                .constant(Pdisplay.INTR_0, 0)
                .constant(Pdisplay.INTR_1, 0)
                .latch(Pdisplay.INTR_EN_0)
                .latch(Pdisplay.INTR_EN_1)
                .array(Pdisplay.CHANNEL_STAT, this::readStat, this::writeStat)
                .array(
                        Pdisplay.CHANNEL_DMA_CB,
                        i -> channels[i].pushBuffer(),
                        (i, value) -> channels[i].pushBuffer(value))
                .latch(Pdisplay.CHANNEL_UNK2)
                .latch(Pdisplay.CHANNEL_UNK3)
                .array(
                        Pdisplay.USER_PUT,
                        i -> channels[i].put(),
                        (i, value) -> channels[i].put(value))
                .array(Pdisplay.USER_GET, i -> channels[i].get(), (_, _) -> {});
    }

    private void declareOutputs(RegisterTable.Builder table) {
        int done = ~Pdisplay.DPMS_PENDING.mask();
        table.constant(Pdisplay.SOR_VAL_MODE_CTRL, 0)
                .constant(Pdisplay.DAC_CAP, 0)
                .latchMasked(Pdisplay.DAC_DPMS, 0, done)
                .constant(Pdisplay.SOR_CAP, 0)
                .latchMasked(Pdisplay.SOR_DPMS, 0, done)
                .constant(Pdisplay.SOR_STATE, 0)
                .constant(Pdisplay.PIOR_CAP, 0)
                .latchMasked(Pdisplay.PIOR_DPMS, 0, done);
    }

    private int readStat(int channel) {
        return channel < Pdisplay.FIRST_PIO_CHANNEL
                ? channels[channel].status()
                : directChannels[channel - Pdisplay.FIRST_PIO_CHANNEL];
    }

    private void writeStat(int channel, int value) {
        if (channel < Pdisplay.FIRST_PIO_CHANNEL) {
            channels[channel].control(value);
            return;
        }
        boolean reset = Pdisplay.CHANNEL_STAT_RESET.isSet(value);
        boolean active = !reset && Pdisplay.CHANNEL_STAT_ENABLE.isSet(value);
        directChannels[channel - Pdisplay.FIRST_PIO_CHANNEL] =
                active ? Pdisplay.CHANNEL_STAT_STATE.of(Pdisplay.CHANNEL_STATE_ACTIVE) : 0;
    }
}
