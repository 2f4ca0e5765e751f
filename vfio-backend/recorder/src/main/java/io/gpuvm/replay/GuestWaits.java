package io.gpuvm.replay;

import io.gpuvm.record.RecordView;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;

/// Waits of a recorded guest. A recording contains reads but not waits, so the meaning of a read is
/// inferred from the reads around it.
///
/// A guest that waits reads one register repeatedly until its value changes, with only reads of the
/// clock in between. A guest may also find a result in its first read: in memory, among the pending
/// interrupts, or in the register of a preemption that it has requested. A guest reuses the memory
/// of a channel after its preemption, so a replay that does not wait could send the new contents of
/// the memory before the GPU saves the channel's state there. Confined to one thread.
final class GuestWaits {
    /// Meaning of a read.
    enum Meaning {
        /// Read whose value is not attributed to the GPU's work.
        LOOK,
        /// Read during a wait that did not end the wait, or read of the clock during the wait.
        WAIT,
        /// Read whose value ended a wait.
        END,
        /// Read of a result that only the GPU's work can produce: an interrupt, or memory that has
        /// changed since its last read.
        NEWS
    }

    private final BitSet waits = new BitSet();
    private final BitSet ends = new BitSet();
    private final BitSet news = new BitSet();

    /// Last value read from memory, by region and offset.
    private final Map<Long, Long> seen = new HashMap<>();

    private int reads;
    private boolean waiting;
    private long place;
    private int width;
    private int firstRead;
    private int lastRead;
    private long firstAnswer;
    private long lastAnswer;
    private boolean lastIsNews;
    private boolean lastIsPreempted;
    private boolean preempting;

    /// Called for a read. Reads are numbered from 0.
    void onRead(RecordView read) {
        int number = reads++;
        if (GuestReads.isTimer(read)) {
            return;
        }
        if (read.dataBytes() > Long.BYTES || !GuestReads.isRepeatable(read)) {
            onOther();
            return;
        }
        long answer = GuestReads.stable(read, read.value());
        if (!waiting || place != placeOf(read) || width != read.dataBytes()) {
            onOther();
            waiting = true;
            place = placeOf(read);
            width = read.dataBytes();
            firstRead = number;
            firstAnswer = answer;
        }
        lastRead = number;
        lastAnswer = answer;
        lastIsNews = isNews(read, answer);
        lastIsPreempted = preempting && GuestReads.isCompletedPreemption(read);
    }

    /// Called for a write.
    void onWrite(RecordView write) {
        onOther();
        preempting |= GuestReads.isPreemption(write);
    }

    /// Called for any other message, and at the end.
    void onOther() {
        if (waiting && (lastAnswer != firstAnswer || lastIsPreempted)) {
            ends.set(lastRead);
            waits.set(firstRead, lastRead);
            preempting &= !lastIsPreempted;
        } else if (waiting && lastIsNews) {
            news.set(lastRead);
        }
        waiting = false;
    }

    /// Returns the meaning of a read. Called after all records have been passed to this object.
    Meaning of(int read) {
        if (ends.get(read)) {
            return Meaning.END;
        }
        if (waits.get(read)) {
            return Meaning.WAIT;
        }
        return news.get(read) ? Meaning.NEWS : Meaning.LOOK;
    }

    /// Returns the region and offset of a read, in one number.
    static long placeOf(RecordView read) {
        return (long) read.region() << Integer.SIZE | read.offset();
    }

    private boolean isNews(RecordView read, long answer) {
        if (GuestReads.isInterrupt(read)) {
            return answer != 0;
        }
        if (!GuestReads.isOfMemory(read)) {
            return false;
        }
        Long before = seen.put(placeOf(read), answer);
        return before == null ? answer != 0 : before != answer;
    }
}
