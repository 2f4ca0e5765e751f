package io.gpuvm.cuda.compiler;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// clang as it is installed.
///
/// @param program path of the compiler
/// @param version full version, for instance `19.1.7`
public record Clang(Path program, String version) {
    /// Oldest release whose CUDA the headers support.
    static final int OLDEST = 16;

    /// Newest release whose name is searched for.
    private static final int NEWEST = 29;

    private static final String VARIABLE = "GPUVM_CLANG";
    private static final Pattern VERSION = Pattern.compile("(\\d+)\\.\\d+\\.\\d+.*");

    /// Finds clang: the program that the option or `GPUVM_CLANG` names, else the first of `clang`
    /// and `clang-29` to `clang-16` on the path that is new enough, else the newest of
    /// `tests/clang/setup`.
    ///
    /// @param option value of the option `--clang`, or an empty text
    /// @param cache cache folder of `tests/clang/setup`
    /// @throws CcException if there is none; the message says how to install it
    static Clang find(String option, Map<String, String> environment, Path cache) {
        String named = option.isEmpty() ? environment.getOrDefault(VARIABLE, "") : option;
        if (!named.isEmpty()) {
            return named(named, environment);
        }
        return Stream.concat(onPath(environment), setUp(cache))
                .filter(Files::isExecutable)
                .flatMap(program -> at(program).stream())
                .filter(clang -> clang.release() >= OLDEST)
                .findFirst()
                .orElseThrow(() ->
                        CcException.missing(
                                ("no clang %d or newer on $PATH or in %s; on Debian: apt-get"
                                                + " install clang-19, or without root:"
                                                + " tests/clang/setup")
                                        .formatted(OLDEST, cache)));
    }

    private static Clang named(String name, Map<String, String> environment) {
        Path program =
                name.contains("/")
                        ? Path.of(name)
                        : folders(environment)
                                .map(folder -> folder.resolve(name))
                                .filter(Files::isExecutable)
                                .findFirst()
                                .orElse(Path.of(name));
        Clang clang =
                at(program)
                        .orElseThrow(() -> CcException.missing(name + ": not a clang that runs"));
        if (clang.release() < OLDEST) {
            throw CcException.missing(
                    "%s: version=%s, expected at least %d".formatted(name, clang.version, OLDEST));
        }
        return clang;
    }

    private static Stream<Path> onPath(Map<String, String> environment) {
        List<Path> found = new ArrayList<>();
        folders(environment).map(folder -> folder.resolve("clang")).forEach(found::add);
        for (int release = NEWEST; release >= OLDEST; release--) {
            String name = "clang-" + release;
            folders(environment).map(folder -> folder.resolve(name)).forEach(found::add);
        }
        return found.stream();
    }

    private static Stream<Path> folders(Map<String, String> environment) {
        return Stream.of(environment.getOrDefault("PATH", "").split(":"))
                .filter(folder -> !folder.isEmpty())
                .map(Path::of);
    }

    private static Stream<Path> setUp(Path cache) {
        return Stream.iterate(NEWEST, release -> release >= OLDEST, release -> release - 1)
                .map(release -> cache.resolve("clang-" + release).resolve("clang"));
    }

    private static Optional<Clang> at(Path program) {
        try {
            Process process =
                    new ProcessBuilder(program.toString(), "-dumpversion")
                            .redirectErrorStream(true)
                            .start();
            process.getOutputStream().close();
            String said =
                    new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                            .strip();
            return VERSION.matcher(said).matches()
                    ? Optional.of(new Clang(program, said))
                    : Optional.empty();
        } catch (IOException _) {
            return Optional.empty();
        }
    }

    /// Returns the number of the release, for instance 19.
    private int release() {
        Matcher matcher = VERSION.matcher(version);
        return matcher.matches() ? Integer.parseInt(matcher.group(1)) : 0;
    }
}
