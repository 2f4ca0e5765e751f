package io.gpuvm.gf100.cubin;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/// Writes a fatbin: the images of one module, uncompressed. [Fatbin] and [FatbinEntry] describe the
/// format. Confined to one thread.
public final class FatbinWriter {
    private static final short ENTRY_VERSION = 0x101;
    private static final int FLAG_64_BIT = 0x1;
    private static final int FLAG_LINUX = 0x10;
    private static final int ALIGNMENT = 8;

    private final ByteArrayOutputStream entries = new ByteArrayOutputStream();

    /// Adds machine code.
    ///
    /// @param architecture 20 for sm_20
    /// @param elf cubin
    public FatbinWriter cubin(int architecture, byte[] elf) {
        return entry(FatbinEntry.CUBIN, architecture, elf, elf.length);
    }

    /// Adds a source. Readers find the end of its text by the zeros that follow it.
    ///
    /// @param architecture 20 for compute_20
    public FatbinWriter ptx(int architecture, String text) {
        byte[] characters = text.getBytes(StandardCharsets.UTF_8);
        return entry(FatbinEntry.PTX, architecture, characters, characters.length + 1);
    }

    /// @param bytes length of the image, including zeros after its contents
    private FatbinWriter entry(int kind, int architecture, byte[] image, int bytes) {
        int padded = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
        ByteBuffer entry =
                ByteBuffer.allocate(FatbinEntry.WHOLE_HEADER_BYTES + padded)
                        .order(ByteOrder.LITTLE_ENDIAN);
        entry.putShort((short) kind)
                .putShort(ENTRY_VERSION)
                .putInt(FatbinEntry.HEADER_SIZE, FatbinEntry.WHOLE_HEADER_BYTES)
                .putLong(FatbinEntry.SIZE, padded)
                .putInt(FatbinEntry.ARCHITECTURE, architecture)
                .putLong(FatbinEntry.FLAGS, FLAG_64_BIT | FLAG_LINUX)
                .put(FatbinEntry.WHOLE_HEADER_BYTES, image);
        entries.writeBytes(entry.array());
        return this;
    }

    /// Returns the file.
    public byte[] toBytes() {
        ByteBuffer file =
                ByteBuffer.allocate(Fatbin.HEADER_BYTES + entries.size())
                        .order(ByteOrder.LITTLE_ENDIAN);
        file.putInt((int) Fatbin.MAGIC)
                .putShort(Fatbin.VERSION)
                .putShort(Fatbin.HEADER_BYTES)
                .putLong(entries.size())
                .put(entries.toByteArray());
        return file.array();
    }
}
