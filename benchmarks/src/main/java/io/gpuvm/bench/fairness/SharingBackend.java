package io.gpuvm.bench.fairness;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.gpuvm.guests.real.Children;
import io.gpuvm.guests.real.JvmOptions;
import io.gpuvm.guests.real.OutputThread;
import io.gpuvm.guests.real.RunFolder;
import io.gpuvm.guests.real.ThisBuild;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/// Backend of a run, started as `gpuvm serve`.
final class SharingBackend {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int VRAM_MIB_OF_GUEST = 64;
    private static final int LINE_LIMIT_SECONDS = 30;
    private static final int SHOWN_LINES = 20;

    private final RunFolder folder;
    private final Process process;
    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();

    private SharingBackend(FairnessPlan plan, RunFolder folder, Children children) {
        this.folder = folder;
        List<String> command = ThisBuild.gpuvm(JvmOptions.backend(), arguments(plan, folder));
        process = children.start(plan.backendOn().run(command), null, folder.serverLog());
        OutputThread.start("backend-output", this::copyOutput);
    }

    /// Starts the backend, and waits until guests can connect.
    static SharingBackend start(FairnessPlan plan, RunFolder folder, Children children)
            throws InterruptedException {
        SharingBackend backend = new SharingBackend(plan, folder, children);
        String line = backend.nextLine();
        if (!"ready".equals(line)) {
            throw backend.failed("printed '%s' instead of 'ready'".formatted(line));
        }
        return backend;
    }

    /// Waits for the backend's next summary, printed within a second after this call.
    JsonNode nextSummary() throws InterruptedException {
        lines.clear();
        try {
            return JSON.readTree(nextLine());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<String> arguments(FairnessPlan plan, RunFolder folder) {
        List<String> arguments = new ArrayList<>(List.of("serve", "--stats", "1"));
        int mib = plan.guests().size() * VRAM_MIB_OF_GUEST;
        arguments.addAll(List.of("--gpu", "soft,vram=%dM".formatted(mib)));
        arguments.addAll(List.of("--threads", plan.threads()));
        if (plan.policy() != null) {
            arguments.addAll(List.of("--policy", plan.policy()));
        }
        if (plan.recording() != null) {
            arguments.addAll(List.of("--record", plan.recording().toString()));
            arguments.addAll(List.of("--record-level", "commands"));
        }
        for (GuestPlan guest : plan.guests()) {
            arguments.addAll(List.of("--vm", guest.vmOption(folder.socket(guest.name()))));
        }
        return arguments;
    }

    private void copyOutput() {
        try (BufferedReader reader = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line; (line = reader.readLine()) != null; ) {
                lines.add(line);
            }
        } catch (IOException _) {
            // The process was terminated.
        }
    }

    private String nextLine() throws InterruptedException {
        String line = lines.poll(LINE_LIMIT_SECONDS, TimeUnit.SECONDS);
        if (line == null) {
            throw failed("printed no line, limit=%d s".formatted(LINE_LIMIT_SECONDS));
        }
        return line;
    }

    private IllegalStateException failed(String why) {
        return new IllegalStateException(
                "the backend %s; its log:%n%s"
                        .formatted(
                                why,
                                String.join(
                                        "\n", RunFolder.tail(folder.serverLog(), SHOWN_LINES))));
    }
}
