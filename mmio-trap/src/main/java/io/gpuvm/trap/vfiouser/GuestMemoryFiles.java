package io.gpuvm.trap.vfiouser;

import io.gpuvm.linux.Descriptor;
import io.gpuvm.linux.FileStatus;
import java.util.HashMap;
import java.util.Map;

/// The files that guest memory lies in. Every DMA_MAP brings a descriptor of its own, often of the
/// same file; one per file is kept.
final class GuestMemoryFiles {
    /// A file, for as long as a range lies in it.
    static final class GuestFile {
        private final FileId id;
        private final Descriptor descriptor;
        private int ranges;

        private GuestFile(FileId id, Descriptor descriptor) {
            this.id = id;
            this.descriptor = descriptor;
        }

        int descriptor() {
            return descriptor.number();
        }
    }

    private record FileId(long device, long inode) {}

    private final Map<FileId, GuestFile> files = new HashMap<>();

    /// The file behind a descriptor that was received, which is taken over. To be held at once.
    ///
    /// @return null if there are too many files
    GuestFile admit(Descriptor descriptor, FileStatus status) {
        FileId id = new FileId(status.device(), status.inode());
        GuestFile known = files.get(id);
        if (known != null) {
            descriptor.close();
            return known;
        }
        if (files.size() >= Limits.DMA_FILES) {
            descriptor.close();
            return null;
        }
        GuestFile file = new GuestFile(id, descriptor);
        files.put(id, file);
        return file;
    }

    /// One more range lies in a file.
    void hold(GuestFile file) {
        file.ranges++;
    }

    /// One range less lies in a file, which is closed with its last one.
    void release(GuestFile file) {
        file.ranges--;
        if (file.ranges == 0) {
            files.remove(file.id);
            file.descriptor.close();
        }
    }

    void clear() {
        files.values().forEach(file -> file.descriptor.close());
        files.clear();
    }
}
