package io.gpuvm.evaluation.report;

import io.gpuvm.evaluation.report.Figure.Panel;
import java.util.List;

/// Part of the page for a figure.
final class FigureSection {
    private final Figure figure;
    private final int number;
    private final Styles styles;

    /// @param number number of the figure, from 1
    /// @param styles styles of the page
    FigureSection(Figure figure, int number, Styles styles) {
        this.styles = styles;
        this.figure = figure;
        this.number = number;
    }

    String html() {
        StringBuilder html = new StringBuilder();
        html.append(
                "<section id=\"%s\" class=\"figure\" data-points=\"%d\">\n"
                        .formatted(figure.id(), figure.points()));
        html.append(Html.element("h2", number + ". " + figure.title())).append('\n');
        html.append("<div class=\"beside\"><figure>\n");
        if (figure.panels().isEmpty()) {
            html.append("<p class=\"absent\">Not measured: the data has no such results.</p>\n");
        } else {
            html.append(legend());
            html.append(panels(figure.mainPanels(), 0));
            if (!figure.detailPanels().isEmpty()) {
                html.append("<details><summary>Each workload</summary>\n")
                        .append(panels(figure.detailPanels(), figure.mainPanels().size()))
                        .append("</details>\n");
            }
        }
        html.append("<figcaption>").append(Html.text(figure.caption())).append("</figcaption>\n");
        html.append("</figure>\n<div class=\"remarks\">\n");
        html.append(remark("Published", figure.remarks().paper()));
        html.append(
                remark(
                        "Measured here",
                        figure.panels().isEmpty()
                                ? "No statement, because the data has no such results."
                                : figure.remarks().finding()));
        html.append(remark("Different here", figure.remarks().difference()));
        html.append("</div></div>\n");
        if (!figure.table().rows().isEmpty()) {
            html.append("<details><summary>Numbers of figure ")
                    .append(number)
                    .append("</summary>\n")
                    .append(
                            Html.table(
                                    "Numbers of figure " + number,
                                    figure.table().columns(),
                                    figure.table().rows()))
                    .append("</details>\n");
        }
        return html.append("</section>\n").toString();
    }

    private static String remark(String heading, String text) {
        return Html.element("h3", heading) + Html.element("p", text) + "\n";
    }

    private String legend() {
        StringBuilder html = new StringBuilder("<ul class=\"legend\">");
        int index = 0;
        for (Legend.Entry entry : figure.legend().entries()) {
            html.append("<li>")
                    .append(
                            Svg.decoration(
                                    figure.id() + "-l" + index++, styles, Legend.swatch(entry)))
                    .append(Html.text(entry.name()))
                    .append("</li>");
        }
        return html.append("</ul>\n").toString();
    }

    private String panels(List<Panel> panels, int first) {
        StringBuilder html = new StringBuilder("<div class=\"panels\">\n");
        int index = first;
        for (Panel panel : panels) {
            html.append(
                    "<div class=\"panel\" data-points=\"%d\">".formatted(panel.chart().points()));
            html.append(Html.element("h3", panel.title()));
            html.append(
                    Svg.described(
                            figure.id() + "-" + index++,
                            styles,
                            panel.chart(),
                            figure.title() + ": " + panel.title(),
                            "%s The table of numbers below the figure has the same content."
                                    .formatted(figure.caption())));
            html.append("</div>\n");
        }
        return html.append("</div>\n").toString();
    }
}
