package io.gpuvm.doctor;

/// One point of an examination.
///
/// @param point what was looked at, one or two words
/// @param found what is there, with its value
/// @param fix the command that changes it, or what to do where no command can; empty if there is
///   nothing to change
public record Finding(Status status, String point, String found, String fix) {
    static Finding ok(String point, String found) {
        return new Finding(Status.OK, point, found, "");
    }

    static Finding note(String point, String found) {
        return new Finding(Status.NOTE, point, found, "");
    }

    static Finding note(String point, String found, String fix) {
        return new Finding(Status.NOTE, point, found, fix);
    }

    static Finding missing(String point, String found, String fix) {
        return new Finding(Status.MISSING, point, found, fix);
    }

    static Finding unknown(String point, String found, String fix) {
        return new Finding(Status.UNKNOWN, point, found, fix);
    }
}
