package io.gpuvm.guests.real;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AcceleratorTest {
    @TempDir private Path folder;

    @Test
    void givenUsableDevice_whenParsed_thenAutoIsKvm() throws IOException {
        Path device = Files.createFile(folder.resolve("kvm"));
        assertEquals(Accelerator.KVM, Accelerator.parse("auto", device));
        assertEquals(Accelerator.KVM, Accelerator.parse("kvm", device));
        assertEquals(Accelerator.TCG, Accelerator.parse("tcg", device));
    }

    @Test
    void givenNoDevice_whenParsed_thenAutoIsTcgAndKvmIsRefused() {
        Path device = folder.resolve("kvm");
        assertEquals(Accelerator.TCG, Accelerator.parse("auto", device));
        IllegalArgumentException e =
                assertThrows(
                        IllegalArgumentException.class, () -> Accelerator.parse("kvm", device));
        assertEquals("--accel kvm: %s does not exist".formatted(device), e.getMessage());
    }

    @Test
    void givenUnknownName_whenParsed_thenNamesAreListed() {
        IllegalArgumentException e =
                assertThrows(IllegalArgumentException.class, () -> Accelerator.parse("hvf"));
        assertTrue(e.getMessage().contains("hvf, expected one of tcg, kvm, auto"), e::getMessage);
    }
}
