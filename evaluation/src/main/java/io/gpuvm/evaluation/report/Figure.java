package io.gpuvm.evaluation.report;

import java.util.List;

/// Figure of the report with the text beside it.
///
/// @param id name of its files and identifiers
/// @param title title
/// @param caption description of the quantities and of their calculation
/// @param legend legend of all panels
/// @param panels panels; empty if the data lacks the section
/// @param table the figure's numbers
/// @param remarks text beside the figure
record Figure(
        String id,
        String title,
        String caption,
        Legend legend,
        List<Panel> panels,
        DataTable table,
        Remarks remarks) {
    /// Part of a figure with its own axes.
    ///
    /// @param isDetail whether the page shows the panel only on demand
    record Panel(String title, Chart chart, boolean isDetail) {
        Panel(String title, Chart chart) {
            this(title, chart, false);
        }
    }

    /// Numbers of a figure.
    record DataTable(List<String> columns, List<List<String>> rows) {}

    /// Text beside a figure.
    ///
    /// @param paper statement of the paper or of an earlier study
    /// @param finding statement of the figure, computed from the data; empty if there is no data
    /// @param difference difference between this measurement and the paper's
    record Remarks(String paper, String finding, String difference) {}

    /// Returns the number of points in all panels.
    int points() {
        return panels.stream().mapToInt(panel -> panel.chart().points()).sum();
    }

    List<Panel> mainPanels() {
        return panels.stream().filter(panel -> !panel.isDetail()).toList();
    }

    List<Panel> detailPanels() {
        return panels.stream().filter(Panel::isDetail).toList();
    }
}
