package io.gpuvm.evaluation.report;

import de.erichseifert.vectorgraphics2d.VectorGraphics2D;
import de.erichseifert.vectorgraphics2d.svg.SVGProcessor;
import de.erichseifert.vectorgraphics2d.util.PageSize;
import java.awt.Color;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import javax.xml.transform.OutputKeys;
import javax.xml.transform.Transformer;
import javax.xml.transform.TransformerException;
import javax.xml.transform.TransformerFactory;
import javax.xml.transform.dom.DOMSource;
import javax.xml.transform.stream.StreamResult;
import org.w3c.dom.Attr;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NamedNodeMap;
import org.w3c.dom.Node;
import org.xml.sax.SAXException;

/// Conversion of drawings to SVG elements inside a page. Colours become CSS variables, which the
/// page defines for both themes; a shape that represents data has its description as title;
/// identifiers are unique in the page.
final class Svg {
    private static final String NO_EXTERNAL_DTD =
            "http://apache.org/xml/features/nonvalidating/load-external-dtd";
    private static final String NAMESPACE = "http://www.w3.org/2000/svg";
    private static final Pattern COLOR = Pattern.compile("rgba?\\((\\d+),(\\d+),(\\d+)[^)]*\\)");
    private static final Pattern FONT_FAMILY = Pattern.compile("font-family:[^;]*;");
    private static final Pattern FRACTION = Pattern.compile("-?\\d+\\.\\d+(?:[eE]-?\\d+)?");
    private static final Pattern REFERENCE = Pattern.compile("url\\(#([^)]*)\\)");
    private static final List<String> DROPPED = List.of("width", "height", "version", "x", "y");
    private static final int DECIMALS = 1;

    private final String id;
    private final Inks.Keys keys = new Inks.Keys();
    private final Map<String, String> ids = new HashMap<>();
    private final Map<Inks.Keys.Use, Element> marks = new LinkedHashMap<>();
    private final Styles styles;

    private Svg(String id, Styles styles) {
        this.id = id;
        this.styles = styles;
    }

    /// Returns an SVG element with a title and a description for screen readers.
    ///
    /// @param id prefix of its identifiers, unique in the page
    /// @param styles styles of the page
    static String described(
            String id, Styles styles, Drawing drawing, String title, String description) {
        Svg svg = new Svg(id, styles);
        Element root = svg.convert(drawing);
        root.setAttribute("role", "img");
        root.setAttribute("aria-labelledby", id + "-title " + id + "-desc");
        Element first = svg.text(root, "title", title);
        first.setAttribute("id", id + "-title");
        Element second = svg.text(root, "desc", description);
        second.setAttribute("id", id + "-desc");
        root.insertBefore(second, root.getFirstChild());
        root.insertBefore(first, second);
        return serialize(root);
    }

    /// Returns an SVG element that is hidden from screen readers, because it repeats the text
    /// beside it.
    ///
    /// @param id prefix of its identifiers, unique in the page
    /// @param styles styles of the page
    static String decoration(String id, Styles styles, Drawing drawing) {
        Element root = new Svg(id, styles).convert(drawing);
        root.setAttribute("aria-hidden", "true");
        root.setAttribute("width", String.valueOf(drawing.width()));
        root.setAttribute("height", String.valueOf(drawing.height()));
        return serialize(root);
    }

    private Element convert(Drawing drawing) {
        VectorGraphics2D graphics = new VectorGraphics2D();
        drawing.draw(graphics, keys);
        Element root = parse(graphics, drawing.width(), drawing.height()).getDocumentElement();
        DROPPED.forEach(root::removeAttribute);
        root.removeAttribute("xmlns:xlink");
        rewrite(root);
        marks.forEach((use, mark) -> {
            mark.setAttribute(
                    use.ink() == Ink.GAP || use.ink() == Ink.ABSENT ? "data-gap" : "data-point",
                    "");
            text(mark, "title", use.point());
        });
        return root;
    }

