package io.gpuvm.gf100.cubin;

/// Attributes of `.nv.info` in files for sm_20.
///
/// `nvdisasm` prints these names and numbers; gdev's `cuda/driver/gdev_cuda.c` and asfermi's
/// `helper/helperCubin.cpp` describe the words.
public enum InfoAttribute {
    /// Symbol of a texture, and the slot from which the function reads the texture.
    IMAGE_SLOT(0x02),

    /// Three words: the maximum block size for which the kernel was compiled.
    MAX_THREADS(0x05),

    /// Location of the parameters: symbol of the constant bank's section, offset and bytes, 16 bits
    /// each.
    PARAM_CBANK(0x0a),

    /// A word for each parameter: its offset from the first.
    CBANK_PARAM_OFFSETS(0x0c),

    /// Depth of the divergence stack: number of entries in 16 bits, and two words of uncertain
    /// meaning.
    SYNC_STACK(0x0d),

    /// A word for each function that the loader must resolve: its symbol.
    EXTERNS(0x0f),

    /// Three words: the only block size with which the kernel runs.
    REQNTID(0x10),

    /// In `.nv.info`: a function's symbol and the size of its frame in bytes.
    FRAME_SIZE(0x11),

    /// In `.nv.info`: a kernel's symbol and a thread's minimum stack size in bytes.
    MIN_STACK_SIZE(0x12),

    /// Description of one parameter: see [KernelParameter].
    KPARAM_INFO(0x17),

    /// Size of all parameters in bytes, in the record itself.
    CBANK_PARAM_SIZE(0x19),

    /// Register limit that was passed to the compiler, in the record itself.
    MAXREG_COUNT(0x1b),

    /// A word for each EXIT: its offset.
    EXIT_INSTR_OFFSETS(0x1c),

    /// A word for each read of a block's number: its offset.
    S2RCTAID_INSTR_OFFSETS(0x1d),

    /// A word: required size of a warp's call and divergence stack.
    CRS_STACK_SIZE(0x1e),

    /// In `.nv.info`: a kernel's symbol and a thread's maximum stack size in bytes.
    MAX_STACK_SIZE(0x23),

    /// In `.nv.info`: a function's symbol and its number of registers.
    REGCOUNT(0x2f),

    /// A word: the version of the interface to the loader.
    CUDA_API_VERSION(0x37);

    private final int number;

    InfoAttribute(int number) {
        this.number = number;
    }

    /// Returns the number of the attribute, which is the second byte of a record.
    public int number() {
        return number;
    }
}
