package io.gpuvm.cuda.compiler;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// Sections, names and the dynamic section of an ELF file for this host: 64 bits, little endian.
/// Immutable.
///
/// Source: the System V ABI, chapters 4 and 5.
public final class HostElf {
    /// `DT_RPATH`, folders that precede `LD_LIBRARY_PATH`.
    public static final long RPATH = 15;

    /// `DT_RUNPATH`, folders that follow `LD_LIBRARY_PATH`; the loader ignores `DT_RPATH` beside
    /// it.
    public static final long RUNPATH = 29;

    private static final byte[] START = {0x7f, 'E', 'L', 'F', 2, 1};

    private static final int HEADER_BYTES = 64;
    private static final int SECTIONS_AT = 40;
    private static final int SECTION_BYTES_AT = 58;
    private static final int SECTION_COUNT_AT = 60;
    private static final int SECTION_NAMES_AT = 62;

    private static final int SECTION_BYTES = 64;
    private static final int SECTION_TYPE = 4;
    private static final int SECTION_OFFSET = 24;
    private static final int SECTION_SIZE = 32;
    private static final int SECTION_LINK = 40;

    private static final int SYMBOL_TABLE = 2;
    private static final int DYNAMIC = 6;
    private static final int NO_BITS = 8;

    private static final int SYMBOL_BYTES = 24;
    private static final int SYMBOL_SECTION = 6;
    private static final int DYNAMIC_BYTES = 16;

    private final ByteBuffer file;
    private final List<Section> sections = new ArrayList<>();

    /// @param link index of the associated section, of names for instance
    private record Section(String name, int type, int link, ByteBuffer bytes) {}

    private HostElf(byte[] bytes) {
        file = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        int count = Short.toUnsignedInt(file.getShort(SECTION_COUNT_AT));
        if (count == 0 || file.getShort(SECTION_BYTES_AT) != SECTION_BYTES) {
            return;
        }
        int table = Math.toIntExact(file.getLong(SECTIONS_AT));
        int names = table + Short.toUnsignedInt(file.getShort(SECTION_NAMES_AT)) * SECTION_BYTES;
        ByteBuffer texts = contents(names);
        for (int i = 0; i < count; i++) {
            int at = table + i * SECTION_BYTES;
            sections.add(
                    new Section(
                            text(texts, file.getInt(at)),
                            file.getInt(at + SECTION_TYPE),
                            file.getInt(at + SECTION_LINK),
                            contents(at)));
        }
    }

    private ByteBuffer contents(int section) {
        boolean isEmpty = file.getInt(section + SECTION_TYPE) == NO_BITS;
        int offset = isEmpty ? 0 : Math.toIntExact(file.getLong(section + SECTION_OFFSET));
        int size = isEmpty ? 0 : Math.toIntExact(file.getLong(section + SECTION_SIZE));
        return file.slice(offset, size).order(ByteOrder.LITTLE_ENDIAN);
    }

    /// Reads the contents of a file.
    ///
    /// @return empty if it is not such an ELF file, or is damaged
    public static Optional<HostElf> of(byte[] bytes) {
        if (bytes.length < HEADER_BYTES
                || !Arrays.equals(bytes, 0, START.length, START, 0, START.length)) {
            return Optional.empty();
        }
        try {
            return Optional.of(new HostElf(bytes));
        } catch (ArithmeticException | IndexOutOfBoundsException _) {
            return Optional.empty();
        }
    }

    /// Reads a file.
    ///
    /// @return empty if it is not such an ELF file, or cannot be read
    public static Optional<HostElf> read(Path path) {
        try {
            return of(Files.readAllBytes(path));
        } catch (IOException _) {
            return Optional.empty();
        }
    }

    /// Returns the contents of a section; empty if there is none.
    byte[] section(String name) {
        for (Section section : sections) {
            if (section.name.equals(name)) {
                byte[] contents = new byte[section.bytes.limit()];
                section.bytes.get(0, contents);
                return contents;
            }
        }
        return new byte[0];
    }

    /// Returns the names that the file uses and does not define.
    List<String> undefinedNames() {
        List<String> names = new ArrayList<>();
        for (Section table : sections) {
            if (table.type != SYMBOL_TABLE || table.link < 0 || table.link >= sections.size()) {
                continue;
            }
            ByteBuffer texts = sections.get(table.link).bytes;
            for (int at = SYMBOL_BYTES;
                    at + SYMBOL_BYTES <= table.bytes.limit();
                    at += SYMBOL_BYTES) {
                if (table.bytes.getShort(at + SYMBOL_SECTION) == 0) {
                    names.add(text(texts, table.bytes.getInt(at)));
                }
            }
        }
        return names;
    }

    /// Returns the text of an entry of the dynamic section.
    ///
    /// @param tag [#RPATH] or [#RUNPATH]
    /// @return empty if there is no such entry
    public Optional<String> dynamicText(long tag) {
        for (Section dynamic : sections) {
            if (dynamic.type != DYNAMIC || dynamic.link < 0 || dynamic.link >= sections.size()) {
                continue;
            }
            ByteBuffer texts = sections.get(dynamic.link).bytes;
            for (int at = 0; at + DYNAMIC_BYTES <= dynamic.bytes.limit(); at += DYNAMIC_BYTES) {
                if (dynamic.bytes.getLong(at) == tag) {
                    return Optional.of(text(texts, (int) dynamic.bytes.getLong(at + Long.BYTES)));
                }
            }
        }
        return Optional.empty();
    }

    /// Returns a text that ends with a zero; empty if its offset is not in the table.
    private static String text(ByteBuffer texts, int offset) {
        if (offset < 0 || offset >= texts.limit()) {
            return "";
        }
        int end = offset;
        while (end < texts.limit() && texts.get(end) != 0) {
            end++;
        }
        byte[] characters = new byte[end - offset];
        texts.get(offset, characters);
        return new String(characters, StandardCharsets.UTF_8);
    }
}
