package io.gpuvm.trap.vfiouser;

/// Handler of DEVICE_FEATURE, which covers migration and dirty-page tracking. Refuses every
/// feature, with the error number of Linux for an unknown feature (`drivers/vfio/vfio_main.c`).
final class DeviceFeatureHandler implements CommandHandler {
    private final DeviceFeatureBody body = new DeviceFeatureBody();

    @Override
    public int handle(Request request, Reply reply) {
        if (request.bodyBytes() < DeviceFeatureBody.BYTES) {
            return request.refuse(
                    Refusal.BODY_TOO_SHORT, "bytes", request.bodyBytes(), DeviceFeatureBody.BYTES);
        }
        body.wrap(request.buffer(), request.body());
        if (body.argsz() < DeviceFeatureBody.BYTES) {
            return request.refuse(
                    Refusal.ARGSZ_TOO_SMALL, "argsz", body.argsz(), DeviceFeatureBody.BYTES);
        }
        return request.refuse(Refusal.FEATURE_UNSUPPORTED, "feature", body.feature(), 0);
    }
}
