package io.gpuvm.gf100.driver;

import io.gpuvm.gf100.reg.Ctxctl;
import io.gpuvm.gf100.reg.Falcon;
import io.gpuvm.gf100.reg.Pfifo;

/// Which channel an engine has stopped for, or does not let go of.
public final class StoppedEngine {
    private StoppedEngine() {}

    /// Instance block of the channel that PGRAPH has stopped for: its physical address.
    public static long graphInstance(RegisterPort registers) {
        return Ctxctl.CHAN_INSTANCE.bytes(Integer.toUnsignedLong(registers.read(Ctxctl.CHAN_CUR)));
    }

    /// Instance block of the channel that a copy engine has stopped for: its physical address.
    public static long copyInstance(RegisterPort registers, Falcon falcon) {
        return Pfifo.CHANNEL_INSTANCE.bytes(
                Integer.toUnsignedLong(
                        Falcon.CHANNEL_INSTANCE.get(registers.read(falcon.channelCur()))));
    }

    /// Whether an engine does not let go of its channel, `Pfifo.STATUS_CHANNEL`.
    ///
    /// @param status `PFIFO.ENGINE_STATUS`
    public static boolean hangs(int status) {
        return Pfifo.STATUS_BUSY.isSet(status) && Pfifo.STATUS_SWITCHING.isSet(status);
    }
}
