package io.gpuvm.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gpuvm.workloads.Workload;
import io.gpuvm.workloads.Workloads;
import io.gpuvm.workloads.measure.Task;
import java.util.List;
import org.junit.jupiter.api.Test;

class TaskListTest {
    @Test
    void givenSizesInArguments_whenParsed_thenSuffixMultiplies() {
        assertEquals(
                List.of(task("mmul", 256), task("cpy", 1 << 20), task("nop", 9)),
                TaskList.of(List.of("mmul=256", "cpy=1M", "nop"), 9));
    }

    @Test
    void givenAllAndNamedWorkload_whenParsed_thenNamedWorkloadRunsOnce() {
        List<Task> tasks = TaskList.of(List.of("all", "mmul=256"), null);

        assertEquals(Workloads.all().size(), tasks.size());
        assertEquals(
                List.copyOf(Workloads.all()).stream().map(Workload::name).sorted().toList(),
                tasks.stream().map(task -> task.workload().name()).sorted().toList());
        assertEquals(task("mmul", 256), tasks.getLast());
    }

    private static Task task(String name, int size) {
        return new Task(Workloads.named(name), size);
    }

    @Test
    void givenWorkloadWithParameters_whenParsed_thenEqualsSignsBelongToParameters() {
        List<Task> tasks = TaskList.of(List.of("mix:share=30,transfer=65536"), 1000);

        assertEquals("mix:share=30,transfer=65536", tasks.getFirst().workload().name());
        assertEquals(1000, tasks.getFirst().size());
    }
}
