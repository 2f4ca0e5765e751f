package io.gpuvm.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.gpuvm.daemon.ConfigException;
import io.gpuvm.guests.real.OneLineErrors;
import io.gpuvm.pv.runtime.GpuError;
import io.gpuvm.pv.runtime.GpuException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;

class CommandErrorsTest {
    private final StringWriter err = new StringWriter();

    @Command
    private record Failing(RuntimeException failure) implements Callable<Integer> {
        @Override
        public Integer call() {
            throw failure;
        }
    }

    @Command
    private record FailingInOneLine(RuntimeException failure) implements OneLineErrors {
        @Override
        public Integer call() {
            throw failure;
        }
    }

    @Test
    void givenErrorOfUserOrEnvironment_whenCommandFails_thenOneLineIsPrintedAndStatusIsReturned() {
        Map<RuntimeException, Integer> statuses =
                Map.of(
                        new ConfigException("x=1, limit=2"),
                        2,
                        new CommandFailedException("no answer"),
                        1,
                        new GpuException(GpuError.LOST, "lost"),
                        1,
                        new GpuException(GpuError.NOT_FOUND, "no kernel"),
                        2);
        statuses.forEach((failure, status) -> {
            assertEquals(status, execute(new Failing(failure)), failure::toString);
            assertEquals(status, execute(new FailingInOneLine(failure)), failure::toString);
            assertEquals("gpuvm: %s\n".formatted(failure.getMessage()).repeat(2), said());
        });
    }

    @Test
    void givenExceptionOfJdk_whenCommandFails_thenOnlyInternalErrorHasStackTrace() {
        Map<RuntimeException, Integer> statuses =
                Map.of(
                        new IllegalArgumentException("turns=0"),
                        2,
                        new IllegalStateException("boot failed"),
                        1,
                        new UncheckedIOException("no file", new IOException()),
                        1);
        statuses.forEach((failure, status) -> {
            assertEquals(status, execute(new FailingInOneLine(failure)), failure::toString);
            assertEquals("gpuvm: %s\n".formatted(failure.getMessage()), said());
            assertEquals(1, execute(new Failing(failure)));
            assertEquals(failure.toString(), said().lines().toList().getFirst());
        });
        for (RuntimeException internal : List.of(new ArithmeticException())) {
            assertThrows(
                    internal.getClass(),
                    () ->
                            CommandErrors.onException(
                                    internal,
                                    new CommandLine(new FailingInOneLine(internal)),
                                    null));
        }
    }

    private String said() {
        String text = err.toString();
        err.getBuffer().setLength(0);
        return text;
    }

    private int execute(Object command) {
        return Main.configured(new CommandLine(command))
                .setErr(new PrintWriter(err, true))
                .execute();
    }
}
