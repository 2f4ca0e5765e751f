package io.gpuvm.counters;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/// Process that creates a counters file, and serves until it is killed.
final class CountersProcess {
    private static final int NO_GROUP = -1;
    private static final int PV = 2;

    private CountersProcess() {}

    public static void main(String[] args) throws InterruptedException {
        CountersFile file;
        try {
            file = CountersFile.create(Path.of(args[1]), NO_GROUP, 4, "soft");
        } catch (CountersException e) {
            System.out.println(e.getMessage());
            System.exit(1);
            return;
        }
        file.attach("a", 0, PV).cells(CounterType.SUBMITTED).set(41);
        System.out.println("ready");
        TimeUnit.MINUTES.sleep(1);
    }
}
