package io.gpuvm.cuda.compiler;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ToolkitTest {
    @TempDir private Path root;

    @Test
    void givenCheckout_whenFilesAreLocated_thenFoldersOfBuildAreReturned() {
        Toolkit toolkit = new Toolkit(root);

        assertEquals("cuda/include", relative(toolkit.headers()));
        assertEquals("cuda/runtime/target/lib", relative(toolkit.runtimeLibraries()));
        assertEquals("cuda/client/target/lib", relative(toolkit.driverLibraries()));
        assertEquals("guests/cuda/target/bin", relative(toolkit.starterFolder()));
    }

    @Test
    void givenInstallation_whenFilesAreLocated_thenItsFoldersAreReturned() throws IOException {
        for (String folder : new String[] {"include", "lib/cuda", "libexec"}) {
            Files.createDirectories(root.resolve(folder));
        }
        Toolkit toolkit = new Toolkit(root);

        assertEquals("include", relative(toolkit.headers()));
        assertEquals("lib/cuda", relative(toolkit.runtimeLibraries()));
        assertEquals("lib/cuda", relative(toolkit.driverLibraries()));
        assertEquals("libexec", relative(toolkit.starterFolder()));
    }

    private String relative(Path path) {
        return root.relativize(path).toString();
    }
}
