package io.gpuvm.evaluation.report;

import java.awt.Graphics2D;

/// Part of a figure, which has a size and is drawn in the colours that the caller passes.
interface Drawing {
    /// Width of all panels. A page 400 pixels wide shows such a panel without reduction.
    int PANEL_WIDTH = 380;

    int width();

    int height();

    void draw(Graphics2D graphics, Inks inks);
}
