package io.gpuvm.daemon;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gpuvm.gf100.device.GpuDeviceException;
import io.gpuvm.linux.PeerCredentials;
import io.gpuvm.sched.PolicyKind;
import io.gpuvm.sched.VmAccount;
import io.gpuvm.sched.policy.TimeShare;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
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

    /// Requests that change nothing.
    private static final Set<String> QUESTIONS = Set.of("summary", "status", "show", "health");

    /// Time within which a working owner answers.
    private static final int HEALTH_LIMIT_S = 3;

    private final ObjectMapper json = new ObjectMapper();
    private final ServedVms vms;

    /// Shared GPU; null if one virtual machine has the whole GPU.
    private final SharedGpu gpu;

    /// Requests to attach and detach; null if one virtual machine has the whole GPU.
    private final AttachRequests attachments;

    /// Reload of the configuration; null if there is no configuration file.
    private final ConfigReload reload;

    private final Consumer<Runnable> attaching;

    private final Supplier<BackendSummary> summary;
    private final LogLevels levels;

    /// @param gpu shared GPU; null if one virtual machine has the whole GPU
    /// @param attachments requests to attach and detach; null if one virtual machine has the whole
    ///   GPU
    /// @param reload reload of the configuration; null if there is no configuration file
    /// @param attaching executes these requests one by one on another thread; null without requests
    /// @param summary returns the backend's counters
    /// @param levels levels of the logs
    ControlService(
            ServedVms vms,
            SharedGpu gpu,
            AttachRequests attachments,
            ConfigReload reload,
            Consumer<Runnable> attaching,
            Supplier<BackendSummary> summary,
            LogLevels levels) {
        this.vms = vms;
        this.gpu = gpu;
        this.attachments = attachments;
        this.reload = reload;
        this.attaching = attaching;
        this.summary = summary;
        this.levels = levels;
    }

    /// Answers one request.
    ///
    /// @param line any text
    /// @param peer process that has sent it
    /// @return a line of JSON, without line feed; completed on this thread, or later on another
    ///   thread if the request attaches or detaches a virtual machine, reloads the configuration,
    ///   or asks for the backend's health
    CompletableFuture<String> answer(String line, PeerCredentials peer) {
        try {
            JsonNode request = json.readTree(line);
            if (nameOf(request).equals("health")) {
                return health();
            }
            Supplier<ObjectNode> attachment = attachment(request);
            if (attachment == null) {
                ObjectNode done = carryOut(request);
                logChange(request, peer);
                return CompletableFuture.completedFuture(done.toString());
            }
            CompletableFuture<String> answer = new CompletableFuture<>();
            attaching.accept(() -> answer.complete(carryOut(attachment, request, peer)));
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
    private static String carryOut(
            Supplier<ObjectNode> attachment, JsonNode request, PeerCredentials peer) {
        try {
            ObjectNode done = attachment.get();
            logChange(request, peer);
            return done.toString();
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

    /// Logs a request that has changed the backend, with the process that has sent it.
    private static void logChange(JsonNode request, PeerCredentials peer) {
        if (!QUESTIONS.contains(nameOf(request))) {
            LOG.info("uid={} pid={}: {}", peer.uid(), peer.pid(), request);
        }
    }

    private static String nameOf(JsonNode request) {
        return request.path("request").asText("");
    }

    /// Returns the reason why a configuration cannot be read again.
    static ConfigException noReload() {
        return new ConfigException(
                "reload: the backend has no configuration file that may change: expected serve --config FILE with the key ctl, and no mode=passthrough");
    }

    /// Asks the thread of the GPU's owner for an answer, and reports whether there is one.
    private CompletableFuture<String> health() {
        CompletableFuture<Void> probe =
                gpu == null ? CompletableFuture.completedFuture(null) : gpu.probe();
        return probe.copy()
                .orTimeout(HEALTH_LIMIT_S, TimeUnit.SECONDS)
                .handle((_, error) -> {
                    ObjectNode answer = ok().put("healthy", error == null);
                    answer.put("uptimeSeconds", uptimeSeconds());
                    answer.put("vms", vms.all().size());
                    ArrayNode problems = answer.putArray("problems");
                    if (error != null) {
                        problems.add(
                                "the thread of the GPU's owner has not answered, limit=%d s"
                                        .formatted(HEALTH_LIMIT_S));
                    }
                    return answer.toString();
                });
    }

    private static long uptimeSeconds() {
        return TimeUnit.MILLISECONDS.toSeconds(ManagementFactory.getRuntimeMXBean().getUptime());
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
                int cap = cap(request);
                change(request, share -> share.withCap(cap));
            }
            case "set" -> set(request);
            case "show" -> {
                return show(request);
            }
            case "kill" -> {
                return ok().put(
                                "stopped",
                                ChangeWait.ofOwner(gpu.stopCommands(vmOf(request).slot())));
            }
            default ->
                    throw new IllegalArgumentException(
                            "request=%s, expected one of summary, status, show, health, policy, weight, cap, set, kill, log, attach, detach, reload"
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
            case "cap", "set" -> attachments.limitsCaps() ? () -> limitedCap(request) : null;
            case "reload" -> {
                if (reload == null) {
                    throw noReload();
                }
                yield this::reload;
            }
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

    private ObjectNode reload() {
        ObjectNode answer = ok();
        ArrayNode changes = answer.putArray("changes");
        reload.apply().forEach(changes::add);
        return answer;
    }

    private static int cap(JsonNode request) {
        return request.path("cap").isNull() ? TimeShare.NO_CAP : number(request, "cap");
    }

    /// Changes the weight, the cap, or both at once.
    private void set(JsonNode request) {
        boolean weighs = request.has("weight");
        boolean caps = request.has("cap");
        if (!weighs && !caps) {
            throw new IllegalArgumentException("set: expected weight, cap, or both");
        }
        int weight = weighs ? number(request, "weight") : 0;
        int cap = caps ? cap(request) : 0;
        change(
                request,
                share -> {
                    TimeShare weighted = weighs ? share.withWeight(weight) : share;
                    return caps ? weighted.withCap(cap) : weighted;
                });
    }

    /// Returns the state, the settings and the counters of a virtual machine.
    private ObjectNode show(JsonNode request) {
        ServedVm vm = vmOf(request);
        VmAccount account = gpu.account(vm.slot());
        if (account == null) {
            throw new IllegalArgumentException("vm=%s is detaching".formatted(vm.name()));
        }
        ObjectNode answer = ok();
        answer.set(VM, statusOf(vm, account));
        ObjectNode settings = answer.putObject("settings");
        vm.config().settings().forEach(settings::put);
        answer.set("counters", json.valueToTree(vm.report().get()));
        return answer;
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
