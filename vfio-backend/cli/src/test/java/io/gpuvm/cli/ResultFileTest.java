package io.gpuvm.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.daemon.ConfigException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ResultFileTest {
    private static final byte[] RESULT = {1, 2, 3};

    @TempDir private Path folder;

    @Test
    void givenResult_whenPublished_thenOnlyResultFileExists() throws IOException {
        Path file = folder.resolve("result");
        try (ResultFile result = ResultFile.create(file)) {
            result.write(ByteBuffer.wrap(RESULT));
            assertFalse(Files.exists(file));
            result.publish();
        }

        assertArrayEquals(RESULT, Files.readAllBytes(file));
        assertEquals(List.of(file), filesOfFolder());
    }

    @Test
    void givenResult_whenNotPublished_thenExistingFileIsUnchanged() throws IOException {
        Path file = Files.writeString(folder.resolve("result"), "before");
        try (ResultFile result = ResultFile.create(file)) {
            result.write(ByteBuffer.wrap(RESULT));
        }

        assertEquals("before", Files.readString(file));
        assertEquals(List.of(file), filesOfFolder());
    }

    @Test
    void givenLinkToFile_whenReplaced_thenLinkAndPermissionsAreUnchanged() throws IOException {
        Path file = Files.writeString(folder.resolve("result"), "before");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        Path link = Files.createSymbolicLink(folder.resolve("link"), file);
        try (ResultFile result = ResultFile.create(link)) {
            result.write(ByteBuffer.wrap(RESULT));
            result.publish();
        }

        assertTrue(Files.isSymbolicLink(link));
        assertArrayEquals(RESULT, Files.readAllBytes(file));
        assertEquals(
                "rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
    }

    @Test
    void givenInvalidTarget_whenCreated_thenErrorNamesTarget() throws IOException {
        Path nowhere = folder.resolve("nothing").resolve("result");
        Path dangling = Files.createSymbolicLink(folder.resolve("link"), nowhere);

        assertRefused(folder, "not a writable regular file");
        assertRefused(Path.of("/dev/null"), "not a writable regular file");
        assertRefused(nowhere, "cannot be written: no such file or folder");
        assertRefused(dangling, "a dangling link");
    }

    private static void assertRefused(Path file, String reason) {
        String message =
                assertThrows(ConfigException.class, () -> ResultFile.create(file)).getMessage();
        assertEquals(file + ": " + reason, message);
    }

    private List<Path> filesOfFolder() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.toList();
        }
    }
}
