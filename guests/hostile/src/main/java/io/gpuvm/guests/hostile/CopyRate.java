package io.gpuvm.guests.hostile;

import io.gpuvm.guests.real.GuestEvent;
import io.gpuvm.guests.real.GuestEvent.Progress;
import io.gpuvm.guests.real.RunListener;
import java.util.ArrayList;
import java.util.List;

/// Copy rate of a guest, computed from the guest's periodic progress reports. Any thread.
final class CopyRate implements RunListener {
    /// Progress report and the time of its arrival.
    ///
    /// @param arrivalMs time of arrival, in milliseconds since 1970
    private record Report(long arrivalMs, Progress progress) {}

    private final RunListener next;
    private final List<Report> reports = new ArrayList<>();

    /// @param next listener that also receives all events
    CopyRate(RunListener next) {
        this.next = next;
    }

    @Override
    public void onEvent(String vm, GuestEvent event) {
        if (event instanceof Progress progress && progress.name().equals("copies")) {
            synchronized (reports) {
                reports.add(new Report(System.currentTimeMillis(), progress));
            }
        }
        next.onEvent(vm, event);
    }

    @Override
    public void onProgress(String text) {
        next.onProgress(text);
    }

    /// Returns copies per second by the guest's clock, between the first and the last report that
    /// arrived in an interval.
    ///
    /// @param fromMs milliseconds since 1970
    /// @return NaN if fewer than two reports arrived
    double between(long fromMs, long toMs) {
        Progress first = null;
        Progress last = null;
        synchronized (reports) {
            for (Report report : reports) {
                if (report.arrivalMs >= fromMs && report.arrivalMs <= toMs) {
                    first = first == null ? report.progress : first;
                    last = report.progress;
                }
            }
        }
        return first == null || first == last
                ? Double.NaN
                : (last.count() - first.count()) * 1e3 / (last.ms() - first.ms());
    }
}
