package io.gpuvm.daemon;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gpuvm.sched.PolicyKind;
import io.gpuvm.sched.VmAccount;
import io.gpuvm.sched.policy.TimeShare;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/// Parser and executor of requests from the control socket; changes are executed on the thread of
/// the GPU's owner. `docs/control.md` specifies requests and answers.
///
/// Confined to the thread of the control socket.
final class ControlService {
    /// Timeout for the owner's answer, longer than the owner is ever busy. If it expires, the owner
    /// is dead.
    private static final long OWNER_LIMIT_MS = TimeUnit.SECONDS.toMillis(5);

    private static final double NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final double NANOS_PER_MICROSECOND = TimeUnit.MICROSECONDS.toNanos(1);

    private final ObjectMapper json = new ObjectMapper();
    private final List<VmConfig> vms;

    /// Shared GPU; null if one virtual machine has the whole GPU.
    private final SharedGpu gpu;

    private final Supplier<BackendSummary> summary;

    /// @param vms virtual machines in the order of their numbers
    /// @param gpu shared GPU; null if one virtual machine has the whole GPU
    /// @param summary returns the backend's counters
    ControlService(List<VmConfig> vms, SharedGpu gpu, Supplier<BackendSummary> summary) {
        this.vms = vms;
        this.gpu = gpu;
        this.summary = summary;
    }

    /// Answers one request.
    ///
    /// @param line any text
    /// @return a line of JSON, without line feed
    String answer(String line) {
        try {
            return carryOut(json.readTree(line)).toString();
        } catch (JsonProcessingException e) {
            return refusal("not a line of JSON: " + e.getOriginalMessage());
        } catch (ConfigException | IllegalArgumentException | IllegalStateException e) {
            return refusal(e.getMessage());
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
        if (gpu == null) {
            throw new IllegalArgumentException(
                    "request=%s, expected=summary with mode=passthrough".formatted(what));
        }
        switch (what) {
            case "status" -> {
                return status();
            }
            case "policy" ->
                    await(gpu.policy(PolicyOption.parse("policy", text(request, "policy"))));
            case "weight" -> {
                int weight = number(request, "weight");
                change(request, share -> share.withWeight(weight));
            }
            case "cap" -> {
                int cap = request.path("cap").isNull() ? TimeShare.NO_CAP : number(request, "cap");
                change(request, share -> share.withCap(cap));
            }
            default ->
                    throw new IllegalArgumentException(
                            "request=%s, expected one of summary, status, policy, weight, cap"
                                    .formatted(what));
        }
        return ok();
    }

    private void change(JsonNode request, UnaryOperator<TimeShare> newShare) {
        String name = text(request, "vm");
        List<String> names = vms.stream().map(VmConfig::name).toList();
        int slot = names.indexOf(name);
        if (slot < 0) {
            throw new IllegalArgumentException(
                    "vm=%s, expected one of %s".formatted(name, String.join(", ", names)));
        }
        await(gpu.share(slot, newShare));
    }

    private static void await(CompletableFuture<Void> change) {
        try {
            change.get(OWNER_LIMIT_MS, TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw new IllegalArgumentException(e.getCause().getMessage(), e);
        } catch (TimeoutException e) {
            throw new IllegalStateException("the GPU's owner does not answer", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("the backend is shutting down", e);
        }
    }

    private ObjectNode status() {
        ObjectNode answer = ok();
        PolicyKind policy = gpu.policy();
        answer.put("policy", PolicyOption.textOf(policy));
        List<ObjectNode> machines = new ArrayList<>();
        for (int slot = 0; slot < vms.size(); slot++) {
            machines.add(statusOf(slot));
        }
        answer.putArray("vms").addAll(machines);
        return answer;
    }

    private ObjectNode statusOf(int slot) {
        VmConfig vm = vms.get(slot);
        VmAccount account = gpu.account(slot);
        BackendSummary.Commands commands = gpu.commands(slot);
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        node.put("name", vm.name());
        node.put("mode", vm.mode().name().toLowerCase(Locale.ROOT));
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
