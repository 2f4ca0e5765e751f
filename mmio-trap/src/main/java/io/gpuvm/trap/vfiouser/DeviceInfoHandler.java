package io.gpuvm.trap.vfiouser;

/// Handler of DEVICE_GET_INFO.
final class DeviceInfoHandler implements CommandHandler {
    private final DeviceInfoBody body = new DeviceInfoBody();

    @Override
    public int handle(Request request, Reply reply) {
        if (request.bodyBytes() < DeviceInfoBody.BYTES) {
            return request.refuse(
                    Refusal.BODY_TOO_SHORT, "bytes", request.bodyBytes(), DeviceInfoBody.BYTES);
        }
        body.wrap(request.buffer(), request.body());
        if (body.argsz() < DeviceInfoBody.BYTES) {
            return request.refuse(
                    Refusal.ARGSZ_TOO_SMALL, "argsz", body.argsz(), DeviceInfoBody.BYTES);
        }
        body.wrap(reply.buffer(), reply.body())
                .argsz(DeviceInfoBody.BYTES)
                .flags(DeviceInfoBody.RESETTABLE | DeviceInfoBody.PCI)
                .regions(RegionTable.COUNT)
                .irqs(Irq.COUNT);
        return DeviceInfoBody.BYTES;
    }
}
