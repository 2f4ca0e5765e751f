package io.gpuvm.top;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.counters.BackendSnapshot.State;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TopKeysTest {
    private static final String CONTROL = "/run/gpuvm/ctl";
    private static final char ENTER = TopKeys.ENTER;

    private List<TopBackend> frame = List.of(Frames.busy(State.SERVING), Frames.empty());
    private TopView view = TopView.of(TopSort.NAME, "");
    private final List<TopAction> actions = new ArrayList<>();
    private boolean quits;

    @Test
    void givenWeight_whenTypedAndConfirmed_thenItIsSet() {
        press("jjjw12" + ENTER);
        assertEquals("set the weight of web to 12? y/n ", view.prompt().question());
        assertEquals(List.of(), actions);
        press("y");
        assertEquals(List.of(new TopAction.SetWeight(CONTROL, "web", 12)), actions);
        assertNull(view.prompt());
    }

    @Test
    void givenCap_whenNotConfirmed_thenNothingIsChanged() {
        press("c50" + ENTER + "n");
        assertEquals(List.of(), actions);
        assertEquals("nothing was changed", view.message());
        press("c5\u007f60" + ENTER + "y");
        assertEquals(
                List.of(new TopAction.SetCap(CONTROL, "batch-of-a-very-long-name-0001", 60)),
                actions);
    }

    @Test
    void givenKill_whenConfirmed_thenCommandsOfSelectedVmAreStopped() {
        press("jKy");
        assertEquals(List.of(new TopAction.Kill(CONTROL, "desktop")), actions);
    }

    @Test
    void givenWrongNumbers_whenTyped_thenMessageNamesRange() {
        press("w0" + ENTER);
        assertEquals("weight=0, expected 1 to 10000", view.message());
        press("w10001" + ENTER);
        assertEquals("weight=10001, expected 1 to 10000", view.message());
        press("c101" + ENTER);
        assertEquals("cap=101, expected 1 to 100", view.message());
        press("cx" + ENTER);
        assertEquals("cap=x, expected 1 to 100", view.message());
        assertEquals(List.of(), actions);
    }

    @Test
    void givenEscape_whenPressed_thenPromptEnds() {
        press("w12\u001b");
        assertNull(view.prompt());
        assertEquals(List.of(), actions);
    }

    @Test
    void givenDeadBackend_whenChangeIsRequested_thenMessageSaysSo() {
        frame = List.of(Frames.busy(State.DEAD));
        press("w");
        assertNull(view.prompt());
        assertEquals("the backend with pid 4711 has ended", view.message());
    }

    @Test
    void givenNoVm_whenChangeIsRequested_thenMessageSaysSo() {
        frame = List.of(Frames.empty());
        press("jjK");
        assertEquals("no virtual machine is selected", view.message());
    }

    @Test
    void givenFilter_whenTyped_thenOnlyMatchingNamesRemainAndSelectionIsAmongThem() {
        press("jjj/des" + ENTER);
        assertEquals(List.of("desktop"), names());
        assertEquals("desktop", view.selection(frame).vm().name());
        press("/" + "\u007f\u007f\u007f" + ENTER);
        assertEquals(4, names().size());
    }

    @Test
    void givenOrderKeys_whenPressed_thenOrdersFollow() {
        press("s");
        assertEquals(TopSort.SHARE, view.sort());
        assertEquals("batch-of-a-very-long-name-0001", names().getFirst());
        press("r");
        assertEquals("unused", names().getFirst());
        press("s".repeat(TopSort.values().length));
        assertEquals(TopSort.SHARE, view.sort());
        assertFalse(view.isReversed());
    }

    @Test
    void givenSelection_whenMovedBeyondEnds_thenItStays() {
        press("kkk");
        assertEquals(0, view.selected());
        press("j".repeat(20));
        assertEquals(3, view.selected());
    }

    @Test
    void givenOtherKeys_whenPressed_thenPauseHelpAndQuitFollow() {
        press(" ?");
        assertTrue(view.isPaused() && view.showsHelp());
        press(" h");
        assertFalse(view.isPaused() || view.showsHelp());
        press("q");
        assertTrue(quits);
    }

    @Test
    void givenControlCharacters_whenTyped_thenAnswerDoesNotContainThem() {
        press("/a\u0001\u0007b");
        assertEquals("ab", view.prompt().answer());
    }

    private List<String> names() {
        return view.rows(frame.getFirst()).stream().map(TopVm::name).toList();
    }

    private void press(String keys) {
        for (char key : keys.toCharArray()) {
            TopKeys.Effect effect = TopKeys.press(view, frame, key);
            view = effect.view();
            quits |= effect.quits();
            if (effect.action() != null) {
                actions.add(effect.action());
            }
        }
    }
}
