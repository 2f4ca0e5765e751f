package io.gpuvm.port;

import io.gpuvm.gf100.device.SharedWindow;
import java.util.ArrayList;
import java.util.List;

/// Open windows of one guest, in the order in which they were opened. Confined to the thread that
/// owns the GPU.
public final class OpenWindows {
    private final List<SharedWindow> windows = new ArrayList<>();

    /// Adds a window that shows nothing.
    public void add(SharedWindow window) {
        windows.add(window);
    }

    /// Returns the number of open windows.
    public int count() {
        return windows.size();
    }

    /// Applies the current entries of the windows.
    ///
    /// @return number of pages copied
    public int flush() {
        int pages = 0;
        for (SharedWindow window : windows) {
            pages += window.flush();
        }
        return pages;
    }

    /// Clears the windows, which remain open.
    public void clear() {
        windows.forEach(SharedWindow::clear);
    }

    /// Closes the windows, and discards the VRAM content that they show. The process that mapped
    /// them has exited, so no page needs to be copied while other guests wait.
    public void close() {
        clear();
        windows.forEach(SharedWindow::close);
        windows.clear();
    }
}
