package io.gpuvm.doctor;

/// One item of an examination.
///
/// @param point subject of the item, one or two words
/// @param found observed state, with its value
/// @param fix command that corrects the state, or advice if no command can; empty if there is
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
