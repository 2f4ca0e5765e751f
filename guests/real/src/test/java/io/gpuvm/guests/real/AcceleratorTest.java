package io.gpuvm.guests.real;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AcceleratorTest {
    @TempDir private Path folder;

    @Test
    void givenUsableDevice_whenParsed_thenAutoIsKvm() throws IOException {
        Path device = Files.createFile(folder.resolve("kvm"));
        for (String feature : List.of("vmx", "svm")) {
            Path processors = processors("fpu " + feature + " lm");
            assertEquals(Accelerator.KVM, Accelerator.parse("auto", device, processors));
            assertEquals(Accelerator.KVM, Accelerator.parse("kvm", device, processors));
            assertEquals(Accelerator.TCG, Accelerator.parse("tcg", device, processors));
        }
    }

    @Test
    void givenNoHardwareVirtualization_whenParsed_thenAutoIsTcgAndKvmIsRefused()
            throws IOException {
        Path device = Files.createFile(folder.resolve("kvm"));
        Path processors = processors("fpu vmx_fake lm");
        assertEquals(Accelerator.TCG, Accelerator.parse("auto", device, processors));
        IllegalArgumentException e =
                assertThrows(
                        IllegalArgumentException.class,
                        () -> Accelerator.parse("kvm", device, processors));
        assertEquals(
                "--accel kvm: %s: flags without vmx or svm: no hardware virtualization"
                        .formatted(processors),
                e.getMessage());
    }

    private Path processors(String features) throws IOException {
        return Files.writeString(
                folder.resolve("cpuinfo"), "processor\t: 0\nflags\t\t: " + features + "\n");
    }

    @Test
    void givenNoDevice_whenParsed_thenAutoIsTcgAndKvmIsRefused() throws IOException {
        Path device = folder.resolve("kvm");
        Path processors = processors("svm");
        assertEquals(Accelerator.TCG, Accelerator.parse("auto", device, processors));
        IllegalArgumentException e =
                assertThrows(
                        IllegalArgumentException.class,
                        () -> Accelerator.parse("kvm", device, processors));
        assertEquals("--accel kvm: %s does not exist".formatted(device), e.getMessage());
    }

    @Test
    void givenUnknownName_whenParsed_thenErrorListsNames() {
        IllegalArgumentException e =
                assertThrows(IllegalArgumentException.class, () -> Accelerator.parse("hvf"));
        assertTrue(e.getMessage().contains("hvf, expected one of tcg, kvm, auto"), e::getMessage);
    }
}
