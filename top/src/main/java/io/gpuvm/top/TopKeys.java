package io.gpuvm.top;

import java.util.List;

/// Effects of keys. Pure functions.
final class TopKeys {
    /// Keys without a character of their own.
    static final int UP = -10;

    static final int DOWN = -11;
    static final int ESCAPE = 27;
    static final int ENTER = 13;
    static final int NEW_LINE = 10;
    static final int BACKSPACE = 127;
    static final int CONTROL_H = 8;

    private static final int FIRST_PRINTABLE = 32;
    private static final int LAST_PRINTABLE = 126;
    private static final int MOST_ANSWER = 32;
    private static final int MOST_WEIGHT = 10_000;
    private static final int WHOLE_PERCENT = 100;

    /// Effect of a key.
    ///
    /// @param view new view
    /// @param action change to execute; null for none
    /// @param quits whether the program ends
    record Effect(TopView view, TopAction action, boolean quits) {
        static Effect of(TopView view) {
            return new Effect(view, null, false);
        }
    }

    private TopKeys() {}

    /// Returns the effect of a key.
    static Effect press(TopView view, List<TopBackend> backends, int key) {
        if (view.prompt() != null) {
            return view.prompt().kind().isConfirmation()
                    ? confirm(view, key)
                    : type(view, backends, key);
        }
        TopView plain = view.withMessage("");
        int last = Math.max(0, view.count(backends) - 1);
        return switch (key) {
            case 'q', 'Q' -> new Effect(plain, null, true);
            case 'h', '?' -> Effect.of(plain.withHelp(!view.showsHelp()));
            case ESCAPE -> Effect.of(plain.withHelp(false));
            case 's' -> Effect.of(plain.withSort(view.sort().next(), false));
            case 'r' -> Effect.of(plain.withSort(view.sort(), !view.isReversed()));
            case ' ' -> Effect.of(plain.withPaused(!view.isPaused()));
            case UP, 'k' -> Effect.of(plain.withSelected(Math.max(0, view.selected() - 1)));
            case DOWN, 'j' -> Effect.of(plain.withSelected(Math.min(last, view.selected() + 1)));
            case '/' ->
                    Effect.of(
                            plain.withPrompt(
                                    new TopPrompt(
                                            TopPrompt.Kind.FILTER,
                                            null,
                                            null,
                                            "show names that contain: ",
                                            view.filter())));
            case 'w', 'c', 'K' -> Effect.of(ask(plain, view.selection(backends), key));
            default -> Effect.of(plain);
        };
    }

    private static TopView ask(TopView view, TopView.Selection selection, int key) {
        if (selection == null) {
            return view.withMessage("no virtual machine is selected");
        }
        TopBackend backend = selection.backend();
        TopVm vm = selection.vm();
        if (!backend.isAlive()) {
            return view.withMessage("the backend with pid %d has ended".formatted(backend.pid()));
        }
        if (backend.control() == null) {
            return view.withMessage(
                    "the backend with pid %d has no control socket".formatted(backend.pid()));
        }
        return view.withPrompt(
                switch (key) {
                    case 'w' ->
                            new TopPrompt(
                                    TopPrompt.Kind.WEIGHT,
                                    backend.control(),
                                    vm.name(),
                                    "weight of %s, 1 to %d (now %d): "
                                            .formatted(vm.name(), MOST_WEIGHT, vm.weight()),
                                    "");
                    case 'c' ->
                            new TopPrompt(
                                    TopPrompt.Kind.CAP,
                                    backend.control(),
                                    vm.name(),
                                    "cap of %s in percent, 1 to 100, 100 for none (now %d): "
                                            .formatted(vm.name(), vm.capPercent()),
                                    "");
                    default ->
                            new TopPrompt(
                                    TopPrompt.Kind.CONFIRM_KILL,
                                    backend.control(),
                                    vm.name(),
                                    "stop the running commands of %s, with their channels? y/n "
                                            .formatted(vm.name()),
                                    "");
                });
    }

    private static Effect type(TopView view, List<TopBackend> backends, int key) {
        TopPrompt prompt = view.prompt();
        String answer = prompt.answer();
        switch (key) {
            case ESCAPE -> {
                return Effect.of(view.withPrompt(null));
            }
            case ENTER, NEW_LINE -> {
                return Effect.of(accept(view, backends));
            }
            case BACKSPACE, CONTROL_H -> {
                String shorter = answer.substring(0, Math.max(0, answer.length() - 1));
                return Effect.of(view.withPrompt(prompt.withAnswer(shorter)));
            }
            default -> {
                boolean fits =
                        key >= FIRST_PRINTABLE
                                && key <= LAST_PRINTABLE
                                && answer.length() < MOST_ANSWER;
                return Effect.of(
                        fits ? view.withPrompt(prompt.withAnswer(answer + (char) key)) : view);
            }
        }
    }

    private static TopView accept(TopView view, List<TopBackend> backends) {
        TopPrompt prompt = view.prompt();
        if (prompt.kind() == TopPrompt.Kind.FILTER) {
            return view.withPrompt(null).withFilter(prompt.answer());
        }
        boolean isWeight = prompt.kind() == TopPrompt.Kind.WEIGHT;
        int most = isWeight ? MOST_WEIGHT : WHOLE_PERCENT;
        String what = isWeight ? "weight" : "cap";
        if (!prompt.answer().matches("[0-9]{1,5}")
                || Integer.parseInt(prompt.answer()) < 1
                || Integer.parseInt(prompt.answer()) > most) {
            return view.withPrompt(null)
                    .withMessage("%s=%s, expected 1 to %d".formatted(what, prompt.answer(), most));
        }
        return view.withPrompt(
                new TopPrompt(
                        isWeight ? TopPrompt.Kind.CONFIRM_WEIGHT : TopPrompt.Kind.CONFIRM_CAP,
                        prompt.backend(),
                        prompt.vm(),
                        "set the %s of %s to %s? y/n "
                                .formatted(what, prompt.vm(), prompt.answer()),
                        prompt.answer()));
    }

    private static Effect confirm(TopView view, int key) {
        TopPrompt prompt = view.prompt();
        TopView plain = view.withPrompt(null);
        if (key != 'y' && key != 'Y') {
            return Effect.of(plain.withMessage("nothing was changed"));
        }
        return new Effect(
                plain,
                switch (prompt.kind()) {
                    case CONFIRM_WEIGHT ->
                            new TopAction.SetWeight(
                                    prompt.backend(),
                                    prompt.vm(),
                                    Integer.parseInt(prompt.answer()));
                    case CONFIRM_CAP ->
                            new TopAction.SetCap(
                                    prompt.backend(),
                                    prompt.vm(),
                                    Integer.parseInt(prompt.answer()));
                    default -> new TopAction.Kill(prompt.backend(), prompt.vm());
                },
                false);
    }
}
