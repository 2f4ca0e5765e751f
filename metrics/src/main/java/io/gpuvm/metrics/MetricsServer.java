package io.gpuvm.metrics;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.gpuvm.counters.BackendSnapshot;
import io.micrometer.core.instrument.binder.jvm.ClassLoaderMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.prometheus.metrics.model.registry.MultiCollector;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// HTTP server of the metrics of a backend and of its JVM.
///
/// One thread of the JDK's server answers requests, one at a time: scrapers wait for one another,
/// and never delay guests. A client that sends or reads too slowly is disconnected.
public final class MetricsServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(MetricsServer.class);
    private static final String PATH = "/metrics";
    private static final String OPEN_METRICS = "application/openmetrics-text";
    private static final String OPEN_METRICS_TYPE = OPEN_METRICS + "; version=1.0.0; charset=utf-8";
    private static final String TEXT_TYPE = "text/plain; version=0.0.4; charset=utf-8";
    private static final int OK = 200;
    private static final int NOT_FOUND = 404;
    private static final int WRONG_METHOD = 405;
    private static final int BACKLOG = 16;

    /// Limits of the JDK's server, which reads them when its first server is created: connections,
    /// and seconds for a request and for an answer.
    private static final Map<String, String> LIMITS =
            Map.of(
                    "jdk.httpserver.maxConnections", "32",
                    "sun.net.httpserver.maxReqTime", "5",
                    "sun.net.httpserver.maxRspTime", "10");

    private final HttpServer server;
    private final PrometheusMeterRegistry registry;
    private final JvmGcMetrics collections;

    private MetricsServer(
            HttpServer server, PrometheusMeterRegistry registry, JvmGcMetrics collections) {
        this.server = server;
        this.registry = registry;
        this.collections = collections;
    }

    /// Starts to serve metrics. Called before other servers of the JDK are created.
    ///
    /// @param address address and port; port 0 for any free one
    /// @param counters reads the counters; called on the server's thread
    /// @throws UncheckedIOException if the address is not available
    public static MetricsServer start(
            InetSocketAddress address, Supplier<BackendSnapshot> counters) {
        LIMITS.forEach((name, value) -> System.setProperty(name, System.getProperty(name, value)));
        HttpServer server;
        try {
            server = HttpServer.create(address, BACKLOG);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        // Their names violate the conventions.
        registry.config()
                .meterFilter(MeterFilter.denyNameStartsWith("process.cpu.time"))
                .meterFilter(MeterFilter.denyNameStartsWith("system.cpu.count"));
        JvmGcMetrics collections = new JvmGcMetrics();
        collections.bindTo(registry);
        new JvmMemoryMetrics().bindTo(registry);
        new JvmThreadMetrics().bindTo(registry);
        new ClassLoaderMetrics().bindTo(registry);
        new ProcessorMetrics().bindTo(registry);
        MultiCollector collector = () -> BackendMetrics.of(counters.get());
        registry.getPrometheusRegistry().register(collector);
        MetricsServer made = new MetricsServer(server, registry, collections);
        server.createContext("/", made::answer);
        server.start();
        LOG.info("metrics: http://{}{}", text(server.getAddress()), PATH);
        return made;
    }

    /// Returns the address and the port in use.
    public InetSocketAddress address() {
        return server.getAddress();
    }

    /// Ends the server.
    @Override
    public void close() {
        server.stop(0);
        collections.close();
        registry.close();
    }

    private static String text(InetSocketAddress address) {
        String host = address.getAddress().getHostAddress();
        return (host.contains(":") ? "[%s]:%d" : "%s:%d").formatted(host, address.getPort());
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            String method = exchange.getRequestMethod();
            if (!exchange.getRequestURI().getPath().equals(PATH)) {
                send(exchange, NOT_FOUND, "text/plain", "metrics are at " + PATH + "\n");
            } else if (!method.equals("GET") && !method.equals("HEAD")) {
                exchange.getResponseHeaders().set("Allow", "GET, HEAD");
                send(exchange, WRONG_METHOD, "text/plain", "expected GET or HEAD\n");
            } else {
                String accepted = exchange.getRequestHeaders().getFirst("Accept");
                boolean open = accepted != null && accepted.contains(OPEN_METRICS);
                String type = open ? OPEN_METRICS_TYPE : TEXT_TYPE;
                send(exchange, OK, type, registry.scrape(type));
            }
        } catch (RuntimeException e) {
            LOG.error("metrics: internal error", e);
            throw e;
        }
    }

    private static void send(HttpExchange exchange, int status, String type, String text)
            throws IOException {
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", type);
        if (exchange.getRequestMethod().equals("HEAD")) {
            exchange.sendResponseHeaders(status, -1);
            return;
        }
        exchange.sendResponseHeaders(status, body.length);
        try (OutputStream out = exchange.getResponseBody()) {
            out.write(body);
        }
    }
}