    private static Document parse(VectorGraphics2D graphics, int width, int height) {
        try {
            ByteArrayOutputStream text = new ByteArrayOutputStream();
            new SVGProcessor()
                    .getDocument(graphics.getCommands(), new PageSize(width, height))
                    .writeTo(text);
            DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
            factory.setFeature(NO_EXTERNAL_DTD, false);
            factory.setNamespaceAware(true);
            return factory.newDocumentBuilder().parse(new ByteArrayInputStream(text.toByteArray()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (SAXException | ParserConfigurationException e) {
            throw new IllegalStateException("the drawing is not valid XML", e);
        }
    }

    private void rewrite(Element element) {
        NamedNodeMap attributes = element.getAttributes();
        List<Attr> all = new ArrayList<>();
        for (int i = 0; i < attributes.getLength(); i++) {
            all.add((Attr) attributes.item(i));
        }
        for (Attr each : all) {
            switch (each.getName()) {
                case "id" -> each.setValue(unique(each.getValue()));
                case "clip-path" ->
                        each.setValue(
                                REFERENCE
                                        .matcher(each.getValue())
                                        .replaceAll(
                                                found -> "url(#" + unique(found.group(1)) + ")"));
                case "style" -> applyStyle(element, each.getValue());
                case "viewBox" -> {}
                default ->
                        each.setValue(FRACTION.matcher(each.getValue()).replaceAll(Svg::rounded));
            }
        }
        List<Node> children = new ArrayList<>();
        for (Node child = element.getFirstChild(); child != null; child = child.getNextSibling()) {
            children.add(child);
        }
        for (Node child : children) {
            if (child instanceof Element inner) {
                if (isEmpty(inner)) {
                    element.removeChild(inner);
                } else {
                    rewrite(inner);
                }
            } else if (child.getTextContent().isBlank()) {
                element.removeChild(child);
            }
        }
    }

    /// Sets the class of a shape. The last shape of a point is the mark, which follows the lines.
    private void applyStyle(Element element, String style) {
        Inks.Keys.Use use = use(style);
        if (use != null && use.point() != null) {
            marks.put(use, element);
        }
        element.removeAttribute("style");
        element.setAttribute("class", styles.classOf(style(style)));
    }

    private static boolean isEmpty(Element element) {
        return element.getTagName().equals("line")
                && element.getAttribute("x1").equals(element.getAttribute("x2"))
                && element.getAttribute("y1").equals(element.getAttribute("y2"));
    }

    private String unique(String name) {
        return ids.computeIfAbsent(name, unused -> id + "-" + ids.size());
    }

    private Inks.Keys.Use use(String style) {
        return COLOR.matcher(style)
                .results()
                .map(found -> keys.use(color(found)))
                .findFirst()
                .orElse(null);
    }

    private String style(String style) {
        String colored =
                COLOR.matcher(style)
                        .replaceAll(
                                found -> "var(" + keys.use(color(found)).ink().variable() + ")");
        return FONT_FAMILY.matcher(colored).replaceAll("");
    }

    private static Color color(MatchResult found) {
        return new Color(
                Integer.parseInt(found.group(1)),
                Integer.parseInt(found.group(2)),
                Integer.parseInt(found.group(3)));
    }

    private static String rounded(MatchResult found) {
        return new BigDecimal(found.group())
                .setScale(DECIMALS, RoundingMode.HALF_UP)
                .stripTrailingZeros()
                .toPlainString();
    }

    private Element text(Element parent, String name, String content) {
        Element child = parent.getOwnerDocument().createElementNS(NAMESPACE, name);
        child.setTextContent(content);
        parent.appendChild(child);
        return child;
    }

    private static String serialize(Element root) {
        try {
            Transformer transformer = TransformerFactory.newInstance().newTransformer();
            transformer.setOutputProperty(OutputKeys.OMIT_XML_DECLARATION, "yes");
            StringWriter text = new StringWriter();
            transformer.transform(new DOMSource(root), new StreamResult(text));
            return text.toString();
        } catch (TransformerException e) {
            throw new IllegalStateException(e);
        }
    }
}
