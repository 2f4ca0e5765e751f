package io.gpuvm.replay;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gpuvm.gf100.reg.Pcopy;
import io.gpuvm.gf100.reg.Pfifo;
import io.gpuvm.gf100.reg.Pmc;
import io.gpuvm.gf100.reg.Ptimer;
import io.gpuvm.record.RecordCursor;
import io.gpuvm.record.RecordKind;
import io.gpuvm.record.RecordLevel;
import io.gpuvm.record.RecordView;
import io.gpuvm.record.RecordedVm;
import io.gpuvm.record.Recorder;
import io.gpuvm.record.Recording;
import io.gpuvm.record.VmTrack;
import io.gpuvm.replay.GuestWaits.Meaning;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class GuestWaitsTest {
    private static final int BAR0 = 0;
    private static final int BAR1 = 1;
    private static final int CONFIG = 7;
    private static final int STATUS = Pfifo.SCHED_STATUS.offset();
    private static final int PREEMPT = Pfifo.PREEMPT.offset();
    private static final int TIME = Ptimer.TIME_LOW.offset();

    @TempDir Path folder;

    /// Read with its value, or write if the value is null.
    private record Access(int region, int offset, Integer answer) {}

    @Test
    void givenRegisterReadUntilChange_whenClassified_thenLastReadEndsWait() {
        assertEquals(
                List.of(Meaning.WAIT, Meaning.WAIT, Meaning.WAIT, Meaning.WAIT, Meaning.END),
                judge(
                        read(STATUS, 1),
                        read(TIME, 7),
                        read(STATUS, 1),
                        read(TIME, 8),
                        read(STATUS, 0)));
    }

    @Test
    void givenRegisterWithoutChange_whenClassified_thenNoWaitIsInferred() {
        assertEquals(List.of(Meaning.LOOK, Meaning.LOOK), judge(read(STATUS, 1), read(STATUS, 1)));
    }

    @Test
    void givenWriteBetweenReads_whenValueChanges_thenNoWaitIsInferred() {
        assertEquals(
                List.of(Meaning.LOOK, Meaning.LOOK),
                judge(read(STATUS, 1), new Access(BAR0, STATUS, null), read(STATUS, 0)));
    }

    @Test
    void givenPortsAndConfiguration_whenValuesChange_thenNoWaitIsInferred() {
        int port = Pcopy.FALCON_0.data().offset();
        assertEquals(
                List.of(Meaning.LOOK, Meaning.LOOK, Meaning.LOOK, Meaning.LOOK),
                judge(
                        read(port, 1),
                        read(port, 2),
                        new Access(CONFIG, 4, 0),
                        new Access(CONFIG, 4, 1)));
    }

    @Test
    void givenPendingInterrupts_whenClassified_thenInterruptsExceptTimerAreNews() {
        int interrupts = Pmc.INTR_HOST.offset();
        assertEquals(
                List.of(Meaning.NEWS, Meaning.LOOK, Meaning.LOOK),
                judge(
                        read(interrupts, Pmc.INTR_PFIFO.mask()),
                        read(STATUS, 0),
                        read(interrupts, Pmc.INTR_PTIMER.mask())));
    }

    @Test
    void givenMemory_whenChanged_thenReadIsNews() {
        assertEquals(
                List.of(Meaning.LOOK, Meaning.LOOK, Meaning.NEWS, Meaning.LOOK, Meaning.LOOK),
                judge(
                        new Access(BAR1, 0, 0),
                        read(STATUS, 0),
                        new Access(BAR1, 0, 5),
                        read(STATUS, 0),
                        new Access(BAR1, 0, 5)));
    }

    @Test
    void givenPreemption_whenFirstReadShowsCompletion_thenReadEndsWait() {
        assertEquals(
                List.of(Meaning.END), judge(new Access(BAR0, PREEMPT, null), read(PREEMPT, 3)));
    }

    @Test
    void givenPreemption_whenGuestGivesUp_thenNoWaitIsInferred() {
        int busy = Pfifo.PREEMPT_BUSY.mask();
        assertEquals(
                List.of(Meaning.LOOK, Meaning.LOOK),
                judge(
                        new Access(BAR0, PREEMPT, null),
                        read(PREEMPT, busy | 3),
                        read(PREEMPT, busy | 3)));
    }

    @Test
    void givenNoPreemption_whenRegisterIsRead_thenNoWaitIsInferred() {
        assertEquals(List.of(Meaning.LOOK, Meaning.LOOK), judge(read(PREEMPT, 0), read(STATUS, 0)));
    }

    private static Access read(int offset, int answer) {
        return new Access(BAR0, offset, answer);
    }

    private List<Meaning> judge(Access... accesses) {
        RecordedVm vm = new RecordedVm("vm0", "fv", "none", 64 << 20);
        try (Recorder recorder = Recorder.create(folder, RecordLevel.MESSAGES, List.of(vm))) {
            for (Access access : accesses) {
                record(recorder.vm(0), access);
            }
        }
        GuestWaits waits = new GuestWaits();
        int reads = 0;
        try (Recording recording = Recording.open(folder);
                RecordCursor cursor = recording.cursor()) {
            for (RecordView record; (record = cursor.next()) != null; ) {
                if (record.kind() == RecordKind.READ) {
                    waits.onRead(record);
                    reads++;
                } else if (record.kind() == RecordKind.WRITE) {
                    waits.onWrite(record);
                }
            }
        }
        waits.onOther();
        List<Meaning> meanings = new ArrayList<>();
        for (int read = 0; read < reads; read++) {
            meanings.add(waits.of(read));
        }
        return meanings;
    }

    private static void record(VmTrack track, Access access) {
        if (access.answer() == null) {
            MemorySegment data = MemorySegment.ofArray(new int[] {0});
            track.onWrite(access.region(), access.offset(), Integer.BYTES, true, data, 0);
        } else {
            MemorySegment data = MemorySegment.ofArray(new int[] {access.answer()});
            track.onRead(access.region(), access.offset(), Integer.BYTES, data, 0);
        }
    }
}
