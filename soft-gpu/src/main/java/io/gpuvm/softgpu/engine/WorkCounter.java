package io.gpuvm.softgpu.engine;

/// Counters of PFIFO, the engines and shared windows.
public enum WorkCounter {
    DOORBELLS("Writes of a channel's put index through BAR1"),
    GPFIFO_ENTRIES("Push-buffer segments fetched"),
    METHODS("Methods executed, including host methods"),
    SEMAPHORE_ACQUIRES("Semaphore acquires that succeeded"),
    SEMAPHORE_RELEASES("Semaphore releases written"),
    NON_STALL_INTERRUPTS("Non-stall interrupt methods executed"),
    SOFTWARE_METHODS("Methods passed to the driver's software object"),
    MMU_FAULTS("Faults reported by the memory management unit"),
    PBDMA_ERRORS("Push-buffer errors reported by a PBDMA"),
    CLASS_ERRORS("Methods that an engine refused"),
    UNKNOWN_METHODS("Methods of known classes that are stored without effect"),
    CLEARS("Layers of render targets cleared, and layers of depth or stencil"),
    CLEARED_BYTES("Bytes that clears wrote"),
    CLEARS_LEFT_OUT("Clears of unsupported targets, which were left unchanged"),
    DRAWS_LEFT_OUT("Draws accepted but not executed"),
    BLITS("2D copies started"),
    BLITS_LEFT_OUT("Unsupported 2D operations, which were not executed"),
    MACROS("Programs of the macro processor started"),
    RUNLIST_COMMITS("Runlists committed"),
    PREEMPTS("Channels preempted"),
    TLB_FLUSHES("Flushes of translation caches"),
    WINDOW_PAGES_SHOWN("Pages of VRAM moved into a page of a shared window"),
    WINDOW_PAGES_TAKEN("Pages of VRAM moved between pages of shared windows"),
    WINDOW_PAGES_RETURNED("Pages of VRAM moved back out of a shared window"),
    M2MF_LAUNCHES("Transfers started on M2MF"),
    M2MF_BYTES("Bytes written by M2MF transfers"),
    COMPUTE_LAUNCHES("Grids started on multiprocessors"),
    COMPUTE_BLOCKS("Thread blocks that ended"),
    COMPUTE_TRAPS("Grids ended by an instruction's error"),
    WARP_INSTRUCTIONS("Instructions executed by warps"),
    COPY0_LAUNCHES("Transfers started on copy engine 0"),
    COPY0_BYTES("Bytes written by copy engine 0"),
    COPY1_LAUNCHES("Transfers started on copy engine 1"),
    COPY1_BYTES("Bytes written by copy engine 1");

    private final String meaning;

    WorkCounter(String meaning) {
        this.meaning = meaning;
    }

    /// Returns a description for users.
    public String meaning() {
        return meaning;
    }
}
