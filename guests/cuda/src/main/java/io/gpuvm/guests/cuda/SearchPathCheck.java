package io.gpuvm.guests.cuda;

import io.gpuvm.cuda.compiler.HostElf;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// Finds programs that load other CUDA libraries than those in `LD_LIBRARY_PATH`: the folders of a
/// program's `DT_RPATH` have precedence unless the program also has a `DT_RUNPATH` (ld.so(8)).
final class SearchPathCheck {
    /// Limit of the examined programs.
    private static final long MAX_BYTES = 1 << 28;

    private SearchPathCheck() {}

    /// Returns a line for each library that a program finds in its `DT_RPATH` instead of the given
    /// folders.
    ///
    /// @param program path, or name that is searched for in `PATH`
    static List<String> warnings(
            String program, CudaLibrary library, Map<String, String> environment) {
        Optional<Path> file = locate(program, environment);
        Optional<HostElf> elf = file.filter(SearchPathCheck::isExamined).flatMap(HostElf::read);
        if (elf.isEmpty() || elf.get().dynamicText(HostElf.RUNPATH).isPresent()) {
            return List.of();
        }
        String path = elf.get().dynamicText(HostElf.RPATH).orElse("");
        List<String> warnings = new ArrayList<>();
        for (String name : names(library)) {
            first(path, file.get(), name)
                    .ifPresent(found ->
                            warnings.add(
                                    ("%s loads %s, because its RPATH precedes LD_LIBRARY_PATH;"
                                                    + " remove it: patchelf --remove-rpath %s")
                                            .formatted(program, found, program)));
        }
        return warnings;
    }

    private static boolean isExamined(Path file) {
        try {
            return Files.size(file) <= MAX_BYTES;
        } catch (IOException _) {
            return false;
        }
    }

    private static Optional<Path> locate(String program, Map<String, String> environment) {
        if (program.contains("/")) {
            return Optional.of(Path.of(program));
        }
        return Stream.of(environment.getOrDefault("PATH", "").split(":"))
                .filter(folder -> !folder.isEmpty())
                .map(folder -> Path.of(folder, program))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /// Returns the names of the libraries in all folders.
    private static List<String> names(CudaLibrary library) {
        List<String> names = new ArrayList<>();
        for (Path folder : library.folders()) {
            try (Stream<Path> files = Files.list(folder)) {
                files.map(file -> file.getFileName().toString())
                        .filter(name -> name.contains(".so"))
                        .sorted()
                        .forEach(names::add);
            } catch (IOException _) {
                // The library is not built.
            }
        }
        return names;
    }

    /// Returns the first file with a name in the folders of a search path, which may be relative to
    /// the program.
    private static Optional<Path> first(String path, Path program, String name) {
        String origin = String.valueOf(program.toAbsolutePath().normalize().getParent());
        return Stream.of(path.split(":"))
                .filter(folder -> !folder.isEmpty())
                .map(folder -> folder.replace("${ORIGIN}", origin).replace("$ORIGIN", origin))
                .map(folder -> Path.of(folder).resolve(name))
                .filter(Files::exists)
                .findFirst();
    }
}
