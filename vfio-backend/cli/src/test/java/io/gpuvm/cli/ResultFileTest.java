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
    void givenAResult_whenPublished_thenTheFileIsThereAndNothingElse() throws IOException {
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
    void givenAResult_whenNotPublished_thenWhatWasThereStays() throws IOException {
        Path file = Files.writeString(folder.resolve("result"), "before");
        try (ResultFile result = ResultFile.create(file)) {
            result.write(ByteBuffer.wrap(RESULT));
        }

        assertEquals("before", Files.readString(file));
        assertEquals(List.of(file), filesOfFolder());
    }

    @Test
    void givenALinkToAFileOfOnesOwn_whenReplaced_thenLinkAndPermissionsStay() throws IOException {
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
    void givenWhatIsNoFile_whenCreated_thenTheErrorNamesIt() throws IOException {
        Path nowhere = folder.resolve("nothing").resolve("result");
        Path dangling = Files.createSymbolicLink(folder.resolve("link"), nowhere);

        assertRefused(folder, "no regular file that may be written");
        assertRefused(Path.of("/dev/null"), "no regular file that may be written");
        assertRefused(nowhere, "cannot be written: no such file or folder");
        assertRefused(dangling, "a link to nothing");
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
