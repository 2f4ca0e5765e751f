package io.gpuvm.guests.hostile.cuda;

import io.gpuvm.guests.real.OutputThread;
import io.gpuvm.guests.real.RunFolder;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/// Process of a CUDA program. Counts the lines of its output. Any thread.
final class CudaProgram {
    private static final int SHOWN_LINES = 5;

    /// Time after which a program that does not proceed counts as stalled: generous, because a part
    /// of the run may use all processors.
    private static final long LIMIT_NS = TimeUnit.SECONDS.toNanos(60);

    private final String name;
    private final Process process;
    private final Path errors;

    /// Number of lines. Guarded by this object's monitor, as the last line is.
    private long lines;

    private String last = "";
    private boolean ended;

    private CudaProgram(String name, Process process, Path errors) {
        this.name = name;
        this.process = process;
        this.errors = errors;
    }

    static CudaProgram of(String name, Process process, Path errors) {
        CudaProgram program = new CudaProgram(name, process, errors);
        OutputThread.start(name + "-output", program::listen);
        return program;
    }

    private void listen() {
        try (BufferedReader reader = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line; (line = reader.readLine()) != null; ) {
                said(line);
            }
        } catch (IOException _) {
            // The process was killed.
        } finally {
            synchronized (this) {
                ended = true;
                notifyAll();
            }
        }
    }

    private synchronized void said(String line) {
        lines++;
        last = line;
        notifyAll();
    }

    long pid() {
        return process.pid();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /// Returns the number of lines that the program has printed.
    synchronized long lines() {
        return lines;
    }

    /// Returns the last line that the program has printed; empty if there is none.
    synchronized String lastLine() {
        return last;
    }

    /// Waits for more lines.
    ///
    /// @param wanted number of all lines
    /// @return false if the program ends or stalls before
    synchronized boolean awaitLines(long wanted) throws InterruptedException {
        long startNs = System.nanoTime();
        while (lines < wanted && !ended) {
            long leftNs = LIMIT_NS - (System.nanoTime() - startNs);
            if (leftNs <= 0) {
                return false;
            }
            wait(Math.max(1, TimeUnit.NANOSECONDS.toMillis(leftNs)));
        }
        return lines >= wanted;
    }

    /// Waits for the end of the program and of its output.
    ///
    /// @return exit status; 128 plus the number of the signal that has ended it; -1 if it has not
    ///   ended in time
    int awaitEnd() throws InterruptedException {
        if (!process.waitFor(LIMIT_NS, TimeUnit.NANOSECONDS)) {
            return -1;
        }
        synchronized (this) {
            while (!ended) {
                wait();
            }
        }
        return process.exitValue();
    }

    /// Kills the program, and waits for its end.
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /// Returns the last lines of the program's errors.
    String complaint() {
        return name + ": " + String.join("; ", RunFolder.tail(errors, SHOWN_LINES));
    }
}
