package io.gpuvm.top;

import io.gpuvm.counters.CountersException;
import io.gpuvm.counters.CountersFile;
import io.gpuvm.counters.CountersView;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/// Counters files of the backends to show, and their histories. Confined to one thread.
public final class TopFiles {
    private record Source(Path file, BackendHistory history) {}

    private final List<Path> paths;
    private final List<Source> sources = new ArrayList<>();

    /// @param paths files of counters, run folders, folders of run folders, or control sockets
    public TopFiles(List<Path> paths) {
        this.paths = paths;
    }

    /// Reads all counters. The files are opened each time, because a new backend replaces the file.
    ///
    /// @throws CountersException if a path leads to no counters
    public List<TopBackend> next() {
        Set<Path> files = new LinkedHashSet<>();
        paths.forEach(path -> files.addAll(filesOf(path)));
        sources.removeIf(source -> !files.contains(source.file));
        List<TopBackend> frame = new ArrayList<>();
        for (Path file : files) {
            Source source =
                    sources.stream()
                            .filter(each -> each.file.equals(file))
                            .findAny()
                            .orElseGet(() -> new Source(file, new BackendHistory()));
            frame.add(source.history.next(CountersView.open(file).read()));
            if (!sources.contains(source)) {
                sources.add(source);
            }
        }
        return frame;
    }

    private static List<Path> filesOf(Path path) {
        if (!Files.isDirectory(path)) {
            boolean isSocket = Files.exists(path) && !Files.isRegularFile(path);
            boolean isGone = !Files.exists(path) && !path.endsWith(CountersFile.NAME);
            // The control socket of a dead backend may be gone.
            return List.of(
                    isSocket || isGone
                            ? CountersFile.folderOf(path).resolve(CountersFile.NAME)
                            : path);
        }
        Path own = path.resolve(CountersFile.NAME);
        if (Files.exists(own)) {
            return List.of(own);
        }
        try (Stream<Path> folders = Files.list(path)) {
            List<Path> found =
                    folders.map(folder -> folder.resolve(CountersFile.NAME))
                            .filter(Files::exists)
                            .sorted()
                            .toList();
            return found.isEmpty() ? List.of(own) : found;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
