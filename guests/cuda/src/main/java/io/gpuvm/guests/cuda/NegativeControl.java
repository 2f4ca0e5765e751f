package io.gpuvm.guests.cuda;

import io.gpuvm.guests.real.Children;
import io.gpuvm.guests.real.RunFolder;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Library that forwards all calls to the library under test, except that calls of one kind have no
/// effect (`tests/cuda-clients/no-effect`).
///
/// @param tested library under test
/// @param folder folder of the forwarding library
record NegativeControl(CudaLibrary tested, Path folder) {
    private static final String LIBRARY = "GPUVM_NO_EFFECT_LIBRARY";
    private static final String EFFECTS = "GPUVM_NO_EFFECT";
    private static final String COUNT = "GPUVM_NO_EFFECT_COUNT";

    private static final int SHOWN_LINES = 10;

    /// Builds the library.
    ///
    /// @throws IllegalStateException if the compiler fails; the message contains its output
    static NegativeControl build(
            ClientFiles files, CudaLibrary tested, RunFolder folder, Children children)
            throws InterruptedException {
        Path target = folder.path().resolve("no-effect");
        Path log = folder.path().resolve("no-effect.log");
        List<String> command =
                List.of(
                        files.sources().resolve("no-effect/build").toString(),
                        tested.file().toString(),
                        target.toString());
        int status = children.start(command, Map.of(), log, log).waitFor();
        if (status != 0) {
            throw new IllegalStateException(
                    "no-effect/build: exit status %d:%n%s"
                            .formatted(
                                    status, String.join("\n", RunFolder.tail(log, SHOWN_LINES))));
        }
        return new NegativeControl(tested, target);
    }

    /// Returns the environment variables of a program without one kind of effects.
    ///
    /// @param counted file for the number of suppressed calls
    Map<String, String> environment(Effect effect, Path counted, Path socket) {
        Map<String, String> environment =
                new HashMap<>(new CudaLibrary(folder).environment(socket, System.getenv()));
        environment.put(LIBRARY, tested.file().toString());
        environment.put(EFFECTS, effect.toString());
        environment.put(COUNT, counted.toString());
        return environment;
    }

    /// Returns the number of suppressed calls of all processes of a client.
    static long suppressed(Path counted) {
        return RunFolder.tail(counted, Integer.MAX_VALUE).stream().mapToLong(Long::parseLong).sum();
    }
}
