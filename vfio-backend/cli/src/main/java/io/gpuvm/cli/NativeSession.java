package io.gpuvm.cli;

import io.gpuvm.daemon.ConfigException;
import io.gpuvm.daemon.GpuSpec;
import io.gpuvm.daemon.NativeGpu;
import io.gpuvm.gf100.device.GpuDeviceException;
import io.gpuvm.pv.runtime.GpuContext;
import java.util.LinkedHashMap;
import java.util.Map;

/// A GPU of this host, without virtualization.
final class NativeSession implements GpuSession {
    private final NativeGpu gpu;

    private NativeSession(NativeGpu gpu) {
        this.gpu = gpu;
    }

    /// @throws ConfigException if the GPU cannot be opened
    static NativeSession open(GpuSpec spec) {
        try {
            return new NativeSession(NativeGpu.open(spec));
        } catch (GpuDeviceException e) {
            throw new ConfigException("--gpu: " + e.getMessage(), e);
        }
    }

    @Override
    public String access() {
        return "native";
    }

    @Override
    public GpuContext context() {
        return gpu.context();
    }

    @Override
    public Map<String, Map<String, Long>> counted() {
        Map<String, Map<String, Long>> groups = new LinkedHashMap<>();
        groups.put("counters", gpu.counters());
        groups.put("handedOver", gpu.handedOver());
        return groups;
    }

    @Override
    public void abort() {
        gpu.abort();
    }

    @Override
    public void close() {
        gpu.close();
    }
}
