package io.gpuvm.cuda.service.session;

import io.gpuvm.cuda.protocol.CudaOpcode;
import io.gpuvm.cuda.protocol.CudaStatus;
import io.gpuvm.logging.LogLimit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Log of the refused calls and failed kernels of one virtual machine, with a budget of lines for
/// all its sessions. Confined to the poller.
final class RefusalLog {
    private static final Logger LOG = LoggerFactory.getLogger(RefusalLog.class);

    /// Maximum number of lines; one line per minute is restored.
    private static final int MOST_LINES = 20;

    /// Maximum length of the message in a line.
    private static final int MOST_CHARACTERS = 400;

    private final LogLimit limit = LogLimit.perMinute(MOST_LINES, System::nanoTime);

    /// Logs a refused call.
    ///
    /// @param vm name of the virtual machine
    /// @param opcode opcode of the call, 0 if it is not known
    /// @param number number of the call, 0 if it is not known
    /// @param status status of the call
    /// @param message value and limit
    void refused(String vm, int opcode, long number, int status, String message) {
        if (!isFailure(status) || !limit.spend()) {
            return;
        }
        LOG.warn(
                "{}: {}: {}, {}{}",
                vm,
                nameOf(opcode, number),
                nameOf(status),
                printable(message),
                leftOut());
    }

    /// Logs a report about a failed kernel.
    ///
    /// @param vm name of the virtual machine
    /// @param text position and reason
    void reported(String vm, String text) {
        if (limit.spend()) {
            LOG.warn("{}: {}{}", vm, printable(text), leftOut());
        }
    }

    /// Returns how many lines were left out since the last line.
    private String leftOut() {
        long lines = limit.takeLeftOut();
        return lines == 0 ? "" : ", refusals left out=" + lines;
    }

    /// Returns a message on one line of limited length: it may contain names that the client has
    /// chosen.
    static String printable(String message) {
        StringBuilder text = new StringBuilder();
        int length = Math.min(message.length(), MOST_CHARACTERS);
        for (int i = 0; i < length; i++) {
            char c = message.charAt(i);
            text.append(c >= ' ' && c <= '~' ? c : '?');
        }
        return message.length() > length ? text + "..." : text.toString();
    }

    /// Returns whether a status is an error rather than an answer: a client asks whether work is
    /// done, and whether a module is known.
    static boolean isFailure(int status) {
        return status != CudaStatus.SUCCESS
                && status != CudaStatus.NOT_READY
                && status != CudaStatus.NOT_FOUND;
    }

    private static String nameOf(int opcode, long number) {
        if (number == 0) {
            return "an earlier call";
        }
        if (opcode == 0) {
            return "call " + number;
        }
        String name = CudaOpcode.nameOf(opcode);
        return "%s, call %d"
                .formatted(name == null ? "opcode 0x%04x".formatted(opcode) : name, number);
    }

    private static String nameOf(int status) {
        String name = CudaStatus.nameOf(status);
        return name == null ? "status " + status : name;
    }
}
