package io.gpuvm.guests.hostile.cuda;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/// Builds ELF files and fatbins whose fields need not be true. Source for the fields: the System V
/// ABI, and the formats in `io.gpuvm.gf100.cubin`.
final class ForgedFile {
    static final int PROGBITS = 1;
    static final int SYMTAB = 2;
    static final int STRTAB = 3;
    static final int NOBITS = 8;
    static final int INFO = 0x70000000;

    /// Flag of a fatbin's image that is compressed by LZ4.
    static final int LZ4 = 0x2000;

    private static final int HEADER_BYTES = 64;
    private static final int SECTION_BYTES = 64;
    private static final int SYMBOL_BYTES = 24;
    private static final int SM_20 = 20;
    private static final int FLAGS = SM_20 | SM_20 << 16 | 0x400;
    private static final byte[] IDENTIFICATION = {0x7f, 'E', 'L', 'F', 2, 1, 1, 0x33, 4};

    private record Section(String name, int type, int info, int link, long size, byte[] contents) {}

    private final List<Section> sections = new ArrayList<>();

    ForgedFile() {
        add("", 0, 0, 0, new byte[0]);
    }

    /// Adds a function without code of its own.
    ForgedFile function(String name) {
        return add(".text." + name, PROGBITS, 8 << 24, 0, new byte[16]);
    }

    ForgedFile add(String name, int type, int info, int link, byte[] contents) {
        sections.add(new Section(name, type, info, link, contents.length, contents));
        return this;
    }

    /// Adds a section that states a length other than that of its contents.
    ForgedFile addLying(String name, int type, long size, byte[] contents) {
        sections.add(new Section(name, type, 0, 0, size, contents));
        return this;
    }

    /// Returns symbols of variables in a section.
    ///
    /// @param nameBytes length of each name with its terminating zero; 0 for the same name
    static byte[] symbols(int count, int section, int nameBytes) {
        ByteBuffer bytes = little(count * SYMBOL_BYTES);
        for (int i = 0; i < count; i++) {
            bytes.putInt(i * nameBytes).put((byte) 0x11).put((byte) 0).putShort((short) section);
            bytes.putLong(0).putLong(1);
        }
        return bytes.array();
    }

    /// Returns different names of 5 letters.
    static byte[] names(int count) {
        ByteArrayOutputStream names = new ByteArrayOutputStream();
        for (int i = 0; i < count; i++) {
            String digits = "0000" + Integer.toString(i, Character.MAX_RADIX);
            names.writeBytes(
                    digits.substring(digits.length() - 5).getBytes(StandardCharsets.US_ASCII));
            names.write(0);
        }
        return names.toByteArray();
    }

    /// Returns attributes of 4 bytes.
    static byte[] attributes(int count) {
        ByteBuffer bytes = little(count * Integer.BYTES);
        for (int i = 0; i < count; i++) {
            bytes.putInt(0x7703);
        }
        return bytes.array();
    }

    byte[] toBytes() {
        ByteArrayOutputStream names = new ByteArrayOutputStream();
        List<Integer> nameOffsets = new ArrayList<>();
        add(".shstrtab", STRTAB, 0, 0, new byte[0]);
        for (Section section : sections) {
            nameOffsets.add(names.size());
            names.writeBytes((section.name + '\0').getBytes(StandardCharsets.UTF_8));
        }
        sections.removeLast();
        add(".shstrtab", STRTAB, 0, 0, names.toByteArray());
        long at = HEADER_BYTES + (long) sections.size() * SECTION_BYTES;
        long end = at;
        for (Section section : sections) {
            end += padded(section.contents.length);
        }
        ByteBuffer file = little(Math.toIntExact(end));
        file.put(IDENTIFICATION).position(16);
        file.putShort((short) 2).putShort((short) 190).putInt(1).putLong(0).putLong(0);
        file.putLong(HEADER_BYTES).putInt(FLAGS).putShort((short) HEADER_BYTES);
        file.putShort((short) 56).putShort((short) 0).putShort((short) SECTION_BYTES);
        file.putShort((short) sections.size()).putShort((short) (sections.size() - 1));
        for (int i = 0; i < sections.size(); i++) {
            Section section = sections.get(i);
            file.putInt(nameOffsets.get(i)).putInt(section.type).putLong(0).putLong(0);
            file.putLong(section.type == 0 ? 0 : at).putLong(section.size);
            file.putInt(section.link).putInt(section.info).putLong(1).putLong(0);
            at += padded(section.contents.length);
        }
        for (Section section : sections) {
            file.put(section.contents).position((int) padded(file.position()));
        }
        return file.array();
    }

    /// Returns a fatbin with one image.
    ///
    /// @param flags compression
    /// @param compressedBytes stated length of the compressed image
    /// @param uncompressedBytes stated length of the image
    static byte[] fatbin(byte[] payload, int flags, int compressedBytes, long uncompressedBytes) {
        int bytes = (int) padded(payload.length);
        ByteBuffer file = little(16 + HEADER_BYTES + bytes);
        file.putInt(0xba55ed50).putShort((short) 1).putShort((short) 16);
        file.putLong(HEADER_BYTES + bytes);
        int entry = file.position();
        file.putShort((short) 2).putShort((short) 0x101).putInt(HEADER_BYTES).putLong(bytes);
        file.putInt(compressedBytes).putInt(0).putInt(0).putInt(SM_20).putLong(0).putLong(flags);
        file.putLong(0).putLong(uncompressedBytes).position(entry + HEADER_BYTES);
        file.put(payload);
        return file.array();
    }

    /// Returns a block of LZ4 that decompresses to zeros: a literal, then a match with the distance
    /// 1 whose length is a sequence of bytes 255. Source: the description of LZ4's block format.
    ///
    /// @param bytes length of the zeros, at least 300
    static byte[] zeros(int bytes) {
        ByteArrayOutputStream block = new ByteArrayOutputStream();
        // One literal, and a match of 4 + 15 + the following lengths.
        block.writeBytes(new byte[] {0x1f, 0, 1, 0});
        int lastLiterals = 12;
        int left = bytes - 1 - 4 - 15 - lastLiterals;
        for (; left >= 255; left -= 255) {
            block.write(255);
        }
        block.write(left);
        block.write(lastLiterals << 4);
        block.writeBytes(new byte[lastLiterals]);
        return block.toByteArray();
    }

    private static long padded(long bytes) {
        return bytes + 7 & -8;
    }

    private static ByteBuffer little(int bytes) {
        return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }
}
