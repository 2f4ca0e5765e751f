package io.gpuvm.guests.real;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CpioArchiveTest {
    private static final int HEADER_BYTES = 110;
    private static final int FIELD_BYTES = 8;
    private static final int MODE = 1;
    private static final int FILE_BYTES = 6;
    private static final int NAME_BYTES = 11;

    private record Entry(int mode, byte[] content) {}

    @Test
    void givenFilesInFolders_whenWritten_thenFoldersOccurOnceAndBeforeFiles() throws IOException {
        Map<String, Entry> entries =
                entriesOf(archive -> {
                    archive.addProgram(Path.of("/init"), bytes("run"));
                    archive.addFile(Path.of("/opt/a/x"), bytes("12345"));
                    archive.addFile(Path.of("/opt/a/y"), bytes(""));
                });

        assertEquals("[init, opt, opt/a, opt/a/x, opt/a/y]", entries.keySet().toString());
        assertEquals(0100755, entries.get("init").mode());
        assertEquals(0040755, entries.get("opt/a").mode());
        assertEquals(0100644, entries.get("opt/a/x").mode());
        assertArrayEquals(bytes("12345"), entries.get("opt/a/x").content());
        assertArrayEquals(bytes(""), entries.get("opt/a/y").content());
    }

    @Test
    void givenTree_whenAdded_thenFilesHaveOtherNamesAndRemainExecutable(@TempDir Path folder)
            throws IOException {
        Path inner = Files.createDirectories(folder.resolve("inner"));
        Files.writeString(inner.resolve("data"), "12");
        Files.writeString(folder.resolve("run"), "#!");
        assertTrue(folder.resolve("run").toFile().setExecutable(true));

        Map<String, Entry> entries =
                entriesOf(archive -> archive.addTree(Path.of("/opt/files"), folder));

        assertEquals(
                "[opt, opt/files, opt/files/inner, opt/files/inner/data, opt/files/run]",
                entries.keySet().toString());
        assertEquals(0100644, entries.get("opt/files/inner/data").mode());
        assertEquals(0100755, entries.get("opt/files/run").mode());
        assertArrayEquals(bytes("#!"), entries.get("opt/files/run").content());
    }

    private interface Filler {
        void fill(CpioArchive archive) throws IOException;
    }

    /// Parses the written archive up to its last entry.
    private static Map<String, Entry> entriesOf(Filler filler) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (CpioArchive archive = new CpioArchive(out)) {
            filler.fill(archive);
        }
        byte[] bytes = out.toByteArray();
        Map<String, Entry> entries = new LinkedHashMap<>();
        for (int at = 0; ; ) {
            assertEquals("070701", text(bytes, at, 6));
            int nameAt = at + HEADER_BYTES;
            String name = text(bytes, nameAt, field(bytes, at, NAME_BYTES) - 1);
            if (name.equals("TRAILER!!!")) {
                assertEquals(0, bytes.length % 4);
                return entries;
            }
            int contentAt = aligned(nameAt + field(bytes, at, NAME_BYTES));
            int contentEnd = contentAt + field(bytes, at, FILE_BYTES);
            Entry entry =
                    new Entry(
                            field(bytes, at, MODE),
                            Arrays.copyOfRange(bytes, contentAt, contentEnd));
            assertTrue(entries.put(name, entry) == null, name);
            at = aligned(contentEnd);
        }
    }

    private static int field(byte[] bytes, int entryAt, int index) {
        String digits = text(bytes, entryAt + 6 + FIELD_BYTES * index, FIELD_BYTES);
        return Integer.parseUnsignedInt(digits, 16);
    }

    private static int aligned(int offset) {
        return (offset + 3) / 4 * 4;
    }

    private static String text(byte[] bytes, int from, int length) {
        return new String(bytes, from, length, StandardCharsets.US_ASCII);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
