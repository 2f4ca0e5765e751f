package io.gpuvm.guests.real;

/// Thread that reads the output of a process. It is a platform thread: a virtual thread that waits
/// in a read of a pipe occupies its carrier, and the JDK's scheduler does not always start another
/// carrier. With several such waits, further virtual threads never ran.
public final class OutputThread {
    private OutputThread() {}

    /// Starts a thread. It does not prevent the end of the JVM.
    ///
    /// @param reader reads until the end of the output
    public static Thread start(String name, Runnable reader) {
        return Thread.ofPlatform().daemon().name(name).start(reader);
    }
}
