package io.gpuvm.gf100.cubin;

/// Size of the contents of an attribute of `.nv.info`. Source: `nvdisasm`'s output for such
/// sections (`EIFMT_...`), and gdev's `cuda/driver/gdev_cuda.c`.
public enum InfoFormat {
    NO_VALUE(1),
    BYTE(2),
    HALF_WORD(3),
    /// A length of 16 bits, then that number of bytes.
    SIZED(4);

    final int code;

    InfoFormat(int code) {
        this.code = code;
    }

    /// Returns the format with this code, or null if the code is unknown.
    static InfoFormat of(int code) {
        return code >= NO_VALUE.code && code <= SIZED.code ? values()[code - 1] : null;
    }
}
