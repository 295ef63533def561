package dev.berth.e2e.scenario.testcluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** One line of a table: the nodes and pods that are there, the pod that comes, and what must become of it. */
public final class PlacementCase {
    private final String name;
    private final List<NodeManifest> nodes = new ArrayList<>();
    private final List<PodManifest> existingPods = new ArrayList<>();
    private final List<PodManifest> incomingPods = new ArrayList<>();
    private final Set<String> expectedNodes = new TreeSet<>();
    private String expectedRefusal = "";
    private String consequence = "";

    private PlacementCase(String name) {
        this.name = name;
    }

    /** What happens, as a sentence. */
    public static PlacementCase named(String name) {
        return new PlacementCase(name);
    }

    public PlacementCase withNodes(NodeManifest... more) {
        nodes.addAll(List.of(more));
        return this;
    }

    public PlacementCase withNodes(List<NodeManifest> more) {
        nodes.addAll(more);
        return this;
    }

    /** Pods that are on their nodes already. */
    public PlacementCase withExistingPods(PodManifest... more) {
        existingPods.addAll(List.of(more));
        return this;
    }

    public PlacementCase withExistingPods(List<PodManifest> more) {
        existingPods.addAll(more);
        return this;
    }

    /** The pod that is to be placed. */
    public PlacementCase withIncomingPod(PodManifest pod) {
        incomingPods.add(pod);
        return this;
    }

    /** It goes to one of these nodes. */
    public PlacementCase expectNode(String... names) {
        expectedNodes.addAll(List.of(names));
        return this;
    }

    /** No node takes it, for these reasons, such as {@code 2 node(s) were unschedulable}. */
    public PlacementCase expectRefusal(String reasons) {
        expectedRefusal = reasons;
        return this;
    }

    /** What people would suffer if it went otherwise. */
    public PlacementCase otherwise(String suffering) {
        consequence = suffering;
        return this;
    }

    /** Plays it; where it goes otherwise, says what was to happen and who suffers. */
    public void run(Scenario scenario) {
        try {
            scenario.nodes(nodes.toArray(NodeManifest[]::new));
            scenario.pods(existingPods);
            incomingPods.forEach(pod -> runOne(scenario, pod));
        } catch (AssertionError otherwise) {
            throw new AssertionError("%s, lest %s: %s".formatted(name, consequence, otherwise.getMessage()), otherwise);
        }
    }

    private void runOne(Scenario scenario, PodManifest pod) {
        scenario.pod(pod);
        if (expectedRefusal.isEmpty()) {
            assertThat(scenario.nodeOf(pod.name())).isIn(expectedNodes);
        } else {
            assertThat(scenario.unschedulableMessage(pod.name()))
                    .startsWith("0/%d nodes are available: %s.".formatted(nodes.size(), expectedRefusal));
        }
    }

    @Override
    public String toString() {
        return name;
    }
}
