package dev.berth.core.hold;

import dev.berth.core.cluster.NodeUid;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The holds by node, even if the node is not known, and by deadline. */
public final class HoldsByNodeAndDeadline {
    private static final Comparator<Hold> BY_DEADLINE = Comparator.<Hold, Instant>comparing(
                    hold -> hold.deadline().orElse(Instant.MAX))
            .thenComparing(Hold::id);

    private final Map<NodeUid, TreeMap<HoldId, Hold>> byNode = new HashMap<>();
    private final TreeSet<Hold> deadlines = new TreeSet<>(BY_DEADLINE);

    public void add(Hold hold) {
        byNode.computeIfAbsent(hold.node(), node -> new TreeMap<>()).put(hold.id(), hold);
        if (hold.deadline().isPresent()) {
            deadlines.add(hold);
        }
    }

    public void remove(Hold hold) {
        byNode.computeIfPresent(hold.node(), (node, holds) -> {
            holds.remove(hold.id());
            return holds.isEmpty() ? null : holds;
        });
        deadlines.remove(hold);
    }

    /** The holds sorted by id. */
    public Collection<Hold> holdsOn(NodeUid node) {
        @Nullable TreeMap<HoldId, Hold> holds = byNode.get(node);
        return holds == null ? List.of() : Collections.unmodifiableCollection(holds.values());
    }

    /** The holds of nodes that match the predicate, sorted by id. */
    public List<Hold> holdsOnNodes(Predicate<NodeUid> accepted) {
        return byNode.entrySet().stream()
                .filter(entry -> accepted.test(entry.getKey()))
                .flatMap(entry -> entry.getValue().values().stream())
                .sorted(Comparator.comparing(Hold::id))
                .toList();
    }

    /** The holds whose deadline has passed, sorted by deadline and id. */
    public List<Hold> expiredAt(Instant now, int most) {
        List<Hold> expired = new ArrayList<>();
        for (Hold hold : deadlines) {
            if (expired.size() == most || hold.deadline().orElse(Instant.MAX).isAfter(now)) {
                break;
            }
            expired.add(hold);
        }
        return expired;
    }

    public Optional<Instant> nextDeadline() {
        return deadlines.isEmpty() ? Optional.empty() : deadlines.first().deadline();
    }
}
