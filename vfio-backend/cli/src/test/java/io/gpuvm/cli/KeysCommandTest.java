package io.gpuvm.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KeysCommandTest {
    @TempDir Path directory;

    private final Shell shell = new Shell();

    @Test
    void givenFolder_whenKeysAreManaged_thenListHasStates() {
        Path keys = directory.resolve("keys");
        assertEquals(0, shell.run("keys", "init", keys, "--host", "gpu.example"), shell::err);
        assertEquals(0, shell.run("keys", "add", keys, "vm0", "--days", "30"), shell::err);
        assertTrue(Files.exists(keys.resolve("clients/vm0/key.pem")));
        assertEquals(0, shell.run("keys", "renew", keys, "vm0"), shell::err);
        assertEquals(0, shell.run("keys", "revoke", keys, "vm0"), shell::err);
        assertTrue(shell.out().startsWith("vm0: revoked=2"), shell::out);

        assertEquals(0, shell.run("keys", "list", keys), shell::err);
        assertEquals(3, shell.out().lines().count(), shell::out);
        assertTrue(shell.out().lines().findFirst().orElseThrow().contains("VALID"), shell::out);
    }

    @Test
    void givenWrongArguments_whenKeysAreManaged_thenErrorNamesThem() {
        assertEquals(2, shell.run("keys"));
        assertTrue(shell.err().contains("expected one of init"), shell::err);
        assertEquals(2, shell.run("keys", "add", directory, "vm0", "--days", "0"));
        assertTrue(shell.err().contains("--days=0, expected 1 to 3652"), shell::err);
        assertEquals(1, shell.run("keys", "add", directory.resolve("none"), "vm0"));
        assertTrue(shell.err().startsWith("gpuvm: "), shell::err);
    }
}
