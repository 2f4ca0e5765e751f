package io.gpuvm.tests.realguest;

/// Learns what happens during a run, on the thread that runs it.
public interface RunListener {
    /// A guest reported something.
    void onEvent(String vm, GuestEvent event);

    /// A stage of the run itself, in words.
    void onProgress(String text);
}
