package io.gpuvm.tests.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// Tests that no Javadoc summary begins with a question word, as `docs/style.md` requires.
class SummariesTest {
    private static final Path ROOT = Path.of(System.getProperty("gpuvm.root"));

    /// First line of a documentation comment that begins with a word of a headless clause.
    private static final Pattern HEADLESS =
            Pattern.compile(
                    "[ \\t]*/// (?<summary>(?:What|Who|Whose|Whoever|Whatever|Those"
                            + "|How|Where|Whether|Why|Somebody|Nobody|Everybody)\\b.*)");

    private static final Pattern COMMENT = Pattern.compile("(?m)(?:^[ \\t]*///.*\\R)+");

    @Test
    void givenAllSources_whenSummariesAreRead_thenNoSummaryBeginsWithQuestionWord()
            throws IOException {
        List<String> headless = new ArrayList<>();
        int comments = 0;
        for (Path source : sources()) {
            Matcher comment = COMMENT.matcher(Files.readString(source));
            while (comment.find()) {
                comments++;
                String first = comment.group().lines().findFirst().orElseThrow();
                Matcher summary = HEADLESS.matcher(first);
                if (summary.matches()) {
                    headless.add(ROOT.relativize(source) + ": " + summary.group("summary"));
                }
            }
        }
        assertTrue(comments > 5_000, "comments=" + comments);
        assertEquals(List.of(), headless);
    }

    /// Returns all sources. Folders that other processes change meanwhile are not entered.
    private static List<Path> sources() throws IOException {
        List<Path> sources = new ArrayList<>();
        Files.walkFileTree(
                ROOT,
                new SimpleFileVisitor<>() {
                    @Override
                    public FileVisitResult preVisitDirectory(
                            Path folder, BasicFileAttributes attributes) {
                        String name = folder.getFileName().toString();
                        return name.equals(".git") || name.equals("target")
                                ? FileVisitResult.SKIP_SUBTREE
                                : FileVisitResult.CONTINUE;
                    }

                    @Override
                    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                        if (file.toString().endsWith(".java")) {
                            sources.add(file);
                        }
                        return FileVisitResult.CONTINUE;
                    }
                });
        return sources;
    }
}
