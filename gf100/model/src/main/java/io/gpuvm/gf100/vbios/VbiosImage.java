package io.gpuvm.gf100.vbios;

import io.gpuvm.gf100.device.PciIdentity;

/// Builder of the VBIOS image of a GF100 board with GDDR5 memory.
///
/// Drivers read the image from PROM to obtain the board's memory type, outputs and power-on
/// scripts. gpuvm's image marks the board as initialized and describes at most one output. All
/// other tables are empty, so that no table is missing; the only script ends immediately.
///
/// ```text
///   0000  ROM header: 55 aa, length, code that returns; pointers to PCIR and DCB
///   0040  PCIR: ids, class, length, last image
///   0100  BIT: list of the tables below
///   0200  tables that BIT names: i I A D M L T P C
///   0400  DCB: outputs; communication control, GPIO and connectors after it
///   ffff  checksum: the sum of all bytes is a multiple of 256
/// ```
///
/// Sources: nouveau's parsers in `nvkm/subdev/bios/` (`base.c`, `pcir.c`, `bit.c`, `dcb.c`,
/// `conn.c`, `gpio.c`, `i2c.c`, `M0203.c`, `init.c`) and `nouveau_bios.c`; PCI Firmware
/// Specification 3.0, section 5.1 (ROM header, PCIR).
public final class VbiosImage {
    /// Length of the image.
    public static final int BYTES = 64 << 10;

    /// Unit of a ROM's length field.
    private static final int ROM_UNIT_BYTES = 512;

    /// Offset of the expansion ROM's entry point, which contains only [#RETURN_FAR]. The firmware
    /// of an x86 PC calls the entry point.
    private static final int ENTRY = 0x03;

    private static final int RETURN_FAR = 0xcb;

    private static final int PCIR = 0x040;
    private static final int BIT = 0x100;
    private static final int INFO = 0x200;
    private static final int INIT = 0x220;
    private static final int ANALOG = 0x240;
    private static final int DISPLAY = 0x248;
    private static final int MEMORY = 0x250;
    private static final int LVDS = 0x260;
    private static final int TMDS = 0x264;
    private static final int PERFORMANCE = 0x270;
    private static final int CLOCK = 0x2c0;
    private static final int SCRIPT_TABLE = 0x2e0;
    private static final int SCRIPT = 0x2f0;
    private static final int DAC_LOAD = 0x300;
    private static final int STRAP_TRANSLATION = 0x320;
    private static final int MEMORY_TYPES = 0x330;
    private static final int TMDS_TABLE = 0x340;
    private static final int DCB = 0x400;
    private static final int COMMUNICATION = 0x480;
    private static final int GPIO = 0x4c0;
    private static final int CONNECTORS = 0x500;

    /// The only opcode of gpuvm's init script: done (`INIT_DONE`, `nvkm/subdev/bios/init.c`).
    private static final int INIT_DONE = 0x71;

    /// Memory type in the M0203 table (`nvkm/subdev/bios/M0203.h`).
    private static final int MEMORY_TYPE_GDDR5 = 3;

    /// Entry of the communication control block for an unused port; this entry ends the list.
    private static final int UNUSED_PORT = 0xff;

    private final ImageWriter out = new ImageWriter(BYTES);

    private VbiosImage() {}

    /// Builds an image.
    ///
    /// @param pci ids for the PCIR structure
    /// @param output whether to describe an output: a TMDS link on OR 0, reachable from heads 0 and
    ///   1, with a DVI-D connector and no I²C port. Without an output, a driver creates no CRTC
    /// @return [#BYTES] bytes
    public static byte[] build(PciIdentity pci, boolean output) {
        VbiosImage image = new VbiosImage();
        image.romHeader();
        image.pcir(pci);
        image.bit();
        image.bitTables();
        image.deviceControlBlock(output);
        image.out.at(0).u8(BYTES - 1, image.out.checksum(0, BYTES));
        return image.out.toBytes();
    }

    private void romHeader() {
        out.at(0)
                .u8(0x00, 0x55)
                .u8(0x01, 0xaa)
                .u8(0x02, BYTES / ROM_UNIT_BYTES)
                .u8(ENTRY, RETURN_FAR)
                .u16(0x18, PCIR)
                .u16(0x36, DCB);
    }

