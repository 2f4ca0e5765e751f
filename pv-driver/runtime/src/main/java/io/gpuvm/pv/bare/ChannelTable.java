package io.gpuvm.pv.bare;

import io.gpuvm.gf100.reg.Pfifo;
import java.util.function.Consumer;

/// Open channels, by number.
final class ChannelTable {
    private final NativeChannel[] channels = new NativeChannel[Pfifo.CHANNELS];

    /// Returns the lowest free number; -1 if all are in use.
    int free() {
        for (int id = 0; id < channels.length; id++) {
            if (channels[id] == null) {
                return id;
            }
        }
        return -1;
    }

    void add(NativeChannel channel) {
        channels[channel.id()] = channel;
    }

    void remove(NativeChannel channel) {
        channels[channel.id()] = null;
    }

    /// Returns the channel with the given number; null if it is not open.
    NativeChannel at(int id) {
        return channels[id];
    }

    /// Returns the channel with the given instance block; null if no open channel has it.
    NativeChannel withInstance(long iova) {
        for (NativeChannel channel : channels) {
            if (channel != null && channel.instanceIova() == iova) {
                return channel;
            }
        }
        return null;
    }

    /// Writes the numbers of the channels that may run to the start of `ids`.
    ///
    /// @return number of channels written
    int collectAlive(int[] ids) {
        int count = 0;
        for (NativeChannel channel : channels) {
            if (channel != null && channel.isAlive()) {
                ids[count++] = channel.id();
            }
        }
        return count;
    }

    /// Calls `action` for each open channel. The action may remove the channel.
    void forEach(Consumer<NativeChannel> action) {
        for (NativeChannel channel : channels) {
            if (channel != null) {
                action.accept(channel);
            }
        }
    }
}
