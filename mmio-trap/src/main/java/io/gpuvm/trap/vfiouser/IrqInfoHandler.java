package io.gpuvm.trap.vfiouser;

/// Handler of DEVICE_GET_IRQ_INFO.
final class IrqInfoHandler implements CommandHandler {
    private final VfioUserDevice device;
    private final IrqInfoBody body = new IrqInfoBody();

    IrqInfoHandler(VfioUserDevice device) {
        this.device = device;
    }

    @Override
    public int handle(Request request, Reply reply) {
        if (request.bodyBytes() < IrqInfoBody.BYTES) {
            return request.refuse(
                    Refusal.BODY_TOO_SHORT, "bytes", request.bodyBytes(), IrqInfoBody.BYTES);
        }
        body.wrap(request.buffer(), request.body());
        if (body.argsz() < IrqInfoBody.BYTES) {
            return request.refuse(
                    Refusal.ARGSZ_TOO_SMALL, "argsz", body.argsz(), IrqInfoBody.BYTES);
        }
        long index = body.index();
        if (index >= Irq.COUNT) {
            return request.refuse(Refusal.IRQ_INDEX, "index", index, Irq.COUNT - 1);
        }
        Irq irq = Irq.of((int) index);
        body.wrap(reply.buffer(), reply.body())
                .argsz(IrqInfoBody.BYTES)
                .flags(irq.flags())
                .index((int) index)
                .count(device.vectors(irq));
        return IrqInfoBody.BYTES;
    }
}
