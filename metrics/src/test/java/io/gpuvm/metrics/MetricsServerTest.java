package io.gpuvm.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.counters.CounterSet;
import io.gpuvm.counters.CounterType;
import io.gpuvm.counters.CountersFile;
import io.gpuvm.counters.WaitBuckets;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class MetricsServerTest {
    private static final int PV = 2;
    private static final int CUDA = 3;

    private final CountersFile file = CountersFile.inMemory(4, "soft");
    private final CounterSet vm = file.attach("a", 0, PV);
    private final MetricsServer server =
            MetricsServer.start(MetricsAddress.parse("0"), file.view()::read);
    private final HttpClient client = HttpClient.newHttpClient();

    @AfterEach
    void close() {
        client.close();
        server.close();
    }

    @Test
    void givenCounters_whenScraped_thenSamplesHaveTheirValuesInBaseUnits() throws Exception {
        vm.cells(CounterType.WEIGHT).set(3);
        vm.cells(CounterType.CAP_PERCENT).set(50);
        vm.cells(CounterType.GPU_TIME_NS).set(1, 2_500_000_000L);
        vm.cells(CounterType.TRAP_READS).set(2, 5);
        vm.cells(CounterType.TRAP_READS).set(3, 6);
        file.engines().cells(CounterType.ENGINE_HOLDER).set(0, vm.attachment());
        file.engines().cells(CounterType.ENGINE_SINCE_NS).set(0, System.nanoTime());

        List<String> lines = scrape();

        assertTrue(lines.contains("gpuvm_vm_weight{vm=\"a\"} 3.0"), () -> "" + lines);
        assertTrue(lines.contains("gpuvm_vm_cap_ratio{vm=\"a\"} 0.5"));
        assertTrue(lines.contains("gpuvm_vm_gpu_seconds_total{engine=\"copy0\",vm=\"a\"} 2.5"));
        assertTrue(lines.contains("gpuvm_vm_traps_total{access=\"read\",vm=\"a\"} 11.0"));
        assertTrue(lines.contains("gpuvm_engine_holder{engine=\"graph\",vm=\"a\"} 1.0"));
        assertTrue(lines.contains("gpuvm_backend_info{gpu=\"soft\"} 1.0"));
        assertTrue(lines.stream().anyMatch(line -> line.startsWith("jvm_memory_used_bytes{")));
        assertTrue(lines.stream().anyMatch(line -> line.startsWith("jvm_threads_live_threads ")));
    }

    @Test
    void givenWaits_whenScraped_thenBucketsAreCumulativeAndSumIsInSeconds() throws Exception {
        vm.cells(CounterType.WAITS).add(WaitBuckets.of(500), 1);
        vm.cells(CounterType.WAITS).add(WaitBuckets.of(1500), 2);
        vm.cells(CounterType.WAITS).add(WaitBuckets.of(Long.MAX_VALUE), 1);
        vm.cells(CounterType.WAITS_NS).set(2_000_000_000L);

        List<String> lines =
                scrape().stream()
                        .filter(line -> line.startsWith("gpuvm_vm_command_wait_seconds"))
                        .toList();

        String bucket = "gpuvm_vm_command_wait_seconds_bucket{vm=\"a\",le=\"";
        assertTrue(lines.contains(bucket + "1.024E-6\"} 1"), () -> "" + lines);
        assertTrue(lines.contains(bucket + "2.048E-6\"} 3"), () -> "" + lines);
        assertTrue(lines.contains(bucket + "68.719476736\"} 3"), () -> "" + lines);
        assertTrue(lines.contains(bucket + "+Inf\"} 4"), () -> "" + lines);
        assertTrue(lines.contains("gpuvm_vm_command_wait_seconds_sum{vm=\"a\"} 2.0"));
        assertTrue(lines.contains("gpuvm_vm_command_wait_seconds_count{vm=\"a\"} 4"));
    }

    @Test
    void givenDetachedVm_whenScraped_thenItsSamplesAreAbsent() throws Exception {
        CounterSet other = file.attach("b", 1, CUDA);
        assertTrue(scrape().contains("gpuvm_vm_info{mode=\"cuda\",vm=\"b\"} 1.0"));
        file.detach(other);
        assertFalse(scrape().stream().anyMatch(line -> line.contains("vm=\"b\"")));
    }

    @Test
    void givenVms_whenScraped_thenNumberOfSamplesIsBoundedPerVm() throws Exception {
        long one = samples();
        file.attach("b", 1, CUDA);
        long two = samples();
        file.attach("c", 2, CUDA);
        assertEquals(two - one, samples() - two);
        assertTrue(two - one < 100, () -> "samples of a virtual machine=" + (two - one));
    }

    @Test
    void givenScraper_whenItAcceptsOpenMetrics_thenAnswerHasThatFormat() throws Exception {
        HttpResponse<String> answer =
                client.send(
                        request("/metrics")
                                .header("Accept", "application/openmetrics-text;version=1.0.0")
                                .build(),
                        BodyHandlers.ofString());
        assertTrue(
                answer.headers()
                        .firstValue("Content-Type")
                        .orElse("")
                        .startsWith("application/openmetrics-text"));
        assertTrue(answer.body().endsWith("# EOF\n"));
    }

    @Test
    void givenOtherRequests_whenSent_thenTheyAreRefusedWithReason() throws Exception {
        assertEquals(404, client.send(request("/").build(), BodyHandlers.ofString()).statusCode());
        HttpRequest post =
                request("/metrics").POST(HttpRequest.BodyPublishers.ofString("x")).build();
        assertEquals(405, client.send(post, BodyHandlers.ofString()).statusCode());
        HttpRequest head =
                request("/metrics").method("HEAD", HttpRequest.BodyPublishers.noBody()).build();
        assertEquals(200, client.send(head, BodyHandlers.ofString()).statusCode());
    }

    @Test
    void givenClientThatSendsNothing_whenOtherScrapes_thenItIsServed() throws Exception {
        try (Socket silent = new Socket()) {
            silent.connect(server.address());
            assertFalse(scrape().isEmpty());
        }
    }

    @Test
    void givenPortInUse_whenStarted_thenItFails() {
        assertThrows(
                UncheckedIOException.class,
                () -> MetricsServer.start(server.address(), file.view()::read));
    }

    @Test
    void givenNamesOfMetrics_whenCompared_thenHelpAndTypePrecedeEachFamily() throws Exception {
        TreeSet<String> undescribed = new TreeSet<>();
        List<String> lines = scrape();
        for (String line : lines) {
            String name = line.split("[{ ]")[0];
            String family = name.replaceAll("_(bucket|sum|count|max)$", "");
            boolean described =
                    line.startsWith("#")
                            || lines.stream().anyMatch(l -> l.startsWith("# HELP " + family + " "))
                            || lines.stream().anyMatch(l -> l.startsWith("# HELP " + name + " "));
            if (!described) {
                undescribed.add(name);
            }
        }
        assertEquals(new TreeSet<>(), undescribed);
    }

    private long samples() throws IOException, InterruptedException {
        return scrape().stream().filter(line -> line.startsWith("gpuvm_")).count();
    }

    private List<String> scrape() throws IOException, InterruptedException {
        return client.send(request("/metrics").build(), BodyHandlers.ofString())
                .body()
                .lines()
                .toList();
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(
                URI.create("http://127.0.0.1:" + server.address().getPort() + path));
    }
}
