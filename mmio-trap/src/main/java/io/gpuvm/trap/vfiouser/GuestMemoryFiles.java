package io.gpuvm.trap.vfiouser;

import io.gpuvm.linux.Descriptor;
import io.gpuvm.linux.FileStatus;
import java.util.HashMap;
import java.util.Map;

/// Files that contain guest memory. Every DMA_MAP carries a separate descriptor, often of the same
/// file; this table retains one descriptor per file.
final class GuestMemoryFiles {
    /// File that contains at least one range.
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

    /// Takes ownership of a received descriptor, and returns its file. The caller must immediately
    /// call [#hold].
    ///
    /// @return null if the limit on the number of files is reached
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

    /// Increments a file's number of ranges.
    void hold(GuestFile file) {
        file.ranges++;
    }

    /// Decrements a file's number of ranges; closes the file after its last range.
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
