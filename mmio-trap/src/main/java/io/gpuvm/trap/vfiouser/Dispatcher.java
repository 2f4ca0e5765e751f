package io.gpuvm.trap.vfiouser;

/// Dispatcher of messages to the handlers of their commands.
class Dispatcher {
    private final VersionHandler version = new VersionHandler();
    private final RegionTable regions;
    private final CommandHandler dmaMap;
    private final CommandHandler dmaUnmap;
    private final CommandHandler deviceInfo = new DeviceInfoHandler();
    private final CommandHandler regionInfo;
    private final CommandHandler regionIoFds;
    private final CommandHandler irqInfo;
    private final CommandHandler setIrqs;
    private final RegionReadHandler regionRead;
    private final RegionWriteHandler regionWrite;
    private final MultiWriteHandler multiWrite;
    private final CommandHandler reset;
    private final CommandHandler deviceFeature = new DeviceFeatureHandler();

    Dispatcher(VfioUserDevice device, DmaRegions memory, IrqTable irqs, TrapCounters counters) {
        this(device, memory, irqs, counters, new RegionTable(device, memory, counters));
    }

    /// @param regions regions that clients access
    Dispatcher(
            VfioUserDevice device,
            DmaRegions memory,
            IrqTable irqs,
            TrapCounters counters,
            RegionTable regions) {
        this.regions = regions;
        dmaMap = new DmaMapHandler(memory);
        dmaUnmap = new DmaUnmapHandler(memory);
        regionInfo = new RegionInfoHandler(regions);
        regionIoFds = new RegionIoFdsHandler(regions);
        irqInfo = new IrqInfoHandler(device);
        setIrqs = new SetIrqsHandler(irqs);
        regionRead = new RegionReadHandler(regions);
        regionWrite = new RegionWriteHandler(regions, counters);
        multiWrite = new MultiWriteHandler(regions, counters);
        reset = new ResetHandler(device, memory);
    }

    /// Dispatches a message to its handler.
    ///
    /// @return as [CommandHandler#handle]
    int dispatch(Request request, Reply reply) {
        MessageHeader header = request.header();
        int command = header.command();
        if (!version.negotiated() && command != Command.VERSION) {
            return request.refuse(Refusal.VERSION_MISSING, "command", command, Command.VERSION);
        }
        if (header.type() != MessageHeader.TYPE_COMMAND) {
            return request.refuse(
                    Refusal.NOT_A_COMMAND, "type", header.type(), MessageHeader.TYPE_COMMAND);
        }
        return switch (command) {
            case Command.REGION_READ -> regionRead.handle(request, reply);
            case Command.REGION_WRITE -> regionWrite.handle(request, reply);
            case Command.REGION_WRITE_MULTI -> multiWrite.handle(request, reply);
            case Command.VERSION -> version.handle(request, reply);
            case Command.DMA_MAP -> dmaMap.handle(request, reply);
            case Command.DMA_UNMAP -> dmaUnmap.handle(request, reply);
            case Command.DEVICE_GET_INFO -> deviceInfo.handle(request, reply);
            case Command.DEVICE_GET_REGION_INFO -> regionInfo.handle(request, reply);
            case Command.DEVICE_GET_REGION_IO_FDS -> regionIoFds.handle(request, reply);
            case Command.DEVICE_GET_IRQ_INFO -> irqInfo.handle(request, reply);
            case Command.DEVICE_SET_IRQS -> setIrqs.handle(request, reply);
            case Command.DEVICE_RESET -> reset.handle(request, reply);
            case Command.DEVICE_FEATURE -> deviceFeature.handle(request, reply);
            case Command.DMA_READ,
                    Command.DMA_WRITE,
                    Command.DIRTY_PAGES,
                    Command.MIG_DATA_READ,
                    Command.MIG_DATA_WRITE ->
                    request.refuse(Refusal.UNSUPPORTED_COMMAND, "command", command, 0);
            default ->
                    request.refuse(
                            Refusal.UNKNOWN_COMMAND, "command", command, Command.MIG_DATA_WRITE);
        };
    }

    /// Returns whether the reply to a command may carry a descriptor.
    static boolean mayAttach(int command) {
        return command == Command.DEVICE_GET_REGION_INFO;
    }

    /// Starts serving a client.
    void open() {
        regions.load();
    }

    /// Clears the client's state.
    void clear() {
        version.clear();
    }
}
