package io.gpuvm.gf100.cubin;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/// Attribute of `.nv.info`, which describes a kernel, or all kernels, to the loader.
///
/// ```text
///   0        1         2               4
///   +--------+---------+---------------+----------------
///   | format | number  | value or size | bytes, if SIZED, padded to 32 bits
///   +--------+---------+---------------+----------------
/// ```
///
/// @param attribute one of [InfoAttribute]'s numbers, or an unknown number
/// @param value value in the record itself; 0 for a sized record
/// @param contents contents, read-only; empty unless the record is sized
public record InfoRecord(InfoFormat format, int attribute, int value, MemorySegment contents) {
    private static final int HEADER_BYTES = 4;

    /// Returns a sized record.
    ///
    /// @param words contents
    public static InfoRecord of(InfoAttribute attribute, int... words) {
        ByteBuffer contents =
                ByteBuffer.allocate(words.length * Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        for (int word : words) {
            contents.putInt(word);
        }
        return new InfoRecord(
                InfoFormat.SIZED,
                attribute.number(),
                0,
                MemorySegment.ofArray(contents.array()).asReadOnly());
    }

    /// Returns all records of a section.
    ///
    /// @param count number of records of the file
    static List<InfoRecord> read(ElfSection section, RecordCount count) {
        FileBytes bytes = section.bytes();
        List<InfoRecord> records = new ArrayList<>();
        for (long at = 0; at < bytes.bytes(); ) {
            count.add(bytes.name(), 1);
            int code = bytes.u8(at);
            InfoFormat format = InfoFormat.of(code);
            if (format == null) {
                throw CubinException.at(bytes.name() + "+" + at, "format", code, "1 to 4");
            }
            int attribute = bytes.u8(at + 1);
            int value = bytes.u16(at + 2);
            boolean sized = format == InfoFormat.SIZED;
            FileBytes contents =
                    bytes.slice(bytes.name() + "+" + at, at + HEADER_BYTES, sized ? value : 0);
            records.add(new InfoRecord(format, attribute, sized ? 0 : value, contents.segment()));
            at += HEADER_BYTES + contents.bytes() + (-contents.bytes() & 3);
        }
        return records;
    }

    /// Returns the contents as 32-bit words.
    int[] words(String where, int atLeast) {
        long bytes = contents.byteSize();
        if (bytes % Integer.BYTES != 0 || bytes < (long) atLeast * Integer.BYTES) {
            throw CubinException.at(
                    where + " attribute " + attribute,
                    "bytes",
                    bytes,
                    "a multiple of 4, at least " + atLeast * Integer.BYTES);
        }
        FileBytes view = new FileBytes(where, contents);
        int[] words = new int[(int) (bytes / Integer.BYTES)];
        for (int i = 0; i < words.length; i++) {
            words[i] = (int) view.u32((long) i * Integer.BYTES);
        }
        return words;
    }

    boolean is(InfoAttribute known) {
        return attribute == known.number();
    }
}
