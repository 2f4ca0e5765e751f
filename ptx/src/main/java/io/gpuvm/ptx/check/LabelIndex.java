package io.gpuvm.ptx.check;

import io.gpuvm.ptx.syntax.InstructionTree;
import io.gpuvm.ptx.syntax.StatementTree;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/// Labels of a function by block, with the indices of their instructions.
final class LabelIndex {
    /// Label and its place.
    record Place(StatementTree.Label tree, PtxOperand.Label label) {}

    private final Map<StatementTree.Block, List<Place>> places = new IdentityHashMap<>();
    private int instructions;

    LabelIndex(StatementTree.Block body) {
        add(body);
    }

    List<Place> of(StatementTree.Block block) {
        return places.getOrDefault(block, List.of());
    }

    private void add(StatementTree.Block block) {
        List<Place> labels = new ArrayList<>();
        for (StatementTree statement : block.statements()) {
            switch (statement) {
                case InstructionTree instruction -> instructions++;
                case StatementTree.Block inner -> add(inner);
                case StatementTree.Label label ->
                        labels.add(
                                new Place(label, new PtxOperand.Label(label.name(), instructions)));
                default -> {}
            }
        }
        if (!labels.isEmpty()) {
            places.put(block, labels);
        }
    }
}
