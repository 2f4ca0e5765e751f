package io.gpuvm.counters;

import java.io.IOException;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.agrona.concurrent.AtomicBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.CountersReader;

/// Reader of a backend's counters. It needs no answer of the backend, which may hang or have ended.
///
/// Any thread.
public final class CountersView {
    private final Path path;
    private final AtomicBuffer header;
    private final AtomicBuffer metadata;
    private final AtomicBuffer values;

    CountersView(Path path, AtomicBuffer header, AtomicBuffer metadata, AtomicBuffer values) {
        this.path = path;
        this.header = header;
        this.metadata = metadata;
        this.values = values;
    }

    /// Maps the file of a backend, which may have ended.
    ///
    /// @throws CountersException if the file cannot be read, or has another format
    public static CountersView open(Path file) {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            long bytes = channel.size();
            if (bytes < FileHeader.BYTES || bytes > Integer.MAX_VALUE) {
                throw new CountersException(
                        "%s: bytes=%d, not a file of gpuvm's counters".formatted(file, bytes));
            }
            MappedByteBuffer map = channel.map(FileChannel.MapMode.READ_ONLY, 0, bytes);
            UnsafeBuffer all = new UnsafeBuffer(map);
            FileHeader.check(file, all, bytes);
            int capacity = all.getInt(FileHeader.CAPACITY_AT);
            return new CountersView(
                    file,
                    new UnsafeBuffer(all, 0, FileHeader.BYTES),
                    new UnsafeBuffer(all, FileHeader.BYTES, FileSize.metadata(capacity)),
                    new UnsafeBuffer(all, FileSize.valuesAt(capacity), FileSize.values(capacity)));
        } catch (IOException e) {
            throw new CountersException("%s: %s".formatted(file, e), e);
        }
    }

    /// Reads all counters. A counter that is released and reused meanwhile is not reported.
    public BackendSnapshot read() {
        CounterValues backend = new CounterValues();
        CounterValues engines = new CounterValues();
        Map<Long, VmSnapshot> vms = new LinkedHashMap<>();
        int capacity = metadata.capacity() / CountersReader.METADATA_LENGTH;
        for (int id = 0; id < capacity; id++) {
            int record = CountersReader.metaDataOffset(id);
            int state = metadata.getIntVolatile(record);
            if (state == CountersReader.RECORD_UNUSED) {
                break;
            }
            if (state == CountersReader.RECORD_ALLOCATED) {
                read(id, record, backend, engines, vms);
            }
        }
        long pid = header.getLong(FileHeader.PID_AT);
        return new BackendSnapshot(
                path,
                pid,
                isAlive(pid),
                header.getLong(FileHeader.START_MS_AT),
                header.getLongVolatile(FileHeader.HEARTBEAT_MS_AT),
                header.getLongVolatile(FileHeader.HEARTBEAT_NS_AT),
                header.getIntVolatile(FileHeader.STATE_AT) == FileHeader.STOPPED,
                gpu(),
                control(),
                System.currentTimeMillis(),
                System.nanoTime(),
                backend,
                engines,
                List.copyOf(ordered(vms)));
    }

    private static List<VmSnapshot> ordered(Map<Long, VmSnapshot> vms) {
        List<VmSnapshot> all = new ArrayList<>(vms.values());
        all.sort((a, b) -> Long.compare(a.attachment(), b.attachment()));
        return all;
    }

    /// Returns whether the process exists. A process of another PID namespace, such as a container,
    /// is invisible, and counts as existing until its heartbeats are too old.
    private boolean isAlive(long pid) {
        if (header.getLong(FileHeader.NAMESPACE_AT) == LivingProcess.namespace()) {
            return LivingProcess.isAlive(pid, header.getLong(FileHeader.PROCESS_START_MS_AT));
        }
        long heartbeatNs = header.getLongVolatile(FileHeader.HEARTBEAT_NS_AT);
        return System.nanoTime() - heartbeatNs <= BackendSnapshot.HUNG_AFTER.toNanos();
    }

    private Path control() {
        int bytes = header.getIntVolatile(FileHeader.CONTROL_BYTES_AT);
        if (bytes <= 0 || bytes > FileHeader.MOST_CONTROL_BYTES) {
            return null;
        }
        byte[] text = new byte[bytes];
        header.getBytes(FileHeader.CONTROL_AT, text);
        try {
            return Path.of(new String(text, StandardCharsets.UTF_8));
        } catch (InvalidPathException e) {
            return null;
        }
    }

    private String gpu() {
        int bytes = header.getInt(FileHeader.NAME_BYTES_AT);
        boolean valid = bytes >= 0 && bytes <= FileHeader.MOST_NAME_BYTES;
        return valid ? CounterKey.printable(header, FileHeader.NAME_AT, bytes) : "";
    }

    private void read(
            int id,
            int record,
            CounterValues backend,
            CounterValues engines,
            Map<Long, VmSnapshot> vms) {
        int slot = CountersReader.counterOffset(id);
        long registration = values.getLongVolatile(slot + CountersReader.REGISTRATION_ID_OFFSET);
        if (registration == CountersReader.DEFAULT_REGISTRATION_ID) {
            return;
        }
        int keyAt = record + CountersReader.KEY_OFFSET;
        CounterType type = CounterType.of(metadata.getInt(record + CountersReader.TYPE_ID_OFFSET));
        long attachment = CounterKey.attachment(metadata, keyAt);
        CounterKey key =
                type != null && type.scope() == CounterScope.VM && vms.containsKey(attachment)
                        ? CounterKey.decodeMember(metadata, keyAt)
                        : CounterKey.decode(metadata, keyAt);
        long value = values.getLongVolatile(slot);
        long after = values.getLongVolatile(slot + CountersReader.REGISTRATION_ID_OFFSET);
        boolean isSame =
                after == registration
                        && metadata.getIntVolatile(record) == CountersReader.RECORD_ALLOCATED;
        if (!isSame || type == null || key == null || key.member() < 0) {
            return;
        }
        CounterValues target =
                switch (type.scope()) {
                    case BACKEND -> backend;
                    case ENGINE -> engines;
                    case VM -> vms.computeIfAbsent(attachment, _ -> VmSnapshot.of(key)).values();
                };
        target.put(type, key.member(), value);
    }
}
