package io.gpuvm.trap.vgpu;

import io.gpuvm.gf100.fifo.Userd;
import io.gpuvm.gf100.memory.Words;
import io.gpuvm.gf100.translation.BarAperture;
import io.gpuvm.gf100.unit.fifo.UserdArea;
import io.gpuvm.shadow.ShadowChannel;

/// BAR1 in a guest's view: the memory that its page tables map, with doorbells and the channels'
/// progress at the driver's USERD areas. Confined to the virtual machine's thread.
final class DoorbellBar {
    private final BarAperture bar;
    private final UserdArea areas;
    private final VirtualChannels channels;

    DoorbellBar(BarAperture bar, UserdArea areas, VirtualChannels channels) {
        this.bar = bar;
        this.areas = areas;
        this.channels = channels;
    }

    /// Reads BAR1. Hardware writes its progress to the shadow's USERD; the driver's USERD contains
    /// the driver's own values.
    long read(long offset, int width) {
        int channel = areas.channelAt(offset);
        ShadowChannel shadow = channel < 0 ? null : channels.shadow(channel);
        if (shadow == null) {
            return bar.read(offset, width);
        }
        if (areas.channelRungBy(offset, width) >= 0) {
            return width == Long.BYTES
                    ? read(offset, Integer.BYTES)
                            | read(offset + Integer.BYTES, Integer.BYTES) << Integer.SIZE
                    : bar.read(offset, width);
        }
        return Words.read(shadow.userd(), offset & Userd.BYTES - 1, width);
    }

    /// @return number of the channel whose doorbell was written, for [#ring]; -1 for other
    ///   addresses
    int write(long offset, int width, long value) {
        bar.write(offset, width, value);
        return areas.channelRungBy(offset, width);
    }

    /// Rings a doorbell that the driver has written.
    void ring(int channel, long offset) {
        long slot = offset - offset % Userd.BYTES + Userd.IB_PUT;
        channels.ring(channel, (int) bar.read(slot, Integer.BYTES));
    }
}
