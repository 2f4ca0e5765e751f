package io.gpuvm.gf100.cubin;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Lines of the source from which a function's instructions were compiled, for reports of faults.
/// Immutable.
///
/// A file contains a table as the section `.gpuvm.line.` with the function's name. All numbers are
/// little-endian and have 32 bits:
///
/// ```text
///   version          1
///   files            number of the names of files
///   bytes            number of bytes of the names, a multiple of 4
///   names            each with a zero at its end; zeros follow the last
///   rows             offset of the first instruction in bytes, index of the file, line, column
/// ```
///
/// @param function name of the function
/// @param rows rows in ascending order of their offsets
public record LineTable(String function, List<Row> rows) {
    /// Prefix of the names of sections.
    static final String SECTION = ".gpuvm.line.";

    private static final int VERSION = 1;
    private static final int HEADER_BYTES = 12;
    private static final int ROW_BYTES = 16;

    /// Number of rows that need as much memory as another record of a file.
    private static final int ROWS_PER_RECORD = 8;

    /// Source of the instructions from an offset up to that of the next row.
    ///
    /// @param offset offset in the function's code in bytes
    /// @param file name of the file, or empty
    /// @param line number of the line, from 1
    /// @param column number of the column, from 1; 0 if unknown
    public record Row(int offset, String file, int line, int column) {
        @Override
        public String toString() {
            return file + ":" + line + (column == 0 ? "" : ":" + column);
        }
    }

    public LineTable {
        rows = List.copyOf(rows);
    }

    public boolean isEmpty() {
        return rows.isEmpty();
    }

    /// Returns the source of the instruction at an offset, or null if it is unknown.
    ///
    /// @param offset offset in the function's code in bytes
    public Row find(long offset) {
        int first = 0;
        int end = rows.size();
        while (first < end) {
            int middle = first + end >>> 1;
            if (rows.get(middle).offset > offset) {
                end = middle;
            } else {
                first = middle + 1;
            }
        }
        return first == 0 ? null : rows.get(first - 1);
    }

    /// Returns the length of the names of the function and of the files, in characters.
    public long nameLength() {
        long length = function.length();
        Set<String> files = new HashSet<>();
        for (Row row : rows) {
            length += files.add(row.file) ? row.file.length() : 0;
        }
        return length;
    }

    byte[] toBytes() {
        Map<String, Integer> files = new LinkedHashMap<>();
        rows.forEach(row -> files.putIfAbsent(row.file, files.size()));
        ByteArrayOutputStream names = new ByteArrayOutputStream();
        for (String file : files.keySet()) {
            names.writeBytes(file.getBytes(StandardCharsets.UTF_8));
            names.write(0);
        }
        int nameBytes = names.size() + 3 & -4;
        ByteBuffer bytes =
                ByteBuffer.allocate(HEADER_BYTES + nameBytes + rows.size() * ROW_BYTES)
                        .order(ByteOrder.LITTLE_ENDIAN);
        bytes.putInt(VERSION).putInt(files.size()).putInt(nameBytes).put(names.toByteArray());
        bytes.position(HEADER_BYTES + nameBytes);
        for (Row row : rows) {
            bytes.putInt(row.offset)
                    .putInt(files.get(row.file))
                    .putInt(row.line)
                    .putInt(row.column);
        }
        return bytes.array();
    }

    /// @param count number of records of the file
    static LineTable read(ElfSection section, RecordCount count) {
        FileBytes bytes = section.bytes();
        if (bytes.bytes() < HEADER_BYTES || bytes.u32(0) != VERSION) {
            throw new CubinException(
                    section.name() + ": expected a table of lines of version " + VERSION);
        }
        long end = HEADER_BYTES + bytes.u32(2L * Integer.BYTES);
        List<String> files = names(section, bytes, end, count);
        if ((bytes.bytes() - end) % ROW_BYTES != 0) {
            throw CubinException.at(
                    section.name(), "bytes of rows", bytes.bytes() - end, "a multiple of 16");
        }
        List<Row> rows = new ArrayList<>();
        count.add(section.name(), (bytes.bytes() - end) / ROW_BYTES / ROWS_PER_RECORD);
        for (long at = end; at < bytes.bytes(); at += ROW_BYTES) {
            long file = bytes.u32(at + Integer.BYTES);
            if (file >= files.size()) {
                throw CubinException.at(section.name(), "file", file, files.size() - 1);
            }
            rows.add(
                    new Row(
                            (int) bytes.u32(at),
                            files.get((int) file),
                            (int) bytes.u32(at + 2L * Integer.BYTES),
                            (int) bytes.u32(at + 3L * Integer.BYTES)));
        }
        return new LineTable(section.name().substring(SECTION.length()), rows);
    }

    private static List<String> names(
            ElfSection section, FileBytes bytes, long end, RecordCount count) {
        long number = bytes.u32(Integer.BYTES);
        FileBytes names = bytes.slice(section.name(), HEADER_BYTES, end - HEADER_BYTES);
        StringTable strings = new StringTable(names, names.bytes());
        List<String> files = new ArrayList<>();
        long at = 0;
        for (long i = 0; i < number; i++) {
            count.add(section.name(), 1);
            String name = strings.name(at);
            files.add(name);
            at += name.getBytes(StandardCharsets.UTF_8).length + 1L;
        }
        return files;
    }
}
