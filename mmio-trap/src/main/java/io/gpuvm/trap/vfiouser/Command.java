package io.gpuvm.trap.vfiouser;

/// Command numbers of the vfio-user specification. Plain integers, because messages are dispatched
/// by a switch over the received number.
final class Command {
    static final int VERSION = 1;
    static final int DMA_MAP = 2;
    static final int DMA_UNMAP = 3;
    static final int DEVICE_GET_INFO = 4;
    static final int DEVICE_GET_REGION_INFO = 5;
    static final int DEVICE_GET_REGION_IO_FDS = 6;
    static final int DEVICE_GET_IRQ_INFO = 7;
    static final int DEVICE_SET_IRQS = 8;
    static final int REGION_READ = 9;
    static final int REGION_WRITE = 10;
    static final int DMA_READ = 11;
    static final int DMA_WRITE = 12;
    static final int DEVICE_RESET = 13;
    static final int DIRTY_PAGES = 14;
    static final int REGION_WRITE_MULTI = 15;
    static final int DEVICE_FEATURE = 16;
    static final int MIG_DATA_READ = 17;
    static final int MIG_DATA_WRITE = 18;

    private Command() {}

    /// Returns the name of a command for the log.
    static String nameOf(int command) {
        return switch (command) {
            case VERSION -> "VERSION";
            case DMA_MAP -> "DMA_MAP";
            case DMA_UNMAP -> "DMA_UNMAP";
            case DEVICE_GET_INFO -> "DEVICE_GET_INFO";
            case DEVICE_GET_REGION_INFO -> "DEVICE_GET_REGION_INFO";
            case DEVICE_GET_REGION_IO_FDS -> "DEVICE_GET_REGION_IO_FDS";
            case DEVICE_GET_IRQ_INFO -> "DEVICE_GET_IRQ_INFO";
            case DEVICE_SET_IRQS -> "DEVICE_SET_IRQS";
            case REGION_READ -> "REGION_READ";
            case REGION_WRITE -> "REGION_WRITE";
            case DMA_READ -> "DMA_READ";
            case DMA_WRITE -> "DMA_WRITE";
            case DEVICE_RESET -> "DEVICE_RESET";
            case DIRTY_PAGES -> "DIRTY_PAGES";
            case REGION_WRITE_MULTI -> "REGION_WRITE_MULTI";
            case DEVICE_FEATURE -> "DEVICE_FEATURE";
            case MIG_DATA_READ -> "MIG_DATA_READ";
            case MIG_DATA_WRITE -> "MIG_DATA_WRITE";
            default -> "command " + command;
        };
    }
}
