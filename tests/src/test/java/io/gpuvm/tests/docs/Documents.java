package io.gpuvm.tests.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Command lines in README.md and the documents.
final class Documents {
    /// Command in a code block, to the end of its line, or in a code span.
    private static final Pattern SHOWN =
            Pattern.compile(
                    "(?m)(?:^|`)(?<path>\\./gpuvm"
                            + "|tests/(?:real-guest|hostile-guest|virtual-host|cuda-clients)/run)"
                            + "(?<words>(?: [^`\\n]+)?)");

    /// Text after a command: a comment, a pipe or a redirection.
    private static final Pattern REST = Pattern.compile(" +[#|>&].*$");

    /// Programs of `real-guest` whose arguments are those of the command `run`.
    private static final Set<String> WORKLOADS = Set.of("workload", "workload-pair");

    private Documents() {}

    /// Command line in a document.
    ///
    /// @param page file, relative to the root
    /// @param words words of the command line, beginning with the command of `./gpuvm`
    record Shown(String page, List<String> words) {
        String command() {
            return words.getFirst();
        }

        /// Returns the names of the long options. Options after `--` are those of another program.
        List<String> options() {
            return words.stream()
                    .takeWhile(word -> !word.equals("--"))
                    .map(word -> word.replaceAll("[\\[\\].]", ""))
                    .filter(word -> word.startsWith("--"))
                    .map(word -> word.replaceFirst("=.*", ""))
                    .toList();
        }

        @Override
        public String toString() {
            return "%s: ./gpuvm %s".formatted(page, String.join(" ", words));
        }
    }

    /// Splits a command line that ends with the arguments of `gpuvm run` in a guest.
    private static List<Shown> split(String page, List<String> words) {
        int workload = 0;
        while (workload < words.size() && !WORKLOADS.contains(words.get(workload))) {
            workload++;
        }
        if (workload == words.size()) {
            return List.of(new Shown(page, words));
        }
        List<String> inGuest = new ArrayList<>(words.subList(workload, words.size()));
        inGuest.set(0, "run");
        return List.of(new Shown(page, words.subList(0, workload + 1)), new Shown(page, inGuest));
    }

    /// Returns all command lines, page by page.
    static List<Shown> commands(Path root) throws IOException {
        List<Path> pages = new ArrayList<>(List.of(root.resolve("README.md")));
        try (Stream<Path> docs = Files.list(root.resolve("docs"))) {
            docs.filter(page -> page.toString().endsWith(".md")).sorted().forEach(pages::add);
        }
        List<Shown> shown = new ArrayList<>();
        for (Path page : pages) {
            String text = Files.readString(page).replaceAll("\\\\\\n\\s*", "");
            Matcher matcher = SHOWN.matcher(text);
            while (matcher.find()) {
                List<String> words = new ArrayList<>();
                if (matcher.group("path").startsWith("tests/")) {
                    words.add(matcher.group("path").split("/")[1]);
                }
                String rest = REST.matcher(matcher.group("words")).replaceFirst("").strip();
                words.addAll(rest.isEmpty() ? List.of() : List.of(rest.split("\\s+")));
                if (!words.isEmpty()) {
                    shown.addAll(split(root.relativize(page).toString(), words));
                }
            }
        }
        return shown;
    }
}
