package io.gpuvm.trap.vfiouser;

/// Handler of DEVICE_RESET. The reply has no body, because a body would make QEMU end the
/// connection.
final class ResetHandler implements CommandHandler {
    private final VfioUserDevice device;
    private final DmaRegions memory;

    ResetHandler(VfioUserDevice device, DmaRegions memory) {
        this.device = device;
        this.memory = memory;
    }

    @Override
    public int handle(Request request, Reply reply) {
        if (request.bodyBytes() != 0) {
            return request.refuse(Refusal.BODY_LENGTH_WRONG, "bytes", request.bodyBytes(), 0);
        }
        device.reset();
        memory.onBusMaster(device.busMaster());
        return 0;
    }
}
