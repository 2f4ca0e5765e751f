package io.gpuvm.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.daemon.ConfigException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConfigFileTest {
    private static final Set<String> KNOWN = Set.of("gpu", "policy", "overcommit", "threads");

    @TempDir private Path folder;

    private ConfigFile read(String text) throws IOException {
        Path file = folder.resolve("gpuvm.toml");
        Files.writeString(file, text.replace("; ", "\n"));
        return ConfigFile.read(file, KNOWN);
    }

    @Test
    void givenOptionsAndTables_whenRead_thenTheyHaveTheFormOfTheCommandLine() throws IOException {
        ConfigFile file =
                read(
                        """
                        # GPU of this host
                        gpu = "soft,vram=1G"
                        overcommit = false

                        [vm.a]
                        mode = "cuda"
                        vram = "25%"
                        weight = 3
                        [vm."b-2"]
                        mode = 'pv'
                        """);

        assertEquals("soft,vram=1G", file.options().get("gpu").text());
        assertEquals(2, file.options().get("gpu").line());
        assertEquals("no", file.options().get("overcommit").text());
        assertEquals(List.of("a,mode=cuda,vram=25%,weight=3", "b-2,mode=pv"), file.vms());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "gpu =                      | gpuvm.toml:1:",
                "gpu = \"soft; policy = 1   | gpuvm.toml:1:",
                "polcy = \"fair\"           | gpuvm.toml:1: unknown key polcy, did you mean policy?",
                "gpu = 1; xyzzy = 2         | gpuvm.toml:2: unknown key xyzzy, expected one of gpu,",
                "gpu = 1.5                  | gpuvm.toml:1: gpu=1.5, expected a string, a whole",
                "gpu = []                   | gpuvm.toml:1: gpu=[], expected a string, a whole",
                "gpu = \"\"                 | gpuvm.toml:1: gpu is empty",
                "gpu = 1; gpu = 2           | gpuvm.toml:2:",
                "vm = 3                     | gpuvm.toml:1: vm, expected tables [vm.NAME]",
                "[vm]; a = 3                | gpuvm.toml:2: vm.a, expected a table [vm.NAME]",
                "[vm.a]; mode = \"pv\"; wieght = 1 | gpuvm.toml:3: unknown key vm.a.wieght, did you mean weight?",
                "[vm.a]; mode = \"fv\"; sessions = 1 | gpuvm.toml:3: unknown key vm.a.sessions",
                "[vm.a]; mode = \"pv,cap=1\" | gpuvm.toml:2: vm.a.mode=pv,cap=1, expected a value without commas",
                "[vm.a]; vram = { size = 1 } | gpuvm.toml:2: vm.a.vram=",
                "[vm.a]; [vm.a]             | gpuvm.toml:2:",
            })
    void givenInvalidFile_whenRead_thenMessageNamesLineAndValue(String text, String message) {
        ConfigException error = assertThrows(ConfigException.class, () -> read(text));

        assertTrue(error.getMessage().contains(message), error::getMessage);
    }

    @Test
    void givenFilesThatCannotBeRead_whenRead_thenMessageNamesReason() throws IOException {
        Path absent = folder.resolve("absent");
        Path binary = Files.write(folder.resolve("binary"), new byte[] {(byte) 0xff, 0});
        Path large = Files.write(folder.resolve("large"), new byte[(1 << 20) + 1]);

        assertEquals("--config %s: no such file or folder".formatted(absent), errorOf(absent));
        assertEquals("--config %s is not UTF-8".formatted(binary), errorOf(binary));
        assertEquals(
                "--config %s has 1048577 bytes, limit=1048576".formatted(large), errorOf(large));
    }

    private static String errorOf(Path file) {
        return assertThrows(ConfigException.class, () -> ConfigFile.read(file, KNOWN)).getMessage();
    }

    @Test
    void givenErrorAboutOption_whenLocated_thenMessageNamesItsLine() throws IOException {
        ConfigFile file =
                read("gpu = \"soft\"; policy = \"luck\"; [vm.a]; mode = \"pv\"; weight = 0");

        assertEquals(
                folder.resolve("gpuvm.toml") + ":2: policy: policy=luck, expected one of fifo",
                located(file, "--policy: policy=luck, expected one of fifo"));
        assertEquals(
                folder.resolve("gpuvm.toml") + ":5: vm a: weight=0, expected 1 to 10000",
                located(file, "--vm a: weight=0, expected 1 to 10000"));
        assertEquals(
                folder.resolve("gpuvm.toml") + ":3: vm a: socket=... is missing",
                located(file, "--vm a: socket=... is missing"));
        assertEquals("--vm b: weight=0", located(file, "--vm b: weight=0"));
        ConfigException other = new ConfigException("--tls requires --listen");
        assertSame(other, file.located(other));
    }

    private static String located(ConfigFile file, String message) {
        return file.located(new ConfigException(message)).getMessage();
    }

    @Test
    void givenTwoVersions_whenFixedOptionDiffers_thenMessageNamesBothValues() throws IOException {
        ConfigFile former = read("gpu = \"soft\"; policy = \"fair\"; threads = \"compact\"");

        read("gpu = \"soft\"; policy = \"fifo\"; threads = \"compact\"")
                .requireUnchanged(former, Set.of("policy"));
        assertTrue(
                changed(former, "gpu = \"soft,vram=1G\"; threads = \"compact\"")
                        .endsWith(
                                ":1: gpu=soft,vram=1G, was soft: it is fixed until the backend restarts"));
        assertTrue(
                changed(former, "gpu = \"soft\"")
                        .endsWith(
                                "threads is absent, was compact: it is fixed until the backend restarts"));
    }

    private String changed(ConfigFile former, String text) throws IOException {
        ConfigFile file = read(text);
        return assertThrows(
                        ConfigException.class,
                        () -> file.requireUnchanged(former, Set.of("policy")))
                .getMessage();
    }
}
