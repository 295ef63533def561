package dev.berth.core.placement;

import dev.berth.core.placement.filter.Veto;
import java.util.List;
import java.util.OptionalLong;

/** The result for one node and one pod: its total score, or its vetoes. */
public record NodeVerdict(String node, OptionalLong score, List<Veto> vetoes) {
    public NodeVerdict {
        vetoes = List.copyOf(vetoes);
        if (score.isPresent() != vetoes.isEmpty()) {
            throw new IllegalArgumentException(
                    "node (%s) must have a score or vetoes, not (%s) and (%s)".formatted(node, score, vetoes));
        }
    }
}
