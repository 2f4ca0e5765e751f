package io.gpuvm.cuda.protocol;

import io.gpuvm.pv.protocol.RingEntry;

/// Layout of the entries of a CUDA session's rings, apart from operands and results of the calls.
///
/// ```text
///   0            4          6          8                 16                          63
///  +------------+----------+----------+-----------------+----------------------------+
///  | stamp, u32 | opcode16 | flags 16 | number of call  | operands, six words        |  submission
///  +------------+----------+----------+-----------------+-------------+--------------+
///  | stamp, u32 | status, u32         | number of call  | failed call | five results |  completion
///  +------------+---------------------+-----------------+-------------+--------------+
/// ```
public final class CudaEntry {
    /// Length of an entry in bytes.
    public static final int BYTES = RingEntry.BYTES;

    /// Offset of opcode and flags of a call, or of the status of a completion, u32.
    public static final int TAG = RingEntry.TAG;

    /// Offset of the number of the call, u64: 1 for the first call of a session, then consecutive.
    public static final int NUMBER = RingEntry.CORRELATION;

    /// Offset of the first operand of a call, or of the offset of its arguments.
    public static final int OPERANDS = RingEntry.BODY;

    /// Offset of the number of argument bytes of a spilled call.
    public static final int ARGUMENT_BYTES = OPERANDS + Long.BYTES;

    /// Number of operands of a spilled call that are in the entry, after offset and length of the
    /// arguments; the arguments begin with the others.
    public static final int SPILLED_WORDS = 4;

    /// Offset of the first operand of a spilled call.
    public static final int SPILLED_OPERANDS = ARGUMENT_BYTES + Long.BYTES;

    /// Offset of the failed call in a completion, a word of [FailedCall].
    public static final int FAILED = RingEntry.BODY;

    /// Offset of the first result in a completion.
    public static final int RESULTS = FAILED + Long.BYTES;

    private static final int CODE_MASK = 0xffff;

    private CudaEntry() {}

    /// Returns the opcode in a tag.
    public static int opcodeOf(int tag) {
        return tag & CODE_MASK;
    }

    /// Returns the flags in a tag, [CudaOpcode#NO_REPLY] and [CudaOpcode#SPILLED]; undefined flags
    /// may be set.
    public static int flagsOf(int tag) {
        return tag >>> Short.SIZE;
    }

    /// Returns the tag with an opcode and flags.
    public static int tag(int opcode, int flags) {
        return opcode | flags << Short.SIZE;
    }
}
