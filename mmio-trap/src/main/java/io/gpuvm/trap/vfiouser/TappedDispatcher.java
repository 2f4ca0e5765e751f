package io.gpuvm.trap.vfiouser;

/// [Dispatcher] that reports to a [MessageTap]. Created only if a tap is attached, so that without
/// a tap, messages are handled without a check for one.
final class TappedDispatcher extends Dispatcher {
    private final TappedRegions regions;
    private final MessageTap tap;
    private final DmaMapBody map = new DmaMapBody();
    private final DmaUnmapBody unmap = new DmaUnmapBody();
    private final SetIrqsBody irqs = new SetIrqsBody();

    private TappedDispatcher(
            VfioUserDevice device,
            DmaRegions memory,
            IrqTable irqs,
            TrapCounters counters,
            TappedRegions regions,
            MessageTap tap) {
        super(device, memory, irqs, counters, regions);
        this.regions = regions;
        this.tap = tap;
    }

    /// Creates the dispatcher. The return type is the superclass, so that a caller does not load
    /// this class.
    static Dispatcher of(
            VfioUserDevice device,
            DmaRegions memory,
            IrqTable irqs,
            TrapCounters counters,
            MessageTap tap) {
        TappedRegions regions = new TappedRegions(device, memory, counters, tap);
        return new TappedDispatcher(device, memory, irqs, counters, regions, tap);
    }

    @Override
    int dispatch(Request request, Reply reply) {
        regions.posted(request.header().noReply());
        int descriptors = request.descriptors().size();
        int result = super.dispatch(request, reply);
        int command = request.header().command();
        if (result == Request.REFUSED) {
            tap.onRefused(command, request.refusal().errno());
        } else {
            tell(command, request, descriptors);
        }
        return result;
    }

    private void tell(int command, Request request, int descriptors) {
        switch (command) {
            case Command.VERSION,
                    Command.REGION_READ,
                    Command.REGION_WRITE,
                    Command.REGION_WRITE_MULTI -> {
                // VERSION is not reported. TappedRegions reports the accesses.
            }
            case Command.DMA_MAP -> {
                map.wrap(request.buffer(), request.body());
                tap.onDmaMap(
                        map.flags(), map.fileOffset(), map.iova(), map.size(), descriptors > 0);
            }
            case Command.DMA_UNMAP -> {
                unmap.wrap(request.buffer(), request.body());
                tap.onDmaUnmap(unmap.flags(), unmap.iova(), unmap.size());
            }
            case Command.DEVICE_SET_IRQS -> {
                irqs.wrap(request.buffer(), request.body());
                tap.onSetIrqs(
                        irqs.flags(),
                        (int) irqs.index(),
                        (int) irqs.start(),
                        (int) irqs.count(),
                        descriptors);
            }
            case Command.DEVICE_RESET -> tap.onReset();
            default -> tap.onQuery(command);
        }
    }
}
