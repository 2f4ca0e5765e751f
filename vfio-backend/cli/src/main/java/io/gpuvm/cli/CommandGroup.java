package io.gpuvm.cli;

/// Group of subcommands for one task of users, in the order of the help text.
enum CommandGroup {
    RUN_GUESTS("Run guests"),
    RUN_PROGRAMS("Run programs"),
    SHARE_A_GPU("Share a GPU"),
    OBSERVE("Observe"),
    MEASURE("Measure"),
    DEVELOP("Develop");

    private final String title;

    CommandGroup(String title) {
        this.title = title;
    }

    String title() {
        return title;
    }
}
