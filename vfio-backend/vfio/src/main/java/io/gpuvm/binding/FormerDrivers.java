package io.gpuvm.binding;

import io.gpuvm.vfio.PciAddress;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;

/// Record of former drivers between `bind` and `unbind`: a file for each bound card, with a line
/// for each function bound with it. Like the bindings, the record does not survive a reboot.
///
/// Locked exclusively from [#open] to [#close()].
final class FormerDrivers implements AutoCloseable {
    private final Path folder;
    private final FileChannel channel;

    private FormerDrivers(Path folder, FileChannel channel) {
        this.folder = folder;
        this.channel = channel;
    }

    /// @throws BindingException if the folder cannot be created or written, or if another process
    ///   holds its lock
    static FormerDrivers open(Path folder) {
        try {
            Files.createDirectories(folder);
            FileChannel channel =
                    FileChannel.open(
                            folder.resolve("lock"),
                            StandardOpenOption.CREATE,
                            StandardOpenOption.WRITE);
            if (!isLocked(channel)) {
                channel.close();
                throw new BindingException(
                        "%s: another gpuvm bind or unbind is running".formatted(folder));
            }
            return new FormerDrivers(folder, channel);
        } catch (IOException e) {
            throw new BindingException("--state %s: %s".formatted(folder, e), e);
        }
    }

    private static boolean isLocked(FileChannel channel) throws IOException {
        try {
            FileLock lock = channel.tryLock();
            return lock != null;
        } catch (OverlappingFileLockException _) {
            return false;
        }
    }

    /// Returns the functions that were bound with a card; empty if none.
    List<Former> of(PciAddress card) {
        Path file = file(card);
        try {
            return Files.exists(file)
                    ? Files.readAllLines(file).stream().map(Former::parse).toList()
                    : List.of();
        } catch (IOException e) {
            throw new BindingException("%s: %s".formatted(file, e), e);
        }
    }

    /// Records the functions bound with a card, in place of the earlier record.
    void remember(PciAddress card, List<Former> formers) {
        Path file = file(card);
        Path part = folder.resolve(card + ".part");
        try {
            Files.write(part, formers.stream().map(Former::toLine).toList());
            Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new BindingException("%s: %s".formatted(file, e), e);
        }
    }

    void forget(PciAddress card) {
        try {
            Files.deleteIfExists(file(card));
        } catch (IOException e) {
            throw new BindingException("%s: %s".formatted(file(card), e), e);
        }
    }

    /// Releases the lock.
    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            throw new BindingException("%s: %s".formatted(folder, e), e);
        }
    }

    private Path file(PciAddress card) {
        return folder.resolve(card.toString());
    }
}
