package io.gpuvm.tests.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Commands of the launcher script and their main classes.
///
/// @param mains names of main classes by command; empty for commands that the script executes
///   itself
record Launcher(Map<String, String> mains) {
    private static final Pattern BRANCH =
            Pattern.compile("(?ms)^    (?<names>[a-z][a-z| -]*)\\)\\n(?<body>.*?)^        ;;");
    private static final Pattern MAIN = Pattern.compile("java_main \\S+ (?<main>[\\w.]+)");

    static Launcher read(Path root) throws IOException {
        String script = Files.readString(root.resolve("gpuvm"));
        Map<String, String> mains = new HashMap<>();
        Matcher branch = BRANCH.matcher(script.substring(script.indexOf("\nmain() {")));
        while (branch.find()) {
            Matcher main = MAIN.matcher(branch.group("body"));
            String name = main.find() ? main.group("main") : "";
            for (String command : branch.group("names").split(" *\\| *")) {
                mains.put(command, name);
            }
        }
        return new Launcher(mains);
    }
}
