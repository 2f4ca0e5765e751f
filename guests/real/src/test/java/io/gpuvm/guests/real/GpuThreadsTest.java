package io.gpuvm.guests.real;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GpuThreadsTest {
    @TempDir private Path tasks;

    @Test
    void givenEngineThreads_whenRead_thenTimesAreSums() throws IOException {
        thread(10, "java", 1000);
        thread(11, "gpuvm-softgpu", 20);
        thread(12, "gpuvm-worker-1", 3);
        thread(13, "gpuvm-gpu", 500);

        assertEquals(new GpuThreads.Times(23, 10), new GpuThreads(tasks).times());
    }

    @Test
    void givenEnginesOnThreadOfOwner_whenRead_thenTimeIsTimeOfOwner() throws IOException {
        thread(10, "java", 1000);
        thread(13, "gpuvm-gpu", 500);

        assertEquals(500, new GpuThreads(tasks).times().cpuNs());
        assertEquals(List.of(13L), new GpuThreads(tasks).ids());
    }

    @Test
    void givenWorkersBesideOwnerWithEngines_whenListed_thenOwnerAndWorkersAreListed()
            throws IOException {
        thread(12, "gpuvm-worker-1", 3);
        thread(13, "gpuvm-gpu", 500);

        assertEquals(Set.of(12L, 13L), Set.copyOf(new GpuThreads(tasks).ids()));
    }

    @Test
    void givenCompilersAndOwner_whenDelayingThreadsAreListed_thenCompilersAndOwnerAreListed()
            throws IOException {
        thread(11, "gpuvm-softgpu", 20);
        thread(13, "gpuvm-gpu", 500);
        thread(14, "C2 CompilerThre", 1);
        thread(15, "gpuvm-kernel-co", 1);

        assertEquals(Set.of(13L, 14L, 15L), Set.copyOf(new GpuThreads(tasks).delayingIds()));
    }

    @Test
    void givenEnginesOnThreadOfOwner_whenDelayingThreadsAreListed_thenOwnerIsNotListed()
            throws IOException {
        thread(13, "gpuvm-gpu", 500);
        thread(14, "C2 CompilerThre", 1);

        assertEquals(List.of(14L), new GpuThreads(tasks).delayingIds());
    }

    @Test
    void givenEndedProcess_whenRead_thenTimesAreZero() {
        assertEquals(GpuThreads.Times.NONE, new GpuThreads(tasks.resolve("none")).times());
    }

    private void thread(int id, String name, long ns) throws IOException {
        Path task = Files.createDirectory(tasks.resolve("" + id));
        Files.writeString(task.resolve("comm"), name + "\n");
        Files.writeString(task.resolve("schedstat"), ns + " 5 7\n");
    }
}
