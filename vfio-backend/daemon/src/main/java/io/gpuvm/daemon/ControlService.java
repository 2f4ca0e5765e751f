package io.gpuvm.daemon;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gpuvm.gf100.device.GpuDeviceException;
import io.gpuvm.sched.PolicyKind;
import io.gpuvm.sched.VmAccount;
import io.gpuvm.sched.policy.TimeShare;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Parser and executor of requests from the control socket. Changes of shares and policies are
/// executed on the thread of the GPU's owner, attachments on a thread of their own.
/// `docs/control.md` specifies requests and answers.
///
/// Confined to the thread of the control socket, except the execution of attachments.
final class ControlService {
    private static final double NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final double NANOS_PER_MICROSECOND = TimeUnit.MICROSECONDS.toNanos(1);

    private static final Logger LOG = LoggerFactory.getLogger(ControlService.class);
    private static final String VM = "vm";

    private final ObjectMapper json = new ObjectMapper();
    private final ServedVms vms;

    /// Shared GPU; null if one virtual machine has the whole GPU.
    private final SharedGpu gpu;

    /// Requests to attach and detach; null if one virtual machine has the whole GPU.
    private final AttachRequests attachments;

    private final Consumer<Runnable> attaching;

    private final Supplier<BackendSummary> summary;
    private final LogLevels levels;

    /// @param gpu shared GPU; null if one virtual machine has the whole GPU
    /// @param attachments requests to attach and detach; null if one virtual machine has the whole
    ///   GPU
    /// @param attaching executes these requests one by one on another thread; null without requests
    /// @param summary returns the backend's counters
    /// @param levels levels of the logs
    ControlService(
            ServedVms vms,
            SharedGpu gpu,
            AttachRequests attachments,
            Consumer<Runnable> attaching,
            Supplier<BackendSummary> summary,
            LogLevels levels) {
        this.vms = vms;
        this.gpu = gpu;
        this.attachments = attachments;
        this.attaching = attaching;
        this.summary = summary;
        this.levels = levels;
    }

    /// Answers one request.
    ///
    /// @param line any text
    /// @return a line of JSON, without line feed; completed on this thread, or later on another
    ///   thread if the request attaches or detaches a virtual machine
    CompletableFuture<String> answer(String line) {
        try {
            JsonNode request = json.readTree(line);
            Supplier<ObjectNode> attachment = attachment(request);
            if (attachment == null) {
                return CompletableFuture.completedFuture(carryOut(request).toString());
            }
            CompletableFuture<String> answer = new CompletableFuture<>();
            attaching.accept(() -> answer.complete(carryOut(attachment)));
            return answer;
        } catch (JsonProcessingException e) {
            return refused("not a line of JSON: " + e.getOriginalMessage());
        } catch (ConfigException | IllegalArgumentException | IllegalStateException e) {
            return refused(e.getMessage());
        }
    }

    private static CompletableFuture<String> refused(String reason) {
        return CompletableFuture.completedFuture(refusal(reason));
    }

    /// Executes an attachment. An internal error is logged, and must not end the thread, which
    /// serves later requests.
    private static String carryOut(Supplier<ObjectNode> attachment) {
        try {
            return attachment.get().toString();
        } catch (ConfigException
                | GpuDeviceException
                | IllegalArgumentException
                | IllegalStateException e) {
            return refusal(e.getMessage());
        } catch (RuntimeException e) {
            LOG.error("internal error while a virtual machine attaches or detaches", e);
            return refusal("internal error: " + e);
        }
    }

    /// Returns the answer to a request that cannot be executed.
    static String refusal(String reason) {
        return JsonNodeFactory.instance
                .objectNode()
                .put("ok", false)
                .put("error", reason)
                .toString();
    }

    private ObjectNode carryOut(JsonNode request) {
        String what = request.path("request").asText("");
        if (what.equals("summary")) {
            ObjectNode answer = ok();
            answer.set("summary", json.valueToTree(summary.get()));
            return answer;
        }
        if (what.equals("log")) {
            String logger = request.has("logger") ? text(request, "logger") : null;
            levels.set(text(request, "level"), logger);
            LOG.info(
                    "log level of {}: {}", logger == null ? "all" : logger, text(request, "level"));
            return ok();
        }
        if (gpu == null) {
            throw new IllegalArgumentException(
                    "request=%s, expected one of summary, log with mode=passthrough"
                            .formatted(what));
        }
        switch (what) {
            case "status" -> {
                return status();
            }
            case "policy" ->
                    ChangeWait.ofOwner(
                            gpu.policy(PolicyOption.parse("policy", text(request, "policy"))));
            case "weight" -> {
                int weight = number(request, "weight");
                change(request, share -> share.withWeight(weight));
            }
            case "cap" -> {
                int cap = request.path("cap").isNull() ? TimeShare.NO_CAP : number(request, "cap");
                change(request, share -> share.withCap(cap));
            }
            case "kill" -> {
                return ok().put(
                                "stopped",
                                ChangeWait.ofOwner(gpu.stopCommands(vmOf(request).slot())));
            }
            default ->
                    throw new IllegalArgumentException(
                            "request=%s, expected one of summary, status, policy, weight, cap, kill, log, attach, detach"
                                    .formatted(what));
        }
        return ok();
    }

