package io.gpuvm.cuda.service.session;

import io.gpuvm.cuda.service.HeapBudget;
import io.gpuvm.cuda.service.LinkQueue;
import io.gpuvm.cuda.service.ModuleCache;
import io.gpuvm.cuda.service.ModuleReader;
import io.gpuvm.cuda.service.gpu.OwnerTransports;
import io.gpuvm.pv.host.FrontEndParts;
import io.gpuvm.pv.host.SessionFrontEnd;
import io.gpuvm.pv.host.SessionFrontEndFactory;
import java.util.function.Consumer;

/// Front ends of the sessions of one virtual machine, which share a cache of modules, memory of
/// this process for objects, and a budget of log lines.
public final class CudaSessions implements SessionFrontEndFactory {
    /// Parts of the memory of a virtual machine, of which one is for the cache of modules, one for
    /// the cache of compiled modules, two for compilations, and the rest for objects.
    private static final int PARTS_OF_MEMORY = 6;

    private final RefusalLog log = new RefusalLog();
    private final ModuleReader modules;
    private final LinkQueue links;
    private final HeapBudget heap;

    /// @param heapBytes memory of this process for the virtual machine
    /// @param sessions maximum number of sessions
    /// @param loader runs the reading of modules, on another thread than the poller's; may be the
    ///   same for several virtual machines
    /// @param compiler runs compilations and links of modules, on a thread of the virtual machine's
    ///   own
    public CudaSessions(
            long heapBytes, int sessions, Consumer<Runnable> loader, Consumer<Runnable> compiler) {
        long cacheBytes = heapBytes / PARTS_OF_MEMORY;
        modules = new ModuleReader(new ModuleCache(cacheBytes), loader);
        long compileBytes = 2 * cacheBytes;
        links = new LinkQueue(cacheBytes, compileBytes, compiler);
        heap = new HeapBudget(heapBytes - 2 * cacheBytes - compileBytes, sessions);
    }

    @Override
    public SessionFrontEnd open(FrontEndParts parts) {
        return new CudaFrontEnd(
                parts.area(),
                parts.wakeClient(),
                log,
                new Connection.Parts(
                        parts.vm(),
                        parts.limits(),
                        dataAddress -> new OwnerTransports(parts, dataAddress),
                        modules,
                        links,
                        heap,
                        new GpuTurn(parts.gpu()),
                        parts.wakePoller()));
    }
}
