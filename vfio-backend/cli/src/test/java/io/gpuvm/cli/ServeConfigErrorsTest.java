package io.gpuvm.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/// Wrong configurations of `gpuvm serve --config`: the message names the file, the line, the value
/// and what is expected.
class ServeConfigErrorsTest {
    @TempDir private Path folder;

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "gpu = \"hard\"; ctl = \"/tmp/c\"        | :1: gpu hard: expected",
                "gpu = \"soft,vram=3\"; ctl = \"/tmp/c\" | :1: gpu",
                "gpu = \"soft,vrma=1G\"; ctl = \"/tmp/c\" | :1: gpu",
                "ctl = \"/tmp/c\"; policy = \"luck\"     | :2: policy: policy=luck, expected one of",
                "ctl = \"/tmp/c\"; policy = \"band,period=1h\" | :2: policy: ",
                "ctl = \"/tmp/c\"; threads = \"many\"    | :2: threads: Invalid value for option",
                "ctl = \"/tmp/c\"; idle = \"nap\"        | :2: idle: Invalid value for option",
                "ctl = \"/tmp/c\"; command-limit = 0     | :2: command-limit 0, expected 1 to 3600",
                "ctl = \"/tmp/c\"; command-limit = \"x\" | :2: command-limit: Invalid value for option",
                "ctl = \"/tmp/c\"; overcommit = \"some\" | :2: overcommit some, expected one of yes, no",
                "ctl = \"/tmp/c\"; stats = 0             | :2: stats 0, expected at least 1",
                "ctl = \"/tmp/c\"; grace = 0; listen = \"tcp:127.0.0.1:0\" | :2: grace 0, expected 1 to 3600 seconds",
                "ctl = \"/tmp/c\"; listen = \"tls:a\"    | :2: listen: ",
                "ctl-group = \"wheel\"; [vm.a]; mode = \"pv\"; socket = \"/tmp/a\" | :1: ctl-group requires --ctl",
                "ctl = \"/tmp/c\"; ctl-group = \"no such group\" | :2: ctl-group",
                "tls = \"/tmp\"; ctl = \"/tmp/c\"        | :1: tls requires --listen",
                "policy = \"fair\"                      | no virtual machine to serve",
                "[vm.a]; socket = \"/tmp/a\"            | :1: vm a: mode=... is missing",
                "[vm.a]; mode = \"pv\"                  | :1: vm a: socket=... is missing",
                "[vm.a]; mode = \"xy\"; socket = \"/tmp/a\" | :2: vm a: mode=xy, expected one of",
                "[vm.a]; mode = \"pv\"; socket = \"/tmp/a\"; weight = 0 | :4: vm a: weight=0, expected 1 to 10000",
                "[vm.a]; mode = \"pv\"; socket = \"/tmp/a\"; cap = 101 | :4: vm a: cap=101, expected 1 to 100",
                "[vm.a]; mode = \"pv\"; socket = \"/tmp/a\"; cap = \"half\" | :4: vm a: cap=half, expected a number",
                "[vm.a]; mode = \"pv\"; socket = \"/tmp/a\"; vram = \"1X\" | :4: vm a: vram=1X",
                "[vm.a]; mode = \"pv\"; socket = \"/tmp/a\"; vram = \"101%\" | :4: vm a: vram=101%",
                "[vm.a]; mode = \"pv\"; socket = \"/tmp/a\"; arena = \"1G\" | :4: vm a: arena=1073741824 bytes, expected",
                "[vm.a]; mode = \"pv\"; socket = \"/tmp/a\"; sessions = 65 | :4: vm a: sessions=65, expected 1 to 64",
                "[vm.a]; mode = \"pv\"; socket = \"/tmp/a\"; uid = -5 | :4: vm a: uid=-5, expected 0 or more",
                "[vm.a]; mode = \"pv\"; socket = \"/tmp/a\"; via = \"post\" | :4: vm a: via=post, expected one of",
                "[vm.a]; mode = \"pv\"; socket = \"/tmp/a\"; gpus = 2 | :4: vm a: gpus=2, expected 1",
                "[vm.a]; mode = \"fv\"; socket = \"/tmp/a\"; shadow = \"long\" | :4: vm a: shadow=long, expected one of",
                "[vm.a]; mode = \"fv\"; socket = \"/tmp/a\"; map = \"half\" | :4: vm a: map=half, expected one of",
                "[vm.a]; mode = \"passthrough\"; socket = \"/tmp/a\"; weight = 2 | :4: vm a: weight=2",
                "[vm.'a b']; mode = \"pv\"; socket = \"/tmp/a\" | the name must match",
                "[vm.a]; mode = \"pv\"; socket = \"/tmp/a\"; [vm.b]; mode = \"pv\"; socket = \"/tmp/a\" | :6: vm b: socket=/tmp/a is used by another",
                "[vm.a]; mode = \"passthrough\"; socket = \"/tmp/a\"; [vm.b]; mode = \"pv\"; socket = \"/tmp/b\" | virtual machines=2, limit=1",
                "ctl = \"/tmp/a\"; [vm.a]; mode = \"pv\"; socket = \"/tmp/a\" | :1: ctl /tmp/a is the socket of a --vm",
                "ctl = \"/tmp/c\"; config = \"other\"    | :2: unknown key config",
                "ctl = \"/tmp/c\"; list-undeclared = true | :2: unknown key list-undeclared",
                "ctl = \"/tmp/c\"; Policy = \"fifo\"     | :2: unknown key Policy, did you mean policy?",
            })
    void givenWrongConfiguration_whenServed_thenMessageNamesLineValueAndLimit(
            String text, String message) throws IOException {
        Path file = folder.resolve("gpuvm.toml");
        Files.writeString(file, String.join("\n", List.of(text.split("; "))));
        StringWriter errors = new StringWriter();
        CommandLine line = Main.commandLine().setErr(new PrintWriter(errors, true));

        int status = line.execute("serve", "--config", file.toString());

        String found = errors.toString().replace(file.toString(), "");
        assertTrue(found.startsWith("gpuvm: ") && found.contains(message), found);
        assertEquals(CommandLine.ExitCode.USAGE, status, found);
    }
}
