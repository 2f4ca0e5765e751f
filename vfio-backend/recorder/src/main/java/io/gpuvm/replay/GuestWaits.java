package io.gpuvm.replay;

import io.gpuvm.record.RecordView;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;

/// Waits of a recorded guest. A recording contains reads but not waits, so the meaning of a read is
/// inferred from the reads around it.
///
/// A guest that waits reads one register repeatedly until its value changes, with only reads of the
/// clock in between. A guest may also find a result in its first read: in memory, or among the
/// pending interrupts. Confined to one thread.
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
    }

    /// Called for any other message, and at the end.
    void onOther() {
        if (waiting && lastAnswer != firstAnswer) {
            ends.set(lastRead);
            waits.set(firstRead, lastRead);
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
