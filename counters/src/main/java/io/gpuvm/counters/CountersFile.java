package io.gpuvm.counters;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.AtomicBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.ConcurrentCountersManager;

/// Counters of one backend, in a file that other processes may map, or in memory of this process
/// only.
///
/// The file has its full length from the start, and all its blocks are allocated then, so that a
/// full file system is an error at the start, and never of a later store. The number of counters
/// depends on the number of slots only: guests cannot enlarge the file.
///
/// Any thread attaches and detaches; each counter has one writer.
public final class CountersFile implements AutoCloseable {
    /// Name of the file in the backend's folder.
    public static final String NAME = "counters.dat";

    /// Ending of the folder of a backend, after the name of its control socket.
    private static final String FOLDER_ENDING = ".run";

    private static final int BLOCK_BYTES = 1 << 16;
    private static final int NO_GROUP = -1;
    private static final String OWNER = "unix:uid";

    /// Belongs to the effective user of this process.
    private static final Path OWN_PROCESS = Path.of("/proc/self");

    private final Path path;
    private final UnsafeBuffer header;
    private final AtomicBuffer values;
    private final ConcurrentCountersManager counters;
    private final AtomicLong attachments = new AtomicLong();
    private final CounterSet backend;
    private final CounterSet engines;

    private CountersFile(Path path, ByteBuffer bytes, int capacity, String gpu) {
        this.path = path;
        UnsafeBuffer all = new UnsafeBuffer(bytes);
        header = new UnsafeBuffer(all, 0, FileHeader.BYTES);
        values = new UnsafeBuffer(all, FileSize.valuesAt(capacity), FileSize.values(capacity));
        // The registration numbers protect readers of a counter that is reused at once.
        counters =
                new ConcurrentCountersManager(
                        new UnsafeBuffer(all, FileHeader.BYTES, FileSize.metadata(capacity)),
                        values,
                        StandardCharsets.US_ASCII);
        writeHeader(capacity, gpu);
        backend = allocate(CounterScope.BACKEND, CounterKey.of(CounterScope.BACKEND));
        engines = allocate(CounterScope.ENGINE, CounterKey.of(CounterScope.ENGINE));
    }

    /// Returns the folder of a backend that is told no other one: beside its control socket, so
    /// that the sockets of several backends may be in one folder.
    public static Path folderOf(Path controlSocket) {
        Path socket = controlSocket.toAbsolutePath().normalize();
        return socket.resolveSibling(socket.getFileName() + FOLDER_ENDING);
    }

