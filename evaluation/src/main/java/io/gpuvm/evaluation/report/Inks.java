package io.gpuvm.evaluation.report;

import java.awt.Color;
import java.util.HashMap;
import java.util.Map;

/// Colours with which a chart is drawn.
interface Inks {
    /// Colours of the light theme, for images.
    Inks LIGHT =
            new Inks() {
                @Override
                public Color of(Ink ink) {
                    return ink.light();
                }

                @Override
                public Color of(Ink ink, String point) {
                    return ink.light();
                }
            };

    /// Returns the colour of an ink.
    Color of(Ink ink);

    /// Returns the colour of a point of the data.
    ///
    /// @param point series and values of the point in words, unique in its chart
    Color of(Ink ink, String point);

    /// Unique colours, each of which stands for an ink or a point until the drawing is complete. A
    /// drawing consists of shapes with colours; these colours are the only trace of a shape's
    /// purpose. Not thread-safe.
    final class Keys implements Inks {
        private final Map<Use, Color> colors = new HashMap<>();
        private final Map<Color, Use> uses = new HashMap<>();

        /// Purpose of a colour.
        ///
        /// @param point point of the data; null if the colour stands for an ink alone
        record Use(Ink ink, String point) {}

        @Override
        public Color of(Ink ink) {
            return of(ink, null);
        }

        @Override
        public Color of(Ink ink, String point) {
            return colors.computeIfAbsent(
                    new Use(ink, point),
                    use -> {
                        Color key = new Color(uses.size());
                        uses.put(key, use);
                        return key;
                    });
        }

        /// Returns the purpose of a colour.
        ///
        /// @throws IllegalStateException if the colour is not from this object
        Use use(Color key) {
            Use use = uses.get(key);
            if (use == null) {
                throw new IllegalStateException("color=%s, expected a key".formatted(key));
            }
            return use;
        }
    }
}