    private void pcir(PciIdentity pci) {
        int structureBytes = 0x18;
        int lastImage = 0x80;
        out.at(PCIR)
                .ascii(0x00, "PCIR")
                .u16(0x04, pci.vendor())
                .u16(0x06, pci.device())
                .u16(0x0a, structureBytes)
                .u8(0x0d, pci.classCode())
                .u8(0x0e, pci.classCode() >> 8)
                .u8(0x0f, pci.classCode() >> 16)
                .u16(0x10, BYTES / ROM_UNIT_BYTES)
                .u16(0x12, 1)
                .u8(0x15, lastImage);
    }

    /// Row of the BIT table.
    private record BitEntry(char id, int version, int bytes, int offset) {}

    private void bit() {
        BitEntry[] entries = {
            new BitEntry('i', 2, 0x14, INFO),
            new BitEntry('I', 1, 0x1c, INIT),
            new BitEntry('A', 1, 0x03, ANALOG),
            new BitEntry('D', 1, 0x04, DISPLAY),
            new BitEntry('M', 2, 0x0d, MEMORY),
            new BitEntry('L', 1, 0x02, LVDS),
            new BitEntry('T', 1, 0x02, TMDS),
            new BitEntry('P', 2, 0x48, PERFORMANCE),
            new BitEntry('C', 2, 0x10, CLOCK),
        };
        int headerBytes = 0x0c;
        int entryBytes = 0x06;
        out.at(BIT)
                .u8(0x00, 0xff)
                .u8(0x01, 0xb8)
                .ascii(0x02, "BIT")
                .u16(0x06, 0x0100)
                .u8(0x08, headerBytes)
                .u8(0x09, entryBytes)
                .u8(0x0a, entries.length)
                .u8(0x0b, out.checksum(BIT, headerBytes));
        for (int i = 0; i < entries.length; i++) {
            BitEntry entry = entries[i];
            out.at(BIT + headerBytes + i * entryBytes)
                    .u8(0, entry.id())
                    .u8(1, entry.version())
                    .u16(2, entry.bytes())
                    .u16(4, entry.offset());
        }
    }

    /// Writes the tables that BIT names, except D, L, P and C, which contain only zeros.
    private void bitTables() {
        // Version 70.00.00.01.01; drivers print it.
        out.at(INFO).u8(0, 0x01).u8(1, 0x00).u8(2, 0x00).u8(3, 0x70).u8(4, 0x01);
        out.at(INIT).u16(0, SCRIPT_TABLE);
        out.at(SCRIPT_TABLE).u16(0, SCRIPT);
        out.at(SCRIPT).u8(0, INIT_DONE);

        out.at(ANALOG).u16(0, DAC_LOAD);
        out.at(DAC_LOAD).u8(0, 0x10).u8(1, 4).u8(2, 4).u8(3, 2).u32(4, 0x100);

        out.at(MEMORY).u8(0, 1).u16(1, STRAP_TRANSLATION).u16(3, MEMORY_TYPES);
        int strap = 0;
        out.at(MEMORY_TYPES)
                .u8(0, 0x10)
                .u8(1, 7)
                .u8(2, 2)
                .u8(3, 1)
                .u8(7, strap << 4 | MEMORY_TYPE_GDDR5);

        out.at(TMDS).u16(0, TMDS_TABLE);
        out.at(TMDS_TABLE).u8(0, 0x20);
    }

    private void deviceControlBlock(boolean output) {
        int version = 0x40;
        int headerBytes = 0x1b;
        out.at(DCB)
                .u8(0x00, version)
                .u8(0x01, headerBytes)
                .u8(0x02, output ? 1 : 0)
                .u8(0x03, 8)
                .u16(0x04, COMMUNICATION)
                .u32(0x06, 0x4edcbdcb)
                .u16(0x0a, GPIO)
                .u16(0x14, CONNECTORS);
        if (output) {
            // Low word: type TMDS (2), no I2C port (f), heads 0 and 1 (3); connector, bus and OR 0.
            // High word: link A.
            out.at(DCB + headerBytes).u32(0, 0x0100_03f2).u32(4, 0x0000_0010);
        }
        out.at(COMMUNICATION).u8(0, version).u8(1, 5).u8(2, 0).u8(3, 4).u8(4, UNUSED_PORT);
        out.at(GPIO).u8(0, version).u8(1, 6).u8(2, 0).u8(3, 4);
        int dviD = 0x31;
        out.at(CONNECTORS).u8(0, version).u8(1, 5).u8(2, 1).u8(3, 4).u8(5, dviD);
    }
}
