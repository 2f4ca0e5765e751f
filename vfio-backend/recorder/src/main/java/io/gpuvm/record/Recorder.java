package io.gpuvm.record;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Makes one recording: takes records from the threads that make them and appends them to a queue
/// in a folder.
///
/// Starts no thread: one thread calls [#doWork()]. When the folder takes no more, that is said, the
/// recording ends, and everything else goes on.
public final class Recorder implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Recorder.class);

    /// Room for a doorbell's worth of memory, and for a burst.
    private static final int RING_BYTES = 4 << 20;

    /// Far less than QEMU waits for an answer, and much more than a batch takes to append.
    private static final long WAIT_LIMIT_NS = TimeUnit.MILLISECONDS.toNanos(100);

    /// One turn takes no more from one track, so that no virtual machine keeps the others waiting.
    private static final int TURN_RECORDS = 4096;

    private final Path folder;
    private final QueueWriter writer;
    private final List<RecordRing> rings;
    private final RecordBatch batch;
    private final List<VmTrack> vms = new ArrayList<>();
    private final OwnerTrack owner;
    private long records;
    private boolean failed;

    private Recorder(Path folder, QueueWriter writer, List<RecordRing> rings) {
        this.folder = folder;
        this.writer = writer;
        this.rings = rings;
        batch = new RecordBatch(writer);
        owner = new OwnerTrack(rings.getFirst());
        rings.stream().skip(1).map(VmTrack::new).forEach(vms::add);
    }

    /// Begins a recording.
    ///
    /// @param folder where; made if it is not there, and must be empty
    /// @param recorded the virtual machines, in the order of their numbers
    /// @throws RecordingException if nothing can be recorded there
    public static Recorder create(Path folder, RecordLevel level, List<RecordedVm> recorded) {
        try {
            Files.createDirectories(folder);
            return create(folder, level, recorded, QueueWriter.freeBytesOf(folder));
        } catch (IOException e) {
            throw new RecordingException("%s cannot hold a recording: %s".formatted(folder, e), e);
        }
    }

    /// The same in a folder that is there.
    ///
    /// @param freeBytes how much room its disk has
    static Recorder create(
            Path folder, RecordLevel level, List<RecordedVm> recorded, LongSupplier freeBytes)
            throws IOException {
        try (Stream<Path> entries = Files.list(folder)) {
            if (entries.findAny().isPresent()) {
                throw new RecordingException("%s is not empty".formatted(folder));
            }
        }
        long nowMs = System.currentTimeMillis();
        new RecordingHeader(RecordingHeader.FORMAT, RecordLayout.VERSION, level, nowMs, recorded)
                .write(folder);
        QueueWriter writer = QueueWriter.open(folder, freeBytes);
        List<RecordRing> rings = new ArrayList<>();
        // The GPU's owner serves everybody, and so waits for nobody.
        rings.add(new RecordRing(RING_BYTES, 0, System::nanoTime));
        for (int vm = 0; vm < recorded.size(); vm++) {
            rings.add(new RecordRing(RING_BYTES, WAIT_LIMIT_NS, System::nanoTime));
        }
        Recorder recorder = new Recorder(folder, writer, rings);
        recorder.begin(nowMs);
        return recorder;
    }

    /// Where one virtual machine's client is recorded.
    ///
    /// @param number from 0
    public VmTrack vm(int number) {
        return vms.get(number);
    }

    /// Where commands are recorded.
    public OwnerTrack owner() {
        return owner;
    }

    /// Takes what there is and appends it.
    ///
    /// @return how many records that was
    public int doWork() {
        int work = 0;
        for (int track = 0; track < rings.size() && !failed; track++) {
            work += drain(track);
        }
        records += work;
        return work;
    }

    /// Records nothing any more, and keeps nobody waiting.
    public void stop() {
        failed = true;
        rings.forEach(RecordRing::stop);
    }

    /// Appends what is left and ends the recording. After those who make records have ended.
    @Override
    public void close() {
        while (doWork() > 0) {
            // until nothing is left
        }
        long lost = rings.stream().mapToLong(RecordRing::lost).sum();
        if (!failed) {
            end(lost);
        }
        rings.forEach(RecordRing::stop);
        if (lost > 0) {
            LOG.error("{}: records lost={}, of {}", folder, lost, records + lost);
        }
        writer.close();
        rings.forEach(RecordRing::close);
    }

    private int drain(int track) {
        try {
            batch.begin(track);
            int taken = rings.get(track).drain(batch, TURN_RECORDS);
            batch.flush();
            return taken;
        } catch (RecordingException e) {
            fail(e);
            return 0;
        }
    }

    private void begin(long nowMs) {
        RecordRing ring = rings.getFirst();
        long at = ring.claim(RecordKind.BEGIN, 0, 0, RecordLayout.BEGIN_BYTES);
        ring.memory().set(RecordLayout.U64, at + RecordLayout.BODY, nowMs);
        ring.commit(at);
        doWork();
        if (failed) {
            close();
            throw new RecordingException("%s cannot hold a recording".formatted(folder));
        }
    }

    private void end(long lost) {
        RecordRing ring = rings.getFirst();
        long at = ring.claim(RecordKind.END, 0, 0, RecordLayout.END_BYTES);
        ring.memory().set(RecordLayout.U64, at + RecordLayout.BODY, records);
        ring.memory().set(RecordLayout.U64, at + RecordLayout.END_LOST, lost);
        ring.commit(at);
        drain(0);
    }

    /// Nobody is kept waiting by a recording that cannot go on.
    private void fail(RecordingException reason) {
        stop();
        LOG.error("the recording ends here, everything else goes on: {}", reason.getMessage());
    }
}
