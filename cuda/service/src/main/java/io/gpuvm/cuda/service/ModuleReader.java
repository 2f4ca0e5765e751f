package io.gpuvm.cuda.service;

import io.gpuvm.gf100.cubin.Cubin;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.Consumer;

/// Reader of the modules of one virtual machine, whose sessions share it: copies, hashes and parses
/// images on another thread than the sessions', one image at a time. The next reading begins when
/// the session has taken the result of the last one, so that no more than one result is not counted
/// as memory of a session. If the readers of several virtual machines use the same thread, they use
/// it in turn. Any thread.
public final class ModuleReader {
    private final ModuleCache cache;
    private final Consumer<Runnable> executor;

    /// Readings that have not begun. Guards itself and [#isRunning].
    private final Queue<ModuleReading> waiting = new ArrayDeque<>();

    /// True while a reading is with the executor, or its result is not taken.
    private boolean isRunning;

    /// @param cache modules of the virtual machine
    /// @param executor runs readings
    public ModuleReader(ModuleCache cache, Consumer<Runnable> executor) {
        this.cache = cache;
        this.executor = executor;
    }

    /// Returns the module of a known image, or null.
    Cubin find(byte[] hash) {
        return cache.find(hash);
    }

    /// Begins to read a module.
    ///
    /// @param known module of the request's image; null if the image has to be read
    /// @param stackBytes bytes of a thread's stack
    /// @param onDone called when the reading is done, on its thread
    ModuleReading read(ModuleRequest request, Cubin known, int stackBytes, Runnable onDone) {
        ModuleReading reading =
                new ModuleReading(cache, request, known, stackBytes, onDone, this::proceed);
        synchronized (waiting) {
            waiting.add(reading);
            if (isRunning) {
                return reading;
            }
            isRunning = true;
        }
        executor.accept(this::runNext);
        return reading;
    }

    /// Runs work for a session on the thread of the readings.
    void run(Runnable work) {
        executor.accept(work);
    }

    private void runNext() {
        ModuleReading next;
        synchronized (waiting) {
            next = waiting.remove();
        }
        next.run();
    }

    /// Begins the next reading, if there is one.
    private void proceed() {
        synchronized (waiting) {
            isRunning = !waiting.isEmpty();
            if (!isRunning) {
                return;
            }
        }
        executor.accept(this::runNext);
    }
}
