package io.gpuvm.guests.cuda;

import io.gpuvm.guests.cuda.ClientResult.Kind;
import io.gpuvm.guests.real.Children;
import io.gpuvm.guests.real.GuestSetupException;
import io.gpuvm.guests.real.RunFolder;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.Consumer;

/// Runs clients one after another, as programs of one backend.
///
/// Confined to one thread.
final class ClientRunner {
    private final ClientFiles files;
    private final CudaLibrary library;
    private final CudaBackend backend;
    private final RunFolder folder;
    private final Children children;
    private final Consumer<String> progress;

    /// @param progress receives a line about each stage
    ClientRunner(
            ClientFiles files,
            CudaLibrary library,
            CudaBackend backend,
            RunFolder folder,
            Children children,
            Consumer<String> progress) {
        this.files = files;
        this.library = library;
        this.backend = backend;
        this.folder = folder;
        this.children = children;
        this.progress = progress;
    }

    /// Runs a client, whose checks must succeed.
    ClientResult run(CudaClient client) throws InterruptedException {
        String reason = prepare(client);
        if (!reason.isEmpty()) {
            return result(client, CallTrace.EMPTY, Kind.SKIPPED, reason);
        }
        progress.accept(client.name());
        ClientProcess ended =
                process(
                        client,
                        client.name(),
                        library.environment(backend.socket(), System.getenv()));
        if (ended.succeeded()) {
            return result(client, ended.trace(), Kind.PASSED, "");
        }
        ended.output().forEach(line -> progress.accept("  | " + line));
        return result(client, ended.trace(), Kind.FAILED, ended.cause());
    }

    /// Runs a client once for each of its kinds of effects, without these effects. Its checks must
    /// fail each time.
    ///
    /// @param control library that suppresses the effects
    ClientResult runWithoutEffects(CudaClient client, NegativeControl control)
            throws InterruptedException {
        String reason = prepare(client);
        if (!reason.isEmpty()) {
            return result(client, CallTrace.EMPTY, Kind.SKIPPED, reason);
        }
        CallTrace calls = CallTrace.EMPTY;
        StringBuilder failures = new StringBuilder();
        for (Effect effect : client.effects().stream().sorted().toList()) {
            String name = "%s-without-%s".formatted(client.name(), effect);
            progress.accept(name);
            Path counted = folder.path().resolve(name + ".count");
            Map<String, String> environment =
                    control.environment(effect, counted, backend.socket());
            ClientProcess ended = process(client, name, environment);
            calls = calls.with(ended.trace());
            long suppressed = NegativeControl.suppressed(counted);
            if (suppressed == 0) {
                failures.append("no %s to suppress; ".formatted(effect));
            } else if (!ended.reportedFailure()) {
                failures.append("without %s: %s; ".formatted(effect, ended.cause()));
            } else {
                progress.accept("  fails without %s: %s".formatted(effect, ended.cause()));
            }
        }
        Kind kind = failures.isEmpty() ? Kind.PASSED : Kind.FAILED;
        return result(client, calls, kind, failures.toString());
    }

    private ClientProcess process(CudaClient client, String name, Map<String, String> environment)
            throws InterruptedException {
        return ClientProcess.run(
                client.command().apply(files), environment, name, folder.path(), children);
    }

    /// @return reason why the client cannot be prepared, or an empty text
    private String prepare(CudaClient client) {
        try {
            files.prepare(client.part());
            return "";
        } catch (GuestSetupException e) {
            return e.getMessage();
        }
    }

    private ClientResult result(CudaClient client, CallTrace trace, Kind kind, String reason) {
        String version = kind == Kind.SKIPPED ? "-" : client.version().apply(files);
        return new ClientResult(client, version, trace, kind, reason);
    }
}
