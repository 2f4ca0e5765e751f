package io.gpuvm.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.toml.TomlMapper;
import io.gpuvm.daemon.ConfigException;
import io.gpuvm.daemon.VmConfig;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Configuration file of `gpuvm serve`, in TOML: a key for each option, without the dashes, and a
/// table `[vm.NAME]` for each virtual machine, with the keys of `--vm`. Immutable.
///
/// Messages begin with the file and the line.
final class ConfigFile {
    /// Value of a key.
    ///
    /// @param text value in the form of the command line
    record Entry(String text, int line) {}

    /// Largest file, in bytes: many times that of the most virtual machines.
    private static final long MOST_BYTES = 1 << 20;

    private static final String VM = "vm";

    /// Begin of a message about an option: its name, and that of a virtual machine.
    private static final Pattern OPTION =
            Pattern.compile("^--([a-z][a-z-]*)(?: ([^ :,]+))?(?=[ :,])");

    /// Key of a virtual machine in a message.
    private static final Pattern VM_KEY = Pattern.compile("\\b([a-z][a-z-]*)=");

    private final Path path;
    private final TomlLines lines;
    private final Map<String, Entry> options = new LinkedHashMap<>();
    private final Map<String, Map<String, Entry>> vms = new LinkedHashMap<>();

    private ConfigFile(Path path, String text) {
        this.path = path;
        this.lines = new TomlLines(text);
    }

    /// Reads a file.
    ///
    /// @param known names of options that the file may contain
    /// @throws ConfigException if the file cannot be read, is not valid TOML, or has a key that is
    ///   unknown or has a value of another type
    static ConfigFile read(Path path, Collection<String> known) {
        String text = contentOf(path);
        JsonNode root;
        try {
            root = new TomlMapper().readTree(text);
        } catch (JsonProcessingException e) {
            throw new ConfigException(
                    "%s:%d:%d: %s"
                            .formatted(
                                    path,
                                    e.getLocation().getLineNr(),
                                    e.getLocation().getColumnNr(),
                                    e.getOriginalMessage()),
                    e);
        }
        ConfigFile file = new ConfigFile(path, text);
        for (Map.Entry<String, JsonNode> entry : root.properties()) {
            if (entry.getKey().equals(VM)) {
                file.addVms(entry.getValue());
            } else {
                file.requireKnown(List.of(entry.getKey()), known);
                Entry value = file.entry(List.of(entry.getKey()), entry.getValue());
                file.options.put(entry.getKey(), value);
            }
        }
        return file;
    }

    private static String contentOf(Path path) {
        try {
            long bytes = Files.size(path);
            if (bytes > MOST_BYTES) {
                throw new ConfigException(
                        "--config %s has %d bytes, limit=%d".formatted(path, bytes, MOST_BYTES));
            }
            return Files.readString(path);
        } catch (CharacterCodingException e) {
            throw new ConfigException("--config %s is not UTF-8".formatted(path), e);
        } catch (IOException e) {
            throw new ConfigException("--config %s: %s".formatted(path, FileErrors.reason(e)), e);
        }
    }

    private void addVms(JsonNode tables) {
        if (!tables.isObject()) {
            throw error(List.of(VM), "vm, expected tables [vm.NAME]");
        }
        for (Map.Entry<String, JsonNode> table : tables.properties()) {
            List<String> at = List.of(VM, table.getKey());
            if (!table.getValue().isObject()) {
                throw error(at, "vm.%s, expected a table [vm.NAME]".formatted(table.getKey()));
            }
            String mode = table.getValue().path("mode").asText("");
            Map<String, Entry> entries = new LinkedHashMap<>();
            for (Map.Entry<String, JsonNode> entry : table.getValue().properties()) {
                List<String> key = List.of(VM, table.getKey(), entry.getKey());
                requireKnown(key, VmConfig.keysOf(mode));
                entries.put(entry.getKey(), entry(key, entry.getValue()));
            }
            vms.put(table.getKey(), entries);
        }
    }

