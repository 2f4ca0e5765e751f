package io.gpuvm.guests.real;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

/// Event that a guest reports on its second serial port, as a line `@gpuvm {...}`. The writers are
/// the init of `tests/real-guest/guest` and of `tests/virtual-host/guest`, `programs/lib/report.c`,
/// the conformance suite and the runtime's tests.
public sealed interface GuestEvent {
    /// Start of the guest's init.
    record Booted(String kernel, String program) implements GuestEvent {}

    /// Record of the kernel log.
    ///
    /// @param phase `boot`, `probe`, the program's name, or `rmmod`
    /// @param level 0 (emergency) to 7 (debug), as in syslog
    /// @param us time by the kernel's clock, in microseconds since power-on
    record Log(String phase, int level, long us, String text) implements GuestEvent {
        private static final int WARNING = 4;

        public boolean isWarningOrWorse() {
            return level <= WARNING;
        }
    }

    /// Binding of a virtual host's card to vfio-pci.
    ///
    /// @param group name of the VFIO group
    record Bound(String group) implements GuestEvent {}

    /// Start of a program.
    record Started(String program) implements GuestEvent {}

    /// Loading of the driver, with the exit status of insmod.
    record Loaded(int status) implements GuestEvent {}

    /// Unloading of the driver, with the exit status of rmmod.
    record Unloaded(int status) implements GuestEvent {}

    /// End of a program. The program's part of the kernel log precedes this event.
    record Exited(String program, int status) implements GuestEvent {}

    /// Last event before the guest powers off.
    record Finished() implements GuestEvent {}

    /// Text for the user.
    record Note(String text) implements GuestEvent {}

    /// Request by the guest for an operation of the process that runs the machine.
    record Asked(String what) implements GuestEvent {}

    /// Result of one check by the program.
    record Check(boolean ok, String text) implements GuestEvent {}

    /// Minimum number of bytes that an engine of the GPU copied. The engine is `ANY` if the driver
    /// chose the engine.
    record Moved(String engine, long bytes) implements GuestEvent {}

    /// Result of one test case of a program that runs several.
    ///
    /// @param result `pass`, `fail` or `skip`
    /// @param reason reason for a result other than `pass`, or empty
    record Case(String name, String result, long ms, String reason) implements GuestEvent {
        public boolean passed() {
            return result.equals("pass");
        }

        public boolean failed() {
            return result.equals("fail");
        }
    }

    /// Numbers of the program's test cases, by result.
    record Cases(int passed, int failed, int skipped) implements GuestEvent {}

    /// Figure measured by the program.
    record Measured(String name, double value) implements GuestEvent {}

    /// Piece of the file with the program's measurement, encoded as Base64.
    record MeasurementPiece(String base64) implements GuestEvent {}

    /// Progress of the program. `stream` reports `copies` and `sweeps`.
    ///
    /// @param ms time of the report by the guest's monotonic clock, in milliseconds
    record Progress(String name, long count, long ms) implements GuestEvent {}

    /// Regular expression that must match a line in the kernel log of the program's phase.
    record ExpectedLog(String pattern) implements GuestEvent {}

    /// Test that the program skipped.
    record Skipped(String what, String reason) implements GuestEvent {}

    /// Line that is not an event, or an event of an unknown kind.
    record Other(String line) implements GuestEvent {}

    ObjectMapper JSON = new ObjectMapper();

    /// Parses one line from the port. Never fails, because a guest may write arbitrary text while
    /// it shuts down.
    static GuestEvent parse(String line) {
        String prefix = "@gpuvm ";
        if (!line.startsWith(prefix)) {
            return new Other(line);
        }
        try {
            return of(JSON.readTree(line.substring(prefix.length())), line);
        } catch (JsonProcessingException _) {
            return new Other(line);
        }
    }

    private static GuestEvent of(JsonNode event, String line) {
        return switch (event.path("event").asText()) {
            case "booted" -> new Booted(text(event, "kernel"), text(event, "program"));
            case "log" ->
                    new Log(
                            text(event, "phase"),
                            event.path("level").asInt(),
                            event.path("us").asLong(),
                            text(event, "text"));
            case "bound" -> new Bound(text(event, "group"));
            case "started" -> new Started(text(event, "program"));
            case "loaded" -> new Loaded(event.path("status").asInt(-1));
            case "unloaded" -> new Unloaded(event.path("status").asInt(-1));
            case "exited" -> new Exited(text(event, "program"), event.path("status").asInt(-1));
            case "finished" -> new Finished();
            case "asked" -> new Asked(text(event, "what"));
            case "note" -> new Note(text(event, "text"));
            case "check" -> new Check(event.path("ok").asBoolean(), text(event, "text"));
            case "moved" -> new Moved(text(event, "engine"), event.path("bytes").asLong());
            case "test" ->
                    new Case(
                            text(event, "name"),
                            text(event, "result"),
                            event.path("ms").asLong(),
                            text(event, "reason"));
            case "tests" ->
                    new Cases(
                            event.path("passed").asInt(),
                            event.path("failed").asInt(),
                            event.path("skipped").asInt());
            case "measured" -> new Measured(text(event, "name"), event.path("value").asDouble());
            case "measurement" -> new MeasurementPiece(text(event, "base64"));
            case "progress" ->
                    new Progress(
                            text(event, "name"),
                            event.path("count").asLong(),
                            event.path("ms").asLong());
            case "expect-log" -> new ExpectedLog(text(event, "text"));
            case "skipped" -> new Skipped(text(event, "what"), text(event, "reason"));
            default -> new Other(line);
        };
    }

    private static String text(JsonNode event, String key) {
        return event.path(key).asText();
    }
}
