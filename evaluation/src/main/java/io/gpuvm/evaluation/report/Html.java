package io.gpuvm.evaluation.report;

import java.util.List;

/// HTML fragments.
final class Html {
    private Html() {}

    /// Returns a text with escaped markup.
    static String text(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }

    /// Returns an element with a text.
    static String element(String name, String text) {
        return "<%s>%s</%s>".formatted(name, text(text), name);
    }

    /// Returns a table that scrolls inside the page, with the pointer or the keyboard.
    static String table(String label, List<String> columns, List<List<String>> rows) {
        StringBuilder html = new StringBuilder();
        html.append("<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"")
                .append(text(label))
                .append("\"><table><thead><tr>");
        columns.forEach(
                each -> html.append("<th scope=\"col\">").append(text(each)).append("</th>"));
        html.append("</tr></thead><tbody>\n");
        for (List<String> row : rows) {
            html.append("<tr>");
            row.forEach(cell -> html.append(element("td", cell)));
            html.append("</tr>\n");
        }
        return html.append("</tbody></table></div>\n").toString();
    }
}
