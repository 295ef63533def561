package dev.berth.app.diagnostics;

import dev.berth.core.hold.ComponentId;
import dev.berth.core.ledger.HoldState;
import dev.berth.core.ledger.Snapshot;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.resource.Resources;
import dev.berth.http.diagnostics.MetricsApi;
import dev.berth.http.diagnostics.PrometheusText;
import java.util.Comparator;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

/** What is held on each node, and what pods use of it, by door. Nodes without holds have no samples. */
record HeldResourcesMetrics(Supplier<Snapshot> ledger) implements MetricsApi.MetricsCollector {
    private static final double MILLI = 1000;

    private record NodeAndDoor(String node, ComponentId door) {}

    private record HeldAndUsed(Resources held, Resources used) {
        private HeldAndUsed plus(HeldAndUsed other) {
            return new HeldAndUsed(held.plus(other.held), used.plus(other.used));
        }
    }

    @Override
    public void collect(PrometheusText to) {
        Map<NodeAndDoor, HeldAndUsed> sums = new TreeMap<>(Comparator.comparing(NodeAndDoor::node)
                .thenComparing(key -> key.door().text()));
        Snapshot snapshot = ledger.get();
        snapshot.forEachHold(hold -> add(hold, snapshot, sums));
        PrometheusText.MetricFamily family = to.gauge(
                "berth_hold_resources",
                "What holds hold on a node, and what pods request of it, in cores, bytes or units.");
        sums.forEach((key, sum) -> {
            add(key, "held", sum.held, family);
            add(key, "used", sum.used, family);
        });
    }

    private static void add(HoldState hold, Snapshot snapshot, Map<NodeAndDoor, HeldAndUsed> sums) {
        hold.nodeName()
                .ifPresent(node -> sums.merge(
                        new NodeAndDoor(node, hold.hold().origin().component()),
                        new HeldAndUsed(hold.hold().size(), snapshot.requestedOf(hold)),
                        HeldAndUsed::plus));
    }

    private static void add(NodeAndDoor key, String type, Resources resources, PrometheusText.MetricFamily to) {
        for (int i = 0; i < resources.size(); i++) {
            ResourceName resource = resources.nameAt(i);
            double amount = resources.amountAt(i) / (resource.equals(ResourceName.CPU) ? MILLI : 1);
            to.add(amount, "node", key.node, "door", key.door.text(), "resource", resource.value(), "type", type);
        }
    }
}