    /// Creates a folder that only this process's user can change, and a group can read. A folder
    /// that exists is used if it belongs to this user.
    ///
    /// @param gid group that may read the folder; -1 for none
    /// @throws CountersException if the folder cannot be created, or is not one of this user
    public static void createFolder(Path folder, int gid) {
        try {
            if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
                Files.createDirectory(
                        folder,
                        PosixFilePermissions.asFileAttribute(
                                PosixFilePermissions.fromString("rwx------")));
            }
            Object owner = Files.getAttribute(folder, OWNER, LinkOption.NOFOLLOW_LINKS);
            if (!owner.equals(Files.getAttribute(OWN_PROCESS, OWNER))) {
                throw new CountersException(
                        "%s: the folder belongs to uid=%s, expected the backend's user"
                                .formatted(folder, owner));
            }
            if (gid != NO_GROUP) {
                Files.setAttribute(folder, "unix:gid", gid, LinkOption.NOFOLLOW_LINKS);
                Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-x---"));
            }
        } catch (IOException e) {
            throw new CountersException(
                    "%s: the folder for counters cannot be created: %s".formatted(folder, e), e);
        }
    }

    /// Creates the file of a backend. It replaces the file of a backend that has ended, at once: a
    /// reader sees the former or the new file.
    ///
    /// @param folder existing folder
    /// @param gid group that may read the file; -1 for none
    /// @param slots greatest number of virtual machines at a time
    /// @param gpu name of the GPU for readers
    /// @throws CountersException if another backend uses the folder, or if the file cannot be
    ///   created with all its blocks
    public static CountersFile create(Path folder, int gid, int slots, String gpu) {
        Path file = folder.resolve(NAME);
        refuseLiving(file);
        int capacity = capacity(slots);
        Path made = folder.resolve(NAME + "." + ProcessHandle.current().pid());
        try {
            CountersFile created = new CountersFile(file, map(made, capacity), capacity, gpu);
            if (gid != NO_GROUP) {
                Files.setPosixFilePermissions(made, PosixFilePermissions.fromString("rw-r-----"));
                Files.setAttribute(made, "unix:gid", gid, LinkOption.NOFOLLOW_LINKS);
            }
            Files.move(made, file, StandardCopyOption.ATOMIC_MOVE);
            return created;
        } catch (IOException e) {
            deleteQuietly(made, e);
            throw new CountersException(
                    "%s: the file for counters, of %d bytes, cannot be created: %s"
                            .formatted(file, FileSize.of(capacity), e),
                    e);
        }
    }

    /// Creates counters that no other process can read.
    ///
    /// @param slots greatest number of virtual machines at a time
    /// @param gpu name of the GPU for readers
    public static CountersFile inMemory(int slots, String gpu) {
        int capacity = capacity(slots);
        ByteBuffer bytes = ByteBuffer.allocateDirect((int) FileSize.of(capacity));
        return new CountersFile(null, bytes, capacity, gpu);
    }

    private static void refuseLiving(Path file) {
        if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        BackendSnapshot found;
        try {
            found = CountersView.open(file).read();
        } catch (CountersException e) {
            // The remains of another version, or of an interrupted start.
            return;
        }
        if (found.isAlive() && !found.isStopped()) {
            throw new CountersException(
                    "%s: the backend with pid=%d uses this folder, expected a folder for each backend"
                            .formatted(file, found.pid()));
        }
    }

    private static ByteBuffer map(Path file, int capacity) throws IOException {
        Files.deleteIfExists(file);
        long bytes = FileSize.of(capacity);
        try (FileChannel channel =
                FileChannel.open(
                        file,
                        Set.of(
                                StandardOpenOption.CREATE_NEW,
                                StandardOpenOption.READ,
                                StandardOpenOption.WRITE,
                                LinkOption.NOFOLLOW_LINKS),
                        PosixFilePermissions.asFileAttribute(
                                PosixFilePermissions.fromString("rw-------")))) {
            ByteBuffer zeros = ByteBuffer.allocateDirect(BLOCK_BYTES);
            // Writing allocates the blocks on every file system; truncating would leave holes, and
            // the first store into a hole of a full file system raises SIGBUS.
            for (long at = 0; at < bytes; at += zeros.position()) {
                zeros.clear().limit((int) Math.min(BLOCK_BYTES, bytes - at));
                while (zeros.hasRemaining()) {
                    channel.write(zeros, at + zeros.position());
                }
            }
            return channel.map(FileChannel.MapMode.READ_WRITE, 0, bytes)
                    .order(ByteOrder.LITTLE_ENDIAN);
        }
    }

    private static void deleteQuietly(Path file, IOException cause) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            cause.addSuppressed(e);
        }
    }

    private static int capacity(int slots) {
        return CounterType.countOf(CounterScope.BACKEND)
                + CounterType.countOf(CounterScope.ENGINE)
                + slots * CounterType.countOf(CounterScope.VM);
    }

    private void writeHeader(int capacity, String gpu) {
        ProcessHandle self = ProcessHandle.current();
        header.putInt(FileHeader.VERSION_AT, FileHeader.VERSION);
        header.putInt(FileHeader.CAPACITY_AT, capacity);
        header.putLong(FileHeader.PID_AT, self.pid());
        header.putLong(FileHeader.PROCESS_START_MS_AT, LivingProcess.startMs(self));
        header.putLong(FileHeader.NAMESPACE_AT, LivingProcess.namespace());
        header.putLong(FileHeader.START_MS_AT, System.currentTimeMillis());
        byte[] name = gpu.getBytes(StandardCharsets.US_ASCII);
        int bytes = Math.min(name.length, FileHeader.MOST_NAME_BYTES);
        header.putInt(FileHeader.NAME_BYTES_AT, bytes);
        header.putBytes(FileHeader.NAME_AT, name, 0, bytes);
        header.putInt(FileHeader.STATE_AT, FileHeader.SERVING);
        beat();
        header.putLongRelease(FileHeader.MAGIC_AT, FileHeader.MAGIC);
    }

    /// Shows readers the control socket of the backend.
    ///
    /// @param socket absolute path
    public void showControl(Path socket) {
        byte[] text = socket.toString().getBytes(StandardCharsets.UTF_8);
        if (text.length <= FileHeader.MOST_CONTROL_BYTES) {
            header.putBytes(FileHeader.CONTROL_AT, text);
            header.putIntRelease(FileHeader.CONTROL_BYTES_AT, text.length);
        }
    }

    /// Returns the path of the file; null if the counters are in no file.
    public Path path() {
        return path;
    }

    /// Returns the counters of the backend.
    public CounterSet backend() {
        return backend;
    }

    /// Returns the counters of the engines.
    public CounterSet engines() {
        return engines;
    }

    /// Shows readers that the process runs. One thread at a time.
    public void beat() {
        header.putLongRelease(FileHeader.HEARTBEAT_NS_AT, System.nanoTime());
        header.putLongRelease(FileHeader.HEARTBEAT_MS_AT, System.currentTimeMillis());
    }

    /// Adds a virtual machine, whose counters begin with 0.
    ///
    /// @param name name in ASCII, at most 84 characters
    /// @param slot number of the virtual machine in the backend
    /// @param mode number of the mode, [VmSnapshot#MODES]
    /// @throws IllegalStateException if the file has no room for more virtual machines
    public CounterSet attach(String name, int slot, int mode) {
        long attachment = attachments.incrementAndGet();
        return allocate(
                CounterScope.VM, new CounterKey(CounterScope.VM, 0, slot, mode, attachment, name));
    }

    /// Removes a virtual machine. Called after all writers of its counters have ended.
    public void detach(CounterSet vm) {
        for (int id : vm.ids()) {
            counters.free(id);
        }
    }

    /// Returns a reader of these counters. Any thread.
    public CountersView view() {
        return view(values);
    }

    /// Returns a reader that reads the values through a buffer.
    CountersView view(AtomicBuffer through) {
        return new CountersView(path, header, counters.metaDataBuffer(), through);
    }

    /// Returns the buffer of all values.
    AtomicBuffer values() {
        return values;
    }

    /// Shows readers that the backend has stopped. The file remains. The mapping is released when
    /// no object refers to it, because threads may still write.
    @Override
    public void close() {
        beat();
        header.putIntRelease(FileHeader.STATE_AT, FileHeader.STOPPED);
    }

    private CounterSet allocate(CounterScope scope, CounterKey subject) {
        int[] ids = new int[CounterType.countOf(scope)];
        int next = 0;
        Map<CounterType, CounterCells> cells = new EnumMap<>(CounterType.class);
        try {
            for (CounterType type : CounterType.of(scope)) {
                int[] members = new int[type.members()];
                for (int member = 0; member < members.length; member++) {
                    members[member] = allocate(type, member, subject);
                    ids[next++] = members[member];
                }
                cells.put(type, new CounterCells(values, members));
            }
        } catch (IllegalStateException e) {
            for (int i = 0; i < next; i++) {
                counters.free(ids[i]);
            }
            throw e;
        }
        long registration = Math.max(1, subject.attachment());
        for (int id : ids) {
            counters.setCounterRegistrationId(id, registration);
        }
        return new CounterSet(subject.attachment(), cells, ids);
    }

    private int allocate(CounterType type, int member, CounterKey subject) {
        DirectBuffer key =
                new CounterKey(
                                type.scope(),
                                member,
                                subject.slot(),
                                subject.mode(),
                                subject.attachment(),
                                subject.name())
                        .encode();
        DirectBuffer label =
                new UnsafeBuffer(
                        labelOf(type, member, subject.name()).getBytes(StandardCharsets.US_ASCII));
        return counters.allocate(type.number(), key, 0, key.capacity(), label, 0, label.capacity());
    }

    private static String labelOf(CounterType type, int member, String vm) {
        String name = type.name().toLowerCase(Locale.ROOT);
        String of = type.members() == 1 ? "" : "[%d]".formatted(member);
        return vm.isEmpty() ? name + of : "%s: %s%s".formatted(vm, name, of);
    }
}
