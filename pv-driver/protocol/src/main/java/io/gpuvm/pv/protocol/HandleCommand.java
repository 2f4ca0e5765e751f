package io.gpuvm.pv.protocol;

import java.lang.foreign.MemorySegment;

/// Operand of commands on a whole object: [CommandOpcode#VRAM_FREE], [CommandOpcode#SPACE_DESTROY],
/// [CommandOpcode#CHANNEL_DESTROY].
///
/// ```text
///  16          20
///  +-----------+
///  | handle 32 |
///  +-----------+
/// ```
public final class HandleCommand extends CommandEntry {
    /// Offset of [#handle()].
    public static final int HANDLE = BODY;

    @Override
    public HandleCommand wrap(MemorySegment memory, long at) {
        move(memory, at);
        return this;
    }

    @Override
    public HandleCommand correlation(long correlation) {
        putCorrelation(correlation);
        return this;
    }

    /// Returns the handle of the object, or the number of the channel.
    public int handle() {
        return u32(HANDLE);
    }

    public HandleCommand handle(int handle) {
        u32(HANDLE, handle);
        return this;
    }
}
