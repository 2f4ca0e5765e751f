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

/// Writer of a recording: removes records from the rings of the producing threads and appends them
/// to a queue in a folder.
///
/// Starts no thread: one thread calls [#doWork()]. If a write to the folder fails, the recorder
/// logs the error and ends the recording; the backend continues.
public final class Recorder implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Recorder.class);

    /// Size of a ring, sufficient for the memory of one doorbell and a burst of records.
    private static final int RING_BYTES = 4 << 20;

    /// Maximum wait of a producer: much shorter than QEMU's timeout for a reply, and much longer
    /// than an append of a batch.
    private static final long WAIT_LIMIT_NS = TimeUnit.MILLISECONDS.toNanos(100);

    /// Maximum number of records of one track per turn, so that no virtual machine delays other
    /// virtual machines.
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

    /// Starts a recording.
    ///
    /// @param folder destination, empty; created if it does not exist
    /// @param recorded virtual machines, in the order of their numbers
    /// @throws RecordingException if the folder cannot hold a recording
    public static Recorder create(Path folder, RecordLevel level, List<RecordedVm> recorded) {
        try {
            Files.createDirectories(folder);
            return create(folder, level, recorded, QueueWriter.freeBytesOf(folder));
        } catch (IOException e) {
            throw new RecordingException("%s cannot hold a recording: %s".formatted(folder, e), e);
        }
    }

    /// Starts a recording in an existing folder.
    ///
    /// @param freeBytes free space of the folder's disk
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
        // The GPU's owner serves all guests, so it never waits for room.
        rings.add(new RecordRing(RING_BYTES, 0, System::nanoTime));
        for (int vm = 0; vm < recorded.size(); vm++) {
            rings.add(new RecordRing(RING_BYTES, WAIT_LIMIT_NS, System::nanoTime));
        }
        Recorder recorder = new Recorder(folder, writer, rings);
        recorder.begin(nowMs);
        return recorder;
    }

    /// Returns the track of one virtual machine's client.
    ///
    /// @param number number of the virtual machine, from 0
    public VmTrack vm(int number) {
        return vms.get(number);
    }

    /// Returns the track of commands.
    public OwnerTrack owner() {
        return owner;
    }

    /// Appends all available records.
    ///
    /// @return number of records
    public int doWork() {
        int work = 0;
        for (int track = 0; track < rings.size() && !failed; track++) {
            work += drain(track);
        }
        records += work;
        return work;
    }

    /// Stops recording and ends all waits of producers.
    public void stop() {
        failed = true;
        rings.forEach(RecordRing::stop);
    }

    /// Appends the remaining records and ends the recording. Called after all producers have ended.
    @Override
    public void close() {
        while (doWork() > 0) {
            // Until the rings are empty.
        }
        long lost = rings.stream().mapToLong(RecordRing::lost).sum();
        if (!failed) {
            end(lost);
        }
        rings.forEach(RecordRing::stop);
        if (lost > 0) {
            LOG.error("{}: lost {} of {} records", folder, lost, records + lost);
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

    /// Ends a recording after an error; producers no longer wait.
    private void fail(RecordingException reason) {
        stop();
        LOG.error("recording stopped, the backend continues: {}", reason.getMessage());
    }
}
