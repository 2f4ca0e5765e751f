package io.gpuvm.gf100.fifo;

import static io.gpuvm.gf100.reg.BitField.bits;

import io.gpuvm.gf100.reg.BitField;

/// First word of a command in a push buffer. The functions encode and decode the 32-bit word.
///
/// ```text
///  31 29 28                 16 15   13 12 11                  0
///  +----+---------------------+-------+--+---------------------+
///  |form|   count, or data    | subch.|  |     method >> 2     |   forms 1, 3, 4, 5
///  +----+---------------------+-------+--+---------------------+
///
///  31 29 28            18 17 16 15   13 12              2 1 0
///  +----+----------------+-----+-------+-----------------+---+
///  |form|     count      | SLI | subch.|   method >> 2   |   |      old forms 0, 2
///  +----+----------------+-----+-------+-----------------+---+
/// ```
///
/// Sources: envytools `docs/hw/fifo/dma-pusher.rst`; nouveau `include/nvif/push906f.h`.
public final class MethodHeader {
    /// Old form, valid only if RAMFC allows old forms: consecutive methods, or an SLI command if
    /// SLI bits are set.
    public static final int OLD_INCREASING = 0;

    public static final int INCREASING = 1;

    /// Old form, valid only if RAMFC allows old forms: all words are data of one method.
    public static final int OLD_NON_INCREASING = 2;

    public static final int NON_INCREASING = 3;

    /// One method whose data is in the header.
    public static final int IMMEDIATE = 4;

    /// The first word is data of the method, the remaining words are data of the next method.
    public static final int INCREASE_ONCE = 5;

    public static final int RESERVED = 6;

    /// The remainder of the segment is ignored.
    public static final int END_OF_SEGMENT = 7;

    /// Not an SLI command.
    public static final int SLI_NONE = 0;

    /// Subsequent methods apply only to the boards in the mask.
    public static final int SLI_CONDITION = 1;

    /// Stores the mask for later use.
    public static final int SLI_STORE_MASK = 2;

    /// [#SLI_CONDITION] with the stored mask.
    public static final int SLI_STORED_CONDITION = 3;

    /// Largest count, and largest immediate data.
    public static final int MAX_COUNT = (1 << 13) - 1;

    /// Highest method; commands with consecutive methods wrap around after it.
    public static final int METHOD_MASK = 0x3ffc;

    /// Number of subchannels.
    public static final int SUBCHANNELS = 8;

    private static final BitField FORM = bits(31, 29);
    private static final BitField COUNT = bits(28, 16);
    private static final BitField SUBCHANNEL = bits(15, 13);
    private static final BitField METHOD = bits(11, 0).scaledBy(2);
    private static final BitField OLD_COUNT = bits(28, 18);
    private static final BitField OLD_METHOD = bits(12, 2).scaledBy(2);
    private static final BitField SLI = bits(17, 16);
    private static final BitField SLI_MASK = bits(15, 4);

    private MethodHeader() {}

    /// Returns a header of form 1, 3 or 5.
    public static int of(int form, int subchannel, int method, int count) {
        return FORM.of(form)
                | COUNT.of(count)
                | SUBCHANNEL.of(subchannel)
                | METHOD.of(method >>> METHOD.scale());
    }

    /// Returns the header of `count` words for consecutive methods.
    public static int increasing(int subchannel, int method, int count) {
        return of(INCREASING, subchannel, method, count);
    }

    /// Returns the header of `count` words for one method.
    public static int nonIncreasing(int subchannel, int method, int count) {
        return of(NON_INCREASING, subchannel, method, count);
    }

    /// Returns the header of one word for the method, and the remaining words for the next method.
    public static int increaseOnce(int subchannel, int method, int count) {
        return of(INCREASE_ONCE, subchannel, method, count);
    }

    /// Returns the header of one method with 13 bits of data.
    public static int immediate(int subchannel, int method, int data) {
        return of(IMMEDIATE, subchannel, method, data);
    }

    /// Returns a header of old form 0 or 2.
    public static int old(int form, int subchannel, int method, int count) {
        return FORM.of(form)
                | OLD_COUNT.of(count)
                | SUBCHANNEL.of(subchannel)
                | OLD_METHOD.of(method >>> OLD_METHOD.scale());
    }

    /// Returns the header of an SLI command.
    public static int sli(int operation, int mask) {
        return SLI.of(operation) | SLI_MASK.of(mask);
    }

    /// Returns the header that ends the segment.
    public static int endOfSegment() {
        return FORM.of(END_OF_SEGMENT);
    }

    public static int form(int header) {
        return FORM.get(header);
    }

    /// Returns the number of data words that follow, for forms 1, 3 and 5; the data itself for form
    /// 4.
    public static int count(int header) {
        return COUNT.get(header);
    }

    public static int subchannel(int header) {
        return SUBCHANNEL.get(header);
    }

    /// Returns the first method, in bytes.
    public static int method(int header) {
        return METHOD.get(header) << METHOD.scale();
    }

    /// Returns the number of data words that follow a command of an old form.
    public static int oldCount(int header) {
        return OLD_COUNT.get(header);
    }

    /// Returns the first method of a command of an old form, in bytes.
    public static int oldMethod(int header) {
        return OLD_METHOD.get(header) << OLD_METHOD.scale();
    }

    /// Returns the operation of an SLI command, for form 0.
    public static int sliOperation(int header) {
        return SLI.get(header);
    }

    /// Returns the mask of the boards to which an SLI command refers.
    public static int sliMask(int header) {
        return SLI_MASK.get(header);
    }
}
