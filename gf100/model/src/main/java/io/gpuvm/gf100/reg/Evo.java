package io.gpuvm.gf100.reg;

import static io.gpuvm.gf100.reg.BitField.bit;
import static io.gpuvm.gf100.reg.BitField.bits;

/// Command words of display channels, and the methods of the core channel (class 857d) that send a
/// reply to the driver.
///
/// ```text
///   31 29 28   27         18 17       12 11          2 1 0
///  +-----+---+--------------+-----------+-------------+---+
///  | op  |   |    count     |           | method or   |   |
///  |     |   |              |           | jump target |   |
///  +-----+---+--------------+-----------+-------------+---+
/// ```
///
/// Sources: envytools `rnndb/display/nv_evo.xml`; nouveau `include/nvhw/class/cl507d.h`,
/// `include/nvif/push507c.h`, `dispnv50/core507d.c`.
public final class Evo {
    /// Size of a push buffer, one page; offsets in it wrap around.
    public static final int PUSH_BUFFER_BYTES = 0x1000;

    public static final BitField HEADER_OPERATION = bits(31, 29);
    public static final int OPERATION_INCREASING = 0;
    public static final int OPERATION_JUMP = 1;
    public static final int OPERATION_NON_INCREASING = 2;
    public static final BitField HEADER_COUNT = bits(27, 18);
    public static final BitField HEADER_OFFSET = bits(11, 2).scaledBy(2);

    /// Applies the programmed state, then writes the notifier.
    public static final int UPDATE = 0x080;

    public static final int SET_NOTIFIER_CONTROL = 0x084;
    public static final BitField NOTIFIER_CONTROL_NOTIFY = bit(31);

    /// Offset in the notifier's memory.
    public static final BitField NOTIFIER_CONTROL_OFFSET = bits(11, 2).scaledBy(2);

    /// Handle of the notifier's memory.
    public static final int SET_CONTEXT_DMA_NOTIFIER = 0x088;

    /// Requests the display's capabilities; the reply follows the notifier's first word.
    public static final int GET_CAPABILITIES = 0x08c;

    /// Offset in the notifier of an update's completion.
    public static final int NOTIFIER_COMPLETION = 0;

    /// Offset in the notifier of the reply to [#GET_CAPABILITIES].
    public static final int NOTIFIER_CAPABILITIES = 4;

    public static final BitField NOTIFIER_DONE = bit(0);

    private Evo() {}
}
