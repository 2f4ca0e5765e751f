package io.gpuvm.gf100.unit;

import io.gpuvm.gf100.reg.Ctxctl;
import java.util.Arrays;
import java.util.function.IntSupplier;

/// Context-switching falcons of PGRAPH, modelled at the level of their programs' replies.
///
/// No context is ever switched: the engines retain each channel's state, so a context image is a
/// buffer that the driver allocates and fills, and that no unit reads. Only the sequence of
/// requests and replies matters: start, size, bind, save, switch.
///
/// Behaviour: nouveau `nvkm/engine/gr/gf100.c` (`gf100_gr_init_ctxctl_int`), `ctxgf100.c`
/// (`gf100_grctx_generate`), `fuc/hub.fuc`.
public final class CtxctlUnit implements Unit {
    /// Size of a context image. It is larger than the contents of a driver's lists, and smaller
    /// than on hardware, whose pipeline has more state.
    public static final int CONTEXT_BYTES = 64 << 10;

    private static final int STATUS = 0;
    private static final int ANSWER = 1;

    private final Board board;
    private final IntSupplier trappedInstance;
    private final FalconUnit hub =
            new FalconUnit(Ctxctl.HUB, Ctxctl.CODE_PAGES, Ctxctl.DATA_PAGES, new HubProgram());
    private final FalconUnit gpc =
            new FalconUnit(Ctxctl.GPC, Ctxctl.CODE_PAGES, Ctxctl.DATA_PAGES, FalconProgram.SILENT);
    private final int[] scratch = new int[Ctxctl.CC_SCRATCH.count()];
    private int commandData;
    private int channel;
    private int nextChannel;

    /// @param trappedInstance instance block, in 4 KiB pages, of the channel whose refused method
    ///   PGRAPH currently reports; zero if there is no report. During a report, this channel is the
    ///   current channel, regardless of the bound channel
    public CtxctlUnit(Board board, IntSupplier trappedInstance) {
        this.board = board;
        this.trappedInstance = trappedInstance;
    }

    @Override
    public void declare(RegisterTable.Builder table) {
        table.unit(hub)
                .unit(gpc)
                .on(Ctxctl.WRCMD_DATA, () -> commandData, value -> commandData = value)
                .onWrite(Ctxctl.WRCMD_CMD, this::command)
                .constant(Ctxctl.UNITS, units())
                .latch(Ctxctl.RED_SWITCH)
                .array(
                        Ctxctl.CC_SCRATCH,
                        index -> scratch[index],
                        (index, value) -> scratch[index] = value)
                .onWrite(Ctxctl.CC_SCRATCH_SET, bits -> scratch[STATUS] |= bits)
                .onWrite(Ctxctl.CC_SCRATCH_CLEAR, bits -> scratch[STATUS] &= ~bits)
                .on(Ctxctl.CHAN_CUR, this::currentChannel, value -> channel = value)
                .on(Ctxctl.CHAN_NEXT, () -> nextChannel, value -> nextChannel = value)
                .constant(Ctxctl.HUB_INTR, 0)
                .latch(Ctxctl.HUB_INTR_CLEAR)
                .latch(Ctxctl.HUB_INTR_ENABLE);
    }

    @Override
    public void reset() {
        hub.reset();
        gpc.reset();
        commandData = 0;
        stop();
    }

    /// Called when PGRAPH's bit of `PMC.ENABLE` changes to zero: discards the programs and their
    /// state.
    public void stop() {
        Arrays.fill(scratch, 0);
        channel = 0;
        nextChannel = 0;
    }

    private int units() {
        return Ctxctl.UNITS_GPC_COUNT.of(board.gpcs())
                | Ctxctl.UNITS_ROP_COUNT.of(board.partitions());
    }

    private int currentChannel() {
        int trapped = trappedInstance.getAsInt();
        return trapped == 0 ? channel : Ctxctl.CHAN_VALID.mask() | trapped;
    }

    private void command(int command) {
        switch (command) {
            case Ctxctl.COMMAND_BIND -> {
                channel = commandData;
                nextChannel = commandData;
                scratch[STATUS] |= Ctxctl.CC_SCRATCH_DONE.mask();
            }
            case Ctxctl.COMMAND_SAVE -> scratch[STATUS] |= Ctxctl.CC_SCRATCH_DONE.mask();
            case Ctxctl.COMMAND_STOP_SWITCHING, Ctxctl.COMMAND_START_SWITCHING ->
                    scratch[ANSWER] = 1;
            default -> {
                // The program ignores unknown requests; the driver's poll then times out.
            }
        }
    }

    private final class HubProgram implements FalconProgram {
        @Override
        public void onStart() {
            scratch[STATUS] |= Ctxctl.CC_SCRATCH_DONE.mask();
            scratch[ANSWER] = CONTEXT_BYTES;
            channel = 0;
        }

        @Override
        public void onTrigger(int bits) {
            if (Ctxctl.TRIGGER_CHANNEL_SWITCH.isSet(bits)) {
                channel = nextChannel;
            }
        }
    }
}
