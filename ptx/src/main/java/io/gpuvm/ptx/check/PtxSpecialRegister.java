package io.gpuvm.ptx.check;

import java.util.Locale;

/// Special register of Fermi, one constant for each component.
public enum PtxSpecialRegister {
    TID_X,
    TID_Y,
    TID_Z,
    NTID_X,
    NTID_Y,
    NTID_Z,
    CTAID_X,
    CTAID_Y,
    CTAID_Z,
    NCTAID_X,
    NCTAID_Y,
    NCTAID_Z,
    LANEID,
    WARPID,
    NWARPID,
    SMID,
    NSMID,
    /// 32 bits in PTX 1.x, 64 bits in later versions.
    GRIDID,
    LANEMASK_EQ,
    LANEMASK_LE,
    LANEMASK_LT,
    LANEMASK_GE,
    LANEMASK_GT,
    CLOCK,
    CLOCK_HI,
    CLOCK64,
    PM0,
    PM1,
    PM2,
    PM3,
    PM4,
    PM5,
    PM6,
    PM7,
    /// Bytes of shared memory that the launch adds.
    DYNAMIC_SMEM_SIZE,
    /// Bytes of shared memory of a block.
    TOTAL_SMEM_SIZE,
    /// Constant zero: the fourth component of `%tid`, `%ntid`, `%ctaid` and `%nctaid`, and
    /// `%envreg`.
    ZERO;

    /// Returns the name in PTX, for instance `%tid.x`.
    public String word() {
        String name = name().toLowerCase(Locale.ROOT);
        boolean component = name.matches(".*id_[xyz]");
        return "%" + (component ? name.replace('_', '.') : name);
    }

    /// Returns the width in bits: 32 or 64.
    public int bits() {
        return this == CLOCK64 || this == GRIDID ? Long.SIZE : Integer.SIZE;
    }
}
