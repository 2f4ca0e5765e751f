package io.gpuvm.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gpuvm.daemon.ConfigException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `gpuvm ctl`: queries the state of a backend, and changes its policy and shares.
@Command(
        name = "ctl",
        description = "Print or change how a running backend shares its GPU.",
        sortOptions = false,
        footer = {
            "",
            "Requests:",
            "  status [--json]   state of each virtual machine: share, use, waiting commands",
            "  summary           all counters as JSON, see docs/summary.md",
            "  policy POLICY     policy, as for 'gpuvm serve --policy'; resets past charges",
            "  weight VM N       weight of a virtual machine, 1 to 10000",
            "  cap VM PCT|none   cap of a virtual machine in percent, 1 to 100",
            "",
            "Exit status: 0 done, 1 no backend answered, 2 wrong arguments or refused."
        })
final class CtlCommand implements Callable<Integer> {
    private static final String STATUS = "status";
    private static final String SUMMARY = "summary";
    private static final String HEAD =
            "%-16s %-4s %6s %5s %10s %10s %10s %10s %7s %10s %10s%n"
                    .formatted(
                            "vm",
                            "mode",
                            "weight",
                            "cap",
                            "graph s",
                            "copy0 s",
                            "copy1 s",
                            "commands",
                            "waiting",
                            "wait us",
                            "p99 us");

    @Spec private CommandSpec spec;

    @Parameters(index = "0", paramLabel = "SOCKET", description = "Socket of 'gpuvm serve --ctl'.")
    private Path socket;

    @Parameters(
            index = "1",
            paramLabel = "REQUEST",
            description = "Request: status, summary, policy, weight or cap, see below.")
    private String command;

    @Parameters(
            index = "2..*",
            paramLabel = "ARGUMENT",
            arity = "0..*",
            description = "Arguments of the request.")
    private String[] arguments = {};

    @Option(names = "--json", description = "Output as one line of JSON.")
    private boolean json;

    @Override
    public Integer call() {
        ObjectNode request = request();
        JsonNode answer = ControlConnection.ask(socket, request);
        if (json) {
            spec.commandLine().getOut().println(answer);
        } else if (!answer.path("ok").asBoolean()) {
            throw new ConfigException(answer.path("error").asText("unknown answer"));
        } else if (command.equals(STATUS)) {
            print(answer);
        } else if (command.equals(SUMMARY)) {
            spec.commandLine().getOut().println(answer.path(SUMMARY).toPrettyString());
        }
        spec.commandLine().getOut().flush();
        return answer.path("ok").asBoolean() ? ExitCode.OK : ExitCode.USAGE;
    }

    private ObjectNode request() {
        ObjectNode request = JsonNodeFactory.instance.objectNode().put("request", command);
        switch (command) {
            case STATUS, SUMMARY -> expect(0, "no arguments");
            case "policy" -> {
                expect(1, "POLICY");
                request.put("policy", arguments[0]);
            }
            case "weight" -> {
                expect(2, "VM N");
                request.put("vm", arguments[0]).put("weight", number(arguments[1]));
            }
            case "cap" -> {
                expect(2, "VM PCT|none");
                request.put("vm", arguments[0]);
                request.put("cap", arguments[1].equals("none") ? null : number(arguments[1]));
            }
            default ->
                    throw new ConfigException(
                            "ctl %s: expected one of status, summary, policy, weight, cap"
                                    .formatted(command));
        }
        return request;
    }

    private void expect(int count, String what) {
        if (arguments.length != count) {
            throw new ConfigException(
                    "ctl %s: arguments=%d, expected %s".formatted(command, arguments.length, what));
        }
    }

    private Integer number(String text) {
        try {
            return Integer.valueOf(text);
        } catch (NumberFormatException e) {
            throw new ConfigException("ctl %s: %s, expected a number".formatted(command, text), e);
        }
    }

    private void print(JsonNode status) {
        StringBuilder text = new StringBuilder();
        text.append("policy: %s%n".formatted(status.path("policy").asText())).append(HEAD);
        for (JsonNode vm : status.path("vms")) {
            JsonNode seconds = vm.path("gpuSeconds");
            text.append(
                    "%-16s %-4s %6d %5s %10.3f %10.3f %10.3f %10d %7d %10.0f %10.0f%n"
                            .formatted(
                                    vm.path("name").asText(),
                                    vm.path("mode").asText(),
                                    vm.path("weight").asInt(),
                                    vm.path("cap").isNull() ? "none" : vm.path("cap").asText(),
                                    seconds.path("graph").asDouble(),
                                    seconds.path("copy0").asDouble(),
                                    seconds.path("copy1").asDouble(),
                                    vm.path("commands").asLong(),
                                    vm.path("waiting").asLong(),
                                    vm.path("waitP50Us").asDouble(),
                                    vm.path("waitP99Us").asDouble()));
        }
        spec.commandLine().getOut().print(text);
    }
}
