package io.gpuvm.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.gpuvm.daemon.GpuSpec;
import io.gpuvm.daemon.NativeGpu;
import io.gpuvm.pv.runtime.GpuContext;
import io.gpuvm.pv.runtime.GpuException;
import io.gpuvm.workloads.Work;
import io.gpuvm.workloads.Workload;
import io.gpuvm.workloads.WorkloadRun;
import io.gpuvm.workloads.WorkloadSize;
import io.gpuvm.workloads.WrongResultException;
import io.gpuvm.workloads.measure.Task;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;

class WorkloadRunsTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void givenWrongResult_whenRun_thenErrorNamesWorkloadAndElement() {
        Workload wrong =
                new Broken(() -> {
                    throw new WrongResultException("sum", 7, 1, 2);
                });

        assertFails("broken of size 5: sum[7]=1, expected=2", wrong, false);
        assertFails("broken of size 5, native: sum[7]=1, expected=2", wrong, true);
    }

    @Test
    void givenFailingCall_whenRun_thenErrorNamesWorkload() {
        try (NativeGpu gpu = NativeGpu.open(GpuSpec.parse("soft,vram=64M"))) {
            Workload greedy = new Broken(() -> gpu.context().allocate(65 << 20));

            String message = messageOf(gpu.context(), greedy, false);

            String reason =
                    assertThrows(GpuException.class, () -> gpu.context().allocate(65 << 20))
                            .getMessage();
            assertEquals("broken of size 5: " + reason, message);
        }
    }

    @Test
    void givenTooLittleHeap_whenRun_thenErrorNamesOption() {
        Workload greedy =
                new Broken(() -> {
                    throw new OutOfMemoryError("Java heap space");
                });
        String expected =
                "the Java heap is too small, limit=%d bytes (GPUVM_JAVA_OPTS=-Xmx... sets it)"
                        .formatted(Runtime.getRuntime().maxMemory());

        assertFails("broken of size 5: " + expected, greedy, false);
        assertFails(expected, greedy, true);
    }

    private void assertFails(String message, Workload workload, boolean measured) {
        try (NativeGpu gpu = NativeGpu.open(GpuSpec.parse("soft,vram=64M"))) {
            assertEquals(message, messageOf(gpu.context(), workload, measured));
        }
        assertEquals("", out.toString());
    }

    private String messageOf(GpuContext context, Workload workload, boolean measured) {
        WorkloadRuns runs =
                new WorkloadRuns(
                        "native",
                        List.of(new Task(workload, 5)),
                        1,
                        new PrintWriter(out),
                        new PrintWriter(err));
        return assertThrows(
                        CommandFailedException.class,
                        () -> {
                            if (measured) {
                                runs.measure(context, 3);
                            } else {
                                runs.once(context);
                            }
                        })
                .getMessage();
    }

    /// A workload with an injected fault.
    private record Broken(Runnable fault) implements Workload {
        @Override
        public String name() {
            return "broken";
        }

        @Override
        public String summary() {
            return "fails";
        }

        @Override
        public WorkloadSize size() {
            return new WorkloadSize("nothing", 1, 5, 10);
        }

        @Override
        public WorkloadRun prepare(GpuContext context, int size, long seed) {
            return new Run();
        }

        private final class Run implements WorkloadRun {
            @Override
            public void initialize() {}

            @Override
            public void copyIn() {}

            @Override
            public void launch() {}

            @Override
            public void copyOut() {}

            @Override
            public void verify() {
                fault.run();
            }

            @Override
            public Work work() {
                return new Work(0, 0, 0, 0, "");
            }

            @Override
            public void close() {}
        }
    }
}
