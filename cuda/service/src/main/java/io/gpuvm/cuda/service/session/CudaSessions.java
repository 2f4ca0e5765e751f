package io.gpuvm.cuda.service.session;

import io.gpuvm.cuda.service.ModuleCache;
import io.gpuvm.cuda.service.ModuleReader;
import io.gpuvm.cuda.service.gpu.OwnerTransports;
import io.gpuvm.pv.host.FrontEndParts;
import io.gpuvm.pv.host.SessionFrontEnd;
import io.gpuvm.pv.host.SessionFrontEndFactory;
import java.util.function.Consumer;

/// Front ends of the sessions of one virtual machine, which share a cache of modules and a budget
/// of log lines.
public final class CudaSessions implements SessionFrontEndFactory {
    /// Maximum total length of the modules in the cache of a virtual machine, in bytes.
    private static final long CACHE_BYTES = 64 << 20;

    private final RefusalLog log = new RefusalLog();
    private final ModuleReader modules;

    /// @param loader runs the reading of modules, on another thread than the poller's; may be the
    ///   same for several virtual machines
    public CudaSessions(Consumer<Runnable> loader) {
        modules = new ModuleReader(new ModuleCache(CACHE_BYTES), loader);
    }

    @Override
    public SessionFrontEnd open(FrontEndParts parts) {
        return new CudaFrontEnd(
                parts.area(),
                parts.wakeClient(),
                parts.gpu()::isTurnLeft,
                log,
                new Connection.Parts(
                        parts.vm(),
                        parts.limits(),
                        dataAddress -> new OwnerTransports(parts, dataAddress),
                        modules,
                        parts.wakePoller()));
    }
}
