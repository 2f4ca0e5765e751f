package io.gpuvm.gf100.driver;

import io.gpuvm.gf100.reg.Ctxctl;
import io.gpuvm.gf100.reg.Falcon;
import io.gpuvm.gf100.reg.Pfifo;

/// State of an engine that has stopped for a channel, or that does not release its channel.
public final class StoppedEngine {
    private StoppedEngine() {}

    /// Returns the channel for which PGRAPH has stopped, as the physical address of its instance
    /// block.
    public static long graphInstance(RegisterPort registers) {
        return Ctxctl.CHAN_INSTANCE.bytes(Integer.toUnsignedLong(registers.read(Ctxctl.CHAN_CUR)));
    }

    /// Returns the channel for which a copy engine has stopped, as the physical address of its
    /// instance block.
    public static long copyInstance(RegisterPort registers, Falcon falcon) {
        return Pfifo.CHANNEL_INSTANCE.bytes(
                Integer.toUnsignedLong(
                        Falcon.CHANNEL_INSTANCE.get(registers.read(falcon.channelCur()))));
    }

    /// Returns whether an engine fails to release its channel. The field `Pfifo.STATUS_CHANNEL` of
    /// the same status is the channel's number.
    ///
    /// @param status value of `PFIFO.ENGINE_STATUS`
    public static boolean hangs(int status) {
        return Pfifo.STATUS_BUSY.isSet(status) && Pfifo.STATUS_SWITCHING.isSet(status);
    }
}
