package io.gpuvm.pv.bare;

import io.gpuvm.gf100.reg.Pfifo;
import java.util.function.Consumer;

/// The channels that are open, by their numbers.
final class ChannelTable {
    private final NativeChannel[] channels = new NativeChannel[Pfifo.CHANNELS];

    /// The lowest number that is free, -1 if none is.
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

    /// The channel with a number, null if it is not open.
    NativeChannel at(int id) {
        return channels[id];
    }

    /// The channel with an instance block, null if there is none.
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
    /// @return how many they are
    int collectAlive(int[] ids) {
        int count = 0;
        for (NativeChannel channel : channels) {
            if (channel != null && channel.isAlive()) {
                ids[count++] = channel.id();
            }
        }
        return count;
    }

    /// Calls for each open channel, which may be removed meanwhile.
    void forEach(Consumer<NativeChannel> action) {
        for (NativeChannel channel : channels) {
            if (channel != null) {
                action.accept(channel);
            }
        }
    }
}
