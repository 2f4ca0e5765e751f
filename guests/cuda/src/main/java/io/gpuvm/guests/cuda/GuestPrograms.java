package io.gpuvm.guests.cuda;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Copies of CUDA programs and of the libraries that they need, in a folder whose content a virtual
/// machine gets (`RunOptions.withFiles`), in its folder `lib`. `libcuda.so.1` is not copied: the
/// machine has its own.
public final class GuestPrograms {
    /// Folder of the libraries, in that of the programs.
    private static final String LIBRARIES = "lib";

    private final Path folder;
    private final CudaLibrary library;

    /// @param folder folder of the programs
    /// @param library library with which the programs run
    public GuestPrograms(Path folder, CudaLibrary library) {
        this.folder = folder;
        this.library = library;
    }

    /// Copies a program and its libraries.
    ///
    /// @throws IllegalArgumentException if a library is missing, or if the file is not a program
    public void add(Path program) throws InterruptedException {
        try {
            copy(program, folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        addLibraries(program);
    }

    /// Copies the libraries of a program.
    ///
    /// @throws IllegalArgumentException if a library is missing, or if the file is not a program
    void addLibraries(Path program) throws InterruptedException {
        try {
            Files.createDirectories(folder.resolve(LIBRARIES));
            for (Path needed : libraries(program)) {
                if (!needed.getFileName().toString().equals(CudaLibrary.FILE)) {
                    copy(needed, folder.resolve(LIBRARIES));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void copy(Path file, Path folder) throws IOException {
        Files.copy(
                file,
                folder.resolve(file.getFileName()),
                StandardCopyOption.REPLACE_EXISTING,
                StandardCopyOption.COPY_ATTRIBUTES);
    }

    /// Returns the libraries that the dynamic loader would load, by the names in the program.
    private List<Path> libraries(Path program) throws IOException, InterruptedException {
        ProcessBuilder builder =
                new ProcessBuilder("ldd", program.toString()).redirectErrorStream(true);
        builder.environment().putAll(library.environment("", Map.of()));
        Process process = builder.start();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0 || text.contains("=> not found")) {
            throw new IllegalArgumentException("%s: ldd: %s".formatted(program, text.strip()));
        }
        List<Path> libraries = new ArrayList<>();
        for (String line : text.lines().toList()) {
            String[] words = line.strip().split(" ");
            if (words.length > 2 && words[1].equals("=>")) {
                libraries.add(Path.of(words[2]));
            }
        }
        return libraries;
    }
}
