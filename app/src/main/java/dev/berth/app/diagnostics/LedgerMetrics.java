package dev.berth.app.diagnostics;

import dev.berth.core.hold.ComponentId;
import dev.berth.core.hold.Origin;
import dev.berth.core.ledger.HoldState;
import dev.berth.core.ledger.Snapshot;
import dev.berth.http.diagnostics.MetricsApi;
import dev.berth.http.diagnostics.PrometheusText;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Metrics of the ledger. They are computed from a snapshot on the thread of the request, so they cost the loop nothing.
 */
record LedgerMetrics(Supplier<Snapshot> ledger) implements MetricsApi.MetricsCollector {

    /** The values of the label {@code door}. */
    private static final List<ComponentId> COMPONENTS = Stream.<ComponentId>concat(
                    Stream.of(Origin.DoorId.values()),
                    Stream.of(Origin.PluginId.VOLUME_BINDING, Origin.PluginId.PREEMPTION))
            .toList();

    /** The state of a hold. */
    private enum HoldPhase {
        /** Its node is not known. */
        HOMELESS("node_unknown"),
        /** No pod uses it yet. */
        OPEN("available"),
        /** A pod uses it. */
        CLAIMED("claimed"),
        /** An allocateOnce hold that was consumed. */
        SPENT("consumed");

        private final String label;

        HoldPhase(String label) {
            this.label = label;
        }

        private String labelValue() {
            return label;
        }

        private static HoldPhase of(HoldState hold) {
            if (hold.spent()) {
                return SPENT;
            }
            if (hold.nodeName().isEmpty()) {
                return HOMELESS;
            }
            return hold.claims().isEmpty() ? OPEN : CLAIMED;
        }
    }

    private static final class Counts {
        private int pods;
        private int assumed;
        private final List<String> overcommitted = new ArrayList<>();
    }

    @Override
    public void collect(PrometheusText to) {
        Snapshot now = ledger.get();
        Counts counts = count(now);
        to.gauge(
                        "scheduler_cache_size",
                        "Nodes, pods that have a node and have not finished, and assumed pods, whose bind is in flight.")
                .add(now.nodeCount(), "type", "nodes")
                .add(counts.pods, "type", "pods")
                .add(counts.assumed, "type", "assumed_pods");
        PrometheusText.MetricFamily overcommitted = to.gauge(
                "berth_node_overcommitted",
                "1 for each node on which pods and holds together exceed the allocatable resources.");
        counts.overcommitted.forEach(node -> overcommitted.add(1, "node", node));
        holds(now, to);
    }

    private static Counts count(Snapshot now) {
        Counts counts = new Counts();
        now.forEachPod(pod -> {
            boolean assumed =
                    pod.nodeName().isEmpty() && now.assumption(pod.uid()).isPresent();
            counts.assumed += assumed ? 1 : 0;
            counts.pods += assumed || pod.isBoundAndActive() ? 1 : 0;
        });
        now.forEachNode(node -> {
            if (!node.overcommitments().isEmpty()) {
                counts.overcommitted.add(node.node().name());
            }
        });
        return counts;
    }

    private static void holds(Snapshot now, PrometheusText to) {
        Map<ComponentId, Map<HoldPhase, Integer>> holds = new HashMap<>();
        Map<ComponentId, Integer> claims = new HashMap<>();
        now.forEachHold(hold -> {
            ComponentId component = hold.hold().origin().component();
            holds.computeIfAbsent(component, same -> new EnumMap<>(HoldPhase.class))
                    .merge(HoldPhase.of(hold), 1, Integer::sum);
            claims.merge(component, hold.claims().size(), Integer::sum);
        });
        PrometheusText.MetricFamily held = to.gauge("berth_holds", "Holds, by door and state.");
        for (ComponentId component : COMPONENTS) {
            for (HoldPhase holdPhase : HoldPhase.values()) {
                held.add(
                        holds.getOrDefault(component, Map.of()).getOrDefault(holdPhase, 0),
                        "door",
                        component.text(),
                        "state",
                        holdPhase.labelValue());
            }
        }
        PrometheusText.MetricFamily claimed =
                to.gauge("berth_hold_claims", "Pods that use a hold, by the door of the hold.");
        for (ComponentId component : COMPONENTS) {
            claimed.add(claims.getOrDefault(component, 0), "door", component.text());
        }
    }
}
