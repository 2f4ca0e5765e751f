package io.gpuvm.replay;

import io.gpuvm.record.RecordView;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;

/// What a recorded guest waited for. It could not be seen to wait, only to read: what its reads
/// meant is told from what came before and after them.
///
/// A guest that waits reads one register again and again, looking at nothing but the clock in
/// between, until the answer changes. It may also find at once what it would have waited for, and
/// it acts on interrupts. Confined to one thread.
final class GuestWaits {
    /// What a read meant.
    enum Meaning {
        /// Nothing that the GPU's work would change.
        LOOK,
        /// The guest waited, and had to go on waiting; or looked at the clock meanwhile.
        WAIT,
        /// The guest had waited for this answer.
        END,
        /// The answer was news that only the GPU's work can bring: an interrupt, or other memory
        /// than at the last look.
        NEWS
    }

    private final BitSet waits = new BitSet();
    private final BitSet ends = new BitSet();
    private final BitSet news = new BitSet();

    /// By place: what memory was seen to hold.
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

    /// The guest has read. Reads are numbered from 0.
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

    /// The guest has done something else, or nothing any more.
    void onOther() {
        if (waiting && lastAnswer != firstAnswer) {
            ends.set(lastRead);
            waits.set(firstRead, lastRead);
        } else if (waiting && lastIsNews) {
            news.set(lastRead);
        }
        waiting = false;
    }

    /// What a read meant, once everything is known.
    Meaning of(int read) {
        if (ends.get(read)) {
            return Meaning.END;
        }
        if (waits.get(read)) {
            return Meaning.WAIT;
        }
        return news.get(read) ? Meaning.NEWS : Meaning.LOOK;
    }

    /// Where a read looks.
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
