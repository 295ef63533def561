package dev.berth.core.door.koordinator;

import static dev.berth.core.cluster.Taint.TaintEffect.NO_SCHEDULE;
import static dev.berth.core.testing.NodeBuilder.aNode;

import dev.berth.core.testing.NodeBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;

/** The nodes of {@link RandomHistory}: what is wrong with each, and when it was registered. */
final class HistoryNodes {
    private final KoordinatorScene scene;
    private final SplittableRandom random;
    private final Set<String> cordoned = new HashSet<>();
    private final Set<String> tainted = new HashSet<>();
    private final Set<String> notReady = new HashSet<>();
    private final Map<String, Integer> cpus = new HashMap<>();
    private final Map<String, String> nodeUids = new HashMap<>();
    private final Map<String, Instant> nodeCreated = new HashMap<>();
    private int registrations;

    HistoryNodes(KoordinatorScene scene, SplittableRandom random) {
        this.scene = scene;
        this.random = random;
    }

    private static NodeBuilder sized(String name) {
        return aNode(name)
                .with(HistoryObjects.CPUS_OF_A_NODE + " cpu", "8 pods")
                .inZone(HistoryObjects.NODES.indexOf(name) < HistoryObjects.NODES.size() / 2 ? "a" : "b");
    }

    private NodeBuilder node(String name) {
        NodeBuilder built = sized(name)
                .with(cpusOf(name) + " cpu")
                .uid(nodeUids.getOrDefault(name, name))
                .created(nodeCreated.getOrDefault(name, Instant.EPOCH));
        if (cordoned.contains(name)) {
            built.unschedulable();
        }
        if (tainted.contains(name)) {
            built.tainted("maintenance", "", NO_SCHEDULE);
        }
        if (notReady.contains(name)) {
            // The node lifecycle controller taints a node that is not ready.
            built.notReadySince(scene.clock.instant()).tainted("node.kubernetes.io/not-ready", "", NO_SCHEDULE);
        }
        return built;
    }

    int cpusOf(String node) {
        return cpus.getOrDefault(node, HistoryObjects.CPUS_OF_A_NODE);
    }

    private void renew(String name) {
        registrations++;
        scene.clock.advance(Duration.ofSeconds(2));
        nodeUids.put(name, "%s-%d".formatted(name, registrations));
        nodeCreated.put(name, scene.clock.instant());
        cordoned.remove(name);
        notReady.remove(name);
        tainted.remove(name);
        cpus.remove(name);
    }

    KoordinatorScene register(String name) {
        renew(name);
        return scene.upsert(node(name));
    }

    boolean cordon() {
        return toggle(cordoned);
    }

    boolean taint() {
        return toggle(tainted);
    }

    boolean changeReadiness() {
        return toggle(notReady);
    }

    private boolean toggle(Set<String> nodes) {
        List<String> there = scene.nodeNames();
        if (there.isEmpty()) {
            return false;
        }
        String name = there.get(random.nextInt(there.size()));
        if (!nodes.remove(name)) {
            nodes.add(name);
        }
        scene.upsert(node(name));
        return true;
    }

    KoordinatorScene resize(String name) {
        cpus.put(name, cpusOf(name) == HistoryObjects.CPUS_OF_A_NODE ? 3 : HistoryObjects.CPUS_OF_A_NODE);
        return scene.upsert(node(name));
    }

    List<String> absent() {
        return HistoryObjects.NODES.stream()
                .filter(it -> !scene.nodeNames().contains(it))
                .toList();
    }

    /** Its pods are deleted before or after it. */
    KoordinatorScene delete(String name) {
        boolean podsFirst = random.nextBoolean();
        if (podsFirst) {
            deletePodsOn(name);
        }
        scene.deleteNode(name);
        deletePodsOn(name);
        return scene;
    }

    KoordinatorScene replaceWhileDown(String name) {
        renew(name);
        scene.upsertUnseen(node(name)).restart();
        deletePodsOn(name);
        return scene;
    }

    private void deletePodsOn(String node) {
        scene.pods().stream()
                .filter(pod -> pod.nodeName().equals(Optional.of(node)))
                .forEach(scene::delete);
    }
}
