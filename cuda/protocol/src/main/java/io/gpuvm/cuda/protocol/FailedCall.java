package io.gpuvm.cuda.protocol;

/// Word of a completion that describes a failed call without reply: the number of the call in bits
/// 47:0, its status in bits 63:48.
public final class FailedCall {
    /// Word if no call has failed.
    public static final long NONE = 0;

    private static final int NUMBER_BITS = 48;
    private static final long NUMBER_MASK = (1L << NUMBER_BITS) - 1;

    private FailedCall() {}

    /// Returns the word for a call.
    ///
    /// @param number number of the call, 1 to 2^48 - 1
    /// @param status status of the call, a value of [CudaStatus] up to 65535, not 0
    public static long of(long number, int status) {
        return number & NUMBER_MASK | (long) status << NUMBER_BITS;
    }

    /// Returns the number of the call.
    public static long number(long word) {
        return word & NUMBER_MASK;
    }

    /// Returns the status of the call.
    public static int status(long word) {
        return (int) (word >>> NUMBER_BITS);
    }
}