    /// Returns the execution of a request to attach or detach, or to change a cap if the sum of all
    /// caps is limited; null for all other requests.
    private Supplier<ObjectNode> attachment(JsonNode request) {
        String what = request.path("request").asText("");
        if (attachments == null) {
            return null;
        }
        return switch (what) {
            case "attach" -> {
                VmConfig vm = attachments.parse(AttachText.of(request));
                yield () -> attach(vm);
            }
            case "detach" -> {
                String name = text(request, VM);
                yield () -> ok().put("changed", attachments.detach(name));
            }
            case "cap" -> attachments.limitsCaps() ? () -> limitedCap(request) : null;
            default -> null;
        };
    }

    private ObjectNode limitedCap(JsonNode request) {
        if (request.path("cap").isIntegralNumber() || request.path("cap").isNull()) {
            int cap = request.path("cap").asInt(TimeShare.NO_CAP);
            attachments.checkCaps(text(request, VM), TimeShare.EQUAL.withCap(cap));
        }
        return carryOut(request);
    }

    private ObjectNode attach(VmConfig vm) {
        boolean changed = attachments.attach(vm);
        return ok().put("changed", changed)
                .put("socket", vm.socket().toString())
                .put("channels", attachments.channelsOf(vm.name()));
    }

    private void change(JsonNode request, UnaryOperator<TimeShare> newShare) {
        ChangeWait.ofOwner(gpu.share(vmOf(request).slot(), newShare));
    }

    private ServedVm vmOf(JsonNode request) {
        String name = text(request, VM);
        ServedVm vm = vms.find(name);
        if (vm == null) {
            List<String> names = vms.all().stream().map(ServedVm::name).toList();
            throw new IllegalArgumentException(
                    "vm=%s, expected one of %s".formatted(name, String.join(", ", names)));
        }
        return vm;
    }

    private ObjectNode status() {
        ObjectNode answer = ok();
        PolicyKind policy = gpu.policy();
        answer.put("policy", PolicyOption.textOf(policy));
        List<ObjectNode> machines = new ArrayList<>();
        for (ServedVm vm : vms.all()) {
            VmAccount account = gpu.account(vm.slot());
            if (account != null) {
                machines.add(statusOf(vm, account));
            }
        }
        answer.put("freeVramBytes", gpu.freeVramBytes());
        answer.put("freeChannels", gpu.freeChannels());
        answer.putArray("vms").addAll(machines);
        return answer;
    }

    private ObjectNode statusOf(ServedVm served, VmAccount account) {
        VmConfig vm = served.config();
        BackendSummary.Commands commands = gpu.commands(served.slot());
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        node.put("name", vm.name());
        node.put("mode", vm.mode().name().toLowerCase(Locale.ROOT));
        node.put("socket", vm.socket().toAbsolutePath().toString());
        node.put("weight", account.share().weight());
        node.put("cap", account.share().isCapped() ? account.share().capPercent() : null);
        ObjectNode seconds = node.putObject("gpuSeconds");
        commands.engines()
                .forEach((engine, use) -> seconds.put(engine, use.gpuTimeNs() / NANOS_PER_SECOND));
        node.put("commands", commands.completed());
        node.put("waiting", commands.waiting());
        node.put("waitP50Us", commands.waitP50Ns() / NANOS_PER_MICROSECOND);
        node.put("waitP99Us", commands.waitP99Ns() / NANOS_PER_MICROSECOND);
        return node;
    }

    private static ObjectNode ok() {
        return JsonNodeFactory.instance.objectNode().put("ok", true);
    }

    private static String text(JsonNode request, String key) {
        if (!request.path(key).isTextual()) {
            throw new IllegalArgumentException("%s is missing, or not a string".formatted(key));
        }
        return request.path(key).asText();
    }

    private static int number(JsonNode request, String key) {
        JsonNode value = request.path(key);
        if (!value.isIntegralNumber() || !value.canConvertToInt()) {
            throw new IllegalArgumentException(
                    "%s=%s, expected a whole number".formatted(key, value.asText("")));
        }
        return value.asInt();
    }
}