    private void requireKnown(List<String> key, Collection<String> known) {
        String name = key.getLast();
        if (!known.contains(name)) {
            String nearest = NearestName.of(name, known);
            throw error(
                    key,
                    "unknown key %s%s"
                            .formatted(
                                    String.join(".", key),
                                    nearest == null
                                            ? ", expected one of "
                                                    + String.join(
                                                            ", ", known.stream().sorted().toList())
                                            : ", did you mean " + nearest + "?"));
        }
    }

    private Entry entry(List<String> key, JsonNode value) {
        String text;
        if (value.isTextual()) {
            text = value.asText();
        } else if (value.isBoolean()) {
            text = value.asBoolean() ? "yes" : "no";
        } else if (value.isIntegralNumber()) {
            text = value.asText();
        } else {
            throw error(
                    key,
                    "%s=%s, expected a string, a whole number or a boolean"
                            .formatted(String.join(".", key), value));
        }
        if (text.isEmpty()) {
            throw error(key, "%s is empty".formatted(String.join(".", key)));
        }
        if (key.getFirst().equals(VM) && text.indexOf(',') >= 0) {
            throw error(
                    key,
                    "%s=%s, expected a value without commas"
                            .formatted(String.join(".", key), text));
        }
        return new Entry(text, lines.of(key));
    }

    private ConfigException error(List<String> key, String message) {
        return new ConfigException("%s:%d: %s".formatted(path, lines.of(key), message));
    }

    /// Returns the values of options, by name without dashes, in the order of the file.
    Map<String, Entry> options() {
        return options;
    }

    /// Returns the virtual machines, as texts of `--vm`.
    List<String> vms() {
        List<String> texts = new ArrayList<>();
        vms.forEach((name, entries) -> {
            StringBuilder text = new StringBuilder(name);
            entries.forEach(
                    (key, entry) -> text.append(',').append(key).append('=').append(entry.text()));
            texts.add(text.toString());
        });
        return texts;
    }

    /// Returns an error that names the file and the line, if its message is about an option or a
    /// virtual machine of this file; otherwise the error itself.
    RuntimeException located(RuntimeException error) {
        Matcher option = OPTION.matcher(error.getMessage() + " ");
        if (!option.find()) {
            return error;
        }
        String name = option.group(1);
        String rest = error.getMessage().substring(option.end(1));
        if (name.equals(VM) && vms.containsKey(option.group(2))) {
            return new ConfigException(
                    "%s:%d: vm%s"
                            .formatted(path, lineOf(option.group(2), error.getMessage()), rest),
                    error);
        }
        Entry entry = options.get(name);
        return entry == null
                ? error
                : new ConfigException(
                        "%s:%d: %s%s".formatted(path, entry.line(), name, rest), error);
    }

    private int lineOf(String vm, String message) {
        Matcher key = VM_KEY.matcher(message);
        while (key.find()) {
            Entry entry = vms.get(vm).get(key.group(1));
            if (entry != null) {
                return entry.line();
            }
        }
        return lines.of(List.of(VM, vm));
    }

    /// Checks that options other than some have the values of another version of the file.
    ///
    /// @param changeable names of options that may differ
    /// @throws ConfigException if another option differs
    void requireUnchanged(ConfigFile former, Collection<String> changeable) {
        for (Map.Entry<String, Entry> option : options.entrySet()) {
            Entry before = former.options.get(option.getKey());
            if (!changeable.contains(option.getKey())
                    && (before == null || !before.text().equals(option.getValue().text()))) {
                throw error(
                        List.of(option.getKey()),
                        "%s=%s, was %s: it is fixed until the backend restarts"
                                .formatted(
                                        option.getKey(),
                                        option.getValue().text(),
                                        before == null ? "absent" : before.text()));
            }
        }
        for (String name : former.options.keySet()) {
            if (!changeable.contains(name) && !options.containsKey(name)) {
                throw error(
                        List.of(),
                        "%s is absent, was %s: it is fixed until the backend restarts"
                                .formatted(name, former.options.get(name).text()));
            }
        }
    }
}
