package dev.berth.app.operation;

import dev.berth.core.hold.Origin;
import dev.berth.core.ledger.HoldState;
import dev.berth.core.ledger.Snapshot;
import dev.berth.http.operation.Exposition;
import dev.berth.http.operation.MetricsApi;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;

/** What is in the ledger. Counted from a snapshot when somebody asks, on the asker's thread: deciding costs it nothing. */
record LedgerMetrics(Supplier<Snapshot> ledger) implements MetricsApi.Source {

    /** What has become of a hold. */
    private enum State {
        /** Its node is not known. */
        HOMELESS,
        /** Nobody uses it yet. */
        OPEN,
        /** Somebody uses it. */
        CLAIMED,
        /** It was for once, and is used up. */
        SPENT;

        private String word() {
            return name().toLowerCase(Locale.ROOT);
        }

        private static State of(HoldState hold) {
            if (hold.spent()) {
                return SPENT;
            }
            if (hold.nodeName().isEmpty()) {
                return HOMELESS;
            }
            return hold.claims().isEmpty() ? OPEN : CLAIMED;
        }
    }

    private static final class Sizes {
        private int pods;
        private int assumed;
        private final List<String> overcommitted = new ArrayList<>();
    }

    @Override
    public void tell(Exposition to) {
        Snapshot now = ledger.get();
        Sizes sizes = sizes(now);
        to.gauge("scheduler_cache_size", "Nodes, pods that take up a place, and those whose place is only assumed.")
                .is(now.nodeCount(), "type", "nodes")
                .is(sizes.pods, "type", "pods")
                .is(sizes.assumed, "type", "assumed_pods");
        Exposition.Metric overcommitted = to.gauge(
                "berth_overcommitted_nodes", "Nodes with less room than pods use and holds keep there: 1 for each.");
        sizes.overcommitted.forEach(node -> overcommitted.is(1, "node", node));
        holds(now, to);
    }

    private static Sizes sizes(Snapshot now) {
        Sizes sizes = new Sizes();
        now.forEachPod(pod -> {
            boolean assumed =
                    pod.nodeName().isEmpty() && now.assumption(pod.uid()).isPresent();
            sizes.assumed += assumed ? 1 : 0;
            sizes.pods += assumed || pod.counts() ? 1 : 0;
        });
        now.forEachNode(node -> {
            if (!node.overcommitments().isEmpty()) {
                sizes.overcommitted.add(node.node().name());
            }
        });
        return sizes;
    }

    private static void holds(Snapshot now, Exposition to) {
        Map<Origin.Door, Map<State, Integer>> holds = new EnumMap<>(Origin.Door.class);
        Map<Origin.Door, Integer> claims = new EnumMap<>(Origin.Door.class);
        now.forEachHold(hold -> {
            Origin.Door door = hold.hold().origin().door();
            holds.computeIfAbsent(door, same -> new EnumMap<>(State.class)).merge(State.of(hold), 1, Integer::sum);
            claims.merge(door, hold.claims().size(), Integer::sum);
        });
        Exposition.Metric held =
                to.gauge("berth_holds", "Holds, by the door they came through and what became of them.");
        for (Origin.Door door : Origin.Door.values()) {
            for (State state : State.values()) {
                held.is(
                        holds.getOrDefault(door, Map.of()).getOrDefault(state, 0),
                        "door",
                        door.word(),
                        "state",
                        state.word());
            }
        }
        Exposition.Metric claimed = to.gauge("berth_hold_claims", "Pods that use a hold, by the door it came through.");
        for (Origin.Door door : Origin.Door.values()) {
            claimed.is(claims.getOrDefault(door, 0), "door", door.word());
        }
    }
}
