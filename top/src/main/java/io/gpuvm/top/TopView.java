package io.gpuvm.top;

import java.util.ArrayList;
import java.util.List;

/// Choices of a user: order, filter, selection, and the state of the dialog.
///
/// @param isReversed whether the order of the virtual machines is reversed
/// @param filter part of the names of the shown virtual machines; empty for all
/// @param selected number of the selected virtual machine, over all backends
/// @param isPaused whether the frame stays
/// @param showsHelp whether the keys are shown
/// @param prompt question at the bottom; null if there is none
/// @param message result of the last action; empty for none
public record TopView(
        TopSort sort,
        boolean isReversed,
        String filter,
        int selected,
        boolean isPaused,
        boolean showsHelp,
        TopPrompt prompt,
        String message) {
    /// Returns the view at the start.
    public static TopView of(TopSort sort, String filter) {
        return new TopView(sort, false, filter, 0, false, false, null, "");
    }

    TopView withSort(TopSort newSort, boolean reversed) {
        return new TopView(
                newSort, reversed, filter, selected, isPaused, showsHelp, prompt, message);
    }

    TopView withFilter(String newFilter) {
        return new TopView(sort, isReversed, newFilter, 0, isPaused, showsHelp, prompt, message);
    }

    TopView withSelected(int newSelected) {
        return new TopView(
                sort, isReversed, filter, newSelected, isPaused, showsHelp, prompt, message);
    }

    TopView withPaused(boolean paused) {
        return new TopView(sort, isReversed, filter, selected, paused, showsHelp, prompt, message);
    }

    TopView withHelp(boolean help) {
        return new TopView(sort, isReversed, filter, selected, isPaused, help, prompt, message);
    }

    TopView withPrompt(TopPrompt newPrompt) {
        return new TopView(sort, isReversed, filter, selected, isPaused, showsHelp, newPrompt, "");
    }

    TopView withMessage(String newMessage) {
        return new TopView(
                sort, isReversed, filter, selected, isPaused, showsHelp, prompt, newMessage);
    }

    /// Returns the shown virtual machines of a backend, in their order.
    List<TopVm> rows(TopBackend backend) {
        List<TopVm> rows = new ArrayList<>();
        backend.vms().stream().filter(vm -> vm.name().contains(filter)).forEach(rows::add);
        rows.sort(isReversed ? sort.order().reversed() : sort.order());
        return rows;
    }

    /// Returns the selected virtual machine; null if none is shown.
    Selection selection(List<TopBackend> backends) {
        int left = selected;
        for (TopBackend backend : backends) {
            List<TopVm> rows = rows(backend);
            if (left < rows.size()) {
                return new Selection(backend, rows.get(left));
            }
            left -= rows.size();
        }
        return null;
    }

    /// Returns the number of shown virtual machines.
    int count(List<TopBackend> backends) {
        return backends.stream().mapToInt(backend -> rows(backend).size()).sum();
    }

    /// Virtual machine and its backend.
    record Selection(TopBackend backend, TopVm vm) {}
}
