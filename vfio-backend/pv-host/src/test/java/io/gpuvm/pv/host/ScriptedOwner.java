package io.gpuvm.pv.host;

import io.gpuvm.gf100.device.DmaMapping;
import io.gpuvm.port.CompletionRing;
import io.gpuvm.port.GpuRequests;
import io.gpuvm.port.RequestQueue;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/// Owner of no GPU: executes no requests, but answers those of one session on the caller's thread,
/// or leaves them unanswered.
final class ScriptedOwner {
    private static final long WAIT_LIMIT_NS = TimeUnit.MILLISECONDS.toNanos(5);
    private static final int INBOX_RECORDS = 64;

    private final RequestQueue requests = new RequestQueue("a", this::answer, WAIT_LIMIT_NS);
    private final GpuRequests.Handler handler =
            (GpuRequests.Handler)
                    Proxy.newProxyInstance(
                            GpuRequests.Handler.class.getClassLoader(),
                            new Class<?>[] {GpuRequests.Handler.class},
                            (_, method, arguments) -> {
                                note(method.getName(), arguments);
                                return method.getReturnType() == Optional.class
                                        ? Optional.empty()
                                        : null;
                            });

    /// Names of the executed requests.
    final List<String> executed = new ArrayList<>();

    /// Mappings of the executed requests.
    final List<DmaMapping> mapped = new ArrayList<>();

    /// Number of requests that are answered.
    int answers = Integer.MAX_VALUE;

    /// Returns the ports of the session.
    PvPort port() {
        return new PvPort(requests.requests(), new CompletionRing(INBOX_RECORDS));
    }

    private void answer() {
        while (answers > 0 && requests.drain(handler, 1) > 0) {
            answers--;
        }
    }

    private void note(String name, Object[] arguments) {
        executed.add(name);
        if (arguments != null && arguments[0] instanceof List<?> list) {
            for (Object each : list) {
                if (each instanceof DmaMapping mapping) {
                    mapped.add(mapping);
                }
            }
        }
    }
}
