package io.gpuvm.pv.host;

import io.gpuvm.pv.protocol.CommandStatus;

/// Changes the page tables of a session's address spaces in single steps. Confined to the poller;
/// no method allocates.
final class SpaceMapper {
    private final GuestMemory memory;
    private int work;

    SpaceMapper(GuestMemory memory) {
        this.memory = memory;
    }

    /// Returns the cost of the last [#map] or [#unmap], in entries.
    int work() {
        return work;
    }

    /// Maps memory. After a failure, nothing is mapped.
    ///
    /// @param gpuVa start address, a multiple of 4 KiB, of a range that is not mapped
    /// @param backing memory, of which the whole range is mapped
    /// @param offset offset in the memory, a multiple of 4 KiB
    /// @param bytes length, a multiple of 4 KiB
    /// @return [CommandStatus#OK], [CommandStatus#MAPPED], [CommandStatus#QUOTA_PAGES], or
    ///   [CommandStatus#NO_MEMORY]
    CommandStatus map(GuestSpace space, long gpuVa, Backing backing, long offset, long bytes) {
        work = 0;
        PageTables tables = space.tables();
        long done = 0;
        while (done < bytes) {
            long pages = memory.freePages();
            CommandStatus status = CommandStatus.QUOTA_PAGES;
            if (pages > 0) {
                long length = Math.min(bytes - done, backing.contiguousAt(offset + done));
                long before = tables.present();
                done +=
                        tables.map(
                                gpuVa + done,
                                length,
                                backing.entryAt(offset + done),
                                PageChoice.AUTO,
                                (int) Math.min(Integer.MAX_VALUE, pages));
                memory.addMappedPages(tables.present() - before);
                work += tables.work();
                status = statusOf(tables.stop());
            }
            if (status != CommandStatus.OK) {
                int failed = work;
                unmap(space, gpuVa, done);
                work += failed;
                return status;
            }
        }
        return CommandStatus.OK;
    }

    /// Unmaps a range.
    ///
    /// @param gpuVa start address of memory that has been mapped as a whole
    /// @param bytes length of this memory
    void unmap(GuestSpace space, long gpuVa, long bytes) {
        work = 0;
        PageTables tables = space.tables();
        long done = 0;
        while (done < bytes) {
            long before = tables.present();
            done += tables.unmap(gpuVa + done, bytes - done, Integer.MAX_VALUE, memory.freePages());
            memory.addMappedPages(tables.present() - before);
            work += tables.work();
            if (tables.stop() != PageTables.Stop.NONE) {
                // Only the split of a big page can fail, and no big page exceeds the memory.
                throw new IllegalStateException(
                        "unmap at %#x: %s".formatted(gpuVa + done, tables.stop()));
            }
        }
    }

    private static CommandStatus statusOf(PageTables.Stop stop) {
        return switch (stop) {
            case NONE -> CommandStatus.OK;
            case MAPPED -> CommandStatus.MAPPED;
            case NO_MEMORY -> CommandStatus.NO_MEMORY;
            case TOO_MANY -> CommandStatus.QUOTA_PAGES;
        };
    }
}
