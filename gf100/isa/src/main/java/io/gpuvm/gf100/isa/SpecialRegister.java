package io.gpuvm.gf100.isa;

/// Special registers of S2R, by code. Other codes read as zero; no known source confirms this
/// behaviour.
///
/// Source: envytools `envydis/gf100.c`; names as `cuobjdump` prints them.
public enum SpecialRegister {
    LANEID(0x00, "SR_LANEID"),
    /// Number of warps of a multiprocessor (bits 14:8) and of multiprocessors (28:20).
    VIRTCFG(0x02, "SR_VIRTCFG"),
    /// Warp slot (bits 12:8) and multiprocessor (28:20) of the thread.
    VIRTID(0x03, "SR_VIRTID"),
    PM0(0x04, "SR_PM0"),
    PM1(0x05, "SR_PM1"),
    PM2(0x06, "SR_PM2"),
    PM3(0x07, "SR_PM3"),
    PM4(0x08, "SR_PM4"),
    PM5(0x09, "SR_PM5"),
    PM6(0x0a, "SR_PM6"),
    PM7(0x0b, "SR_PM7"),
    /// Thread number in the block, in one word: x in 15:0, y in 25:16, z in 31:26.
    TID(0x20, "SR_TID"),
    TID_X(0x21, "SR_TID.X"),
    TID_Y(0x22, "SR_TID.Y"),
    TID_Z(0x23, "SR_TID.Z"),
    /// Argument word of the launch.
    CTA_PARAM(0x24, "SR_CTA_PARAM"),
    CTAID_X(0x25, "SR_CTAID.X"),
    CTAID_Y(0x26, "SR_CTAID.Y"),
    CTAID_Z(0x27, "SR_CTAID.Z"),
    /// Block size in one word, as [#TID].
    NTID(0x28, "SR_NTID"),
    NTID_X(0x29, "SR_NTID.X"),
    NTID_Y(0x2a, "SR_NTID.Y"),
    NTID_Z(0x2b, "SR_NTID.Z"),
    GRIDID(0x2c, "SR_GRIDID"),
    NCTAID_X(0x2d, "SR_NCTAID.X"),
    NCTAID_Y(0x2e, "SR_NCTAID.Y"),
    NCTAID_Z(0x2f, "SR_NCTAID.Z"),
    /// Generic address at which the window of shared memory starts.
    SWINLO(0x30, "SR_SWINLO"),
    SWINSZ(0x31, "SR_SWINSZ"),
    SMEMSZ(0x32, "SR_SMEMSZ"),
    SMEMBANKS(0x33, "SR_SMEMBANKS"),
    /// Generic address at which the window of local memory starts.
    LWINLO(0x34, "SR_LWINLO"),
    LWINSZ(0x35, "SR_LWINSZ"),
    /// Number of bytes of local memory from address 0 upwards.
    LMEMLOSZ(0x36, "SR_LMEMLOSZ"),
    /// Lowest address of the local memory that ends at the top of the window.
    LMEMHIOFF(0x37, "SR_LMEMHIOFF"),
    EQMASK(0x38, "SR_EQMASK"),
    LTMASK(0x39, "SR_LTMASK"),
    LEMASK(0x3a, "SR_LEMASK"),
    GTMASK(0x3b, "SR_GTMASK"),
    GEMASK(0x3c, "SR_GEMASK"),
    CLOCKLO(0x50, "SR_CLOCKLO"),
    CLOCKHI(0x51, "SR_CLOCKHI");

    private static final SpecialRegister[] BY_CODE = new SpecialRegister[0x100];

    static {
        for (SpecialRegister register : values()) {
            BY_CODE[register.code] = register;
        }
    }

    private final int code;
    private final String text;

    SpecialRegister(int code, String text) {
        this.code = code;
        this.text = text;
    }

    /// Returns the register with this code, 0..255, or null if no register has the code.
    public static SpecialRegister of(int code) {
        return BY_CODE[code];
    }

    public int code() {
        return code;
    }

    /// Returns the name in assembler text.
    public String text() {
        return text;
    }
}
