package dev.berth.core.door.koordinator;

import dev.berth.core.cluster.Node;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * How many nodes of each zone are ready. If most nodes of a zone become not ready at once, then the network or the
 * control plane is the likely cause, and not the nodes. kube-controller-manager evicts pods by the same thresholds.
 */
final class ZoneHealth {
    private static final String REGION_LABEL = "topology.kubernetes.io/region";
    private static final double UNHEALTHY_SHARE = 0.55;
    private static final int MAX_NODES_OF_SMALL_ZONE = 50;

    /** How fast reservations leave nodes that are not ready. */
    enum MoveRate {
        NORMAL,
        REDUCED,
        STOPPED
    }

    private record NodeHealth(String zone, boolean ready) {}

    private static final class Zone {
        private int ready;
        private int notReady;

        private boolean isDown() {
            return ready == 0 && notReady > 0;
        }
    }

    private final Map<String, NodeHealth> nodes = new HashMap<>();
    private final Map<String, Zone> zones = new HashMap<>();
    private int zonesDown;

    void onUpsert(Node node) {
        count(
                Optional.ofNullable(nodes.put(
                        node.name(),
                        new NodeHealth(zoneOf(node), node.notReadySince().isEmpty()))),
                -1);
        count(Optional.ofNullable(nodes.get(node.name())), 1);
    }

    void onDelete(String nodeName) {
        count(Optional.ofNullable(nodes.remove(nodeName)), -1);
    }

    private void count(Optional<NodeHealth> node, int change) {
        node.ifPresent(health -> {
            Zone zone = zones.computeIfAbsent(health.zone(), name -> new Zone());
            zonesDown -= zone.isDown() ? 1 : 0;
            if (health.ready()) {
                zone.ready += change;
            } else {
                zone.notReady += change;
            }
            zonesDown += zone.isDown() ? 1 : 0;
            if (zone.ready == 0 && zone.notReady == 0) {
                zones.remove(health.zone());
            }
        });
    }

    /**
     * A zone that is down as a whole counts as lost, unless all zones are. Only nodes that are not ready are limited: a
     * taint on a ready node has another cause.
     */
    MoveRate rateFor(Node node) {
        if (node.notReadySince().isEmpty()) {
            return MoveRate.NORMAL;
        }
        if (zonesDown == zones.size()) {
            return MoveRate.STOPPED;
        }
        Zone zone = zones.getOrDefault(zoneOf(node), new Zone());
        int all = zone.ready + zone.notReady;
        if (zone.isDown() || zone.notReady <= 2 || zone.notReady < UNHEALTHY_SHARE * all) {
            return MoveRate.NORMAL;
        }
        return all > MAX_NODES_OF_SMALL_ZONE ? MoveRate.REDUCED : MoveRate.STOPPED;
    }

    private static String zoneOf(Node node) {
        return node.labels().get(REGION_LABEL).orElse("") + "/"
                + node.labels().get(Node.ZONE_LABEL).orElse("");
    }
}
