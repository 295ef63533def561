package dev.berth.testkit.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.core.ledger.Snapshot;
import dev.berth.sandbox.client.DeleteOptions;
import dev.berth.sandbox.client.ListScope;
import dev.berth.sandbox.client.RestMapping;
import dev.berth.sandbox.unstructured.NestedFields;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;

/**
 * Berth is killed, and another one leads, which serves the scheduler names of the members that are left. Pods are
 * deleted between the two. The API server remembers the deletions or not. A pod that requests a Reservation gets one,
 * if the deletion is remembered or the pod is in the checkpoint.
 */
final class RandomRestarts {
    private static final RestMapping CHECKPOINTS =
            new RestMapping("berth.dev", "v1alpha1", "checkpoints", "Checkpoint", false);
    private static final int MAX_DELETED = 3;
    static final String FIRST_SCHEDULER = "berth-scheduler";
    static final String SECOND_SCHEDULER = "second-scheduler";
    /** The names that all Berths of the cluster together serve. */
    static final Set<String> ALL_NAMES = Set.of(FIRST_SCHEDULER, SECOND_SCHEDULER);

    private static final List<Set<String>> MEMBERS =
            List.of(ALL_NAMES, ALL_NAMES, Set.of(FIRST_SCHEDULER), Set.of(SECOND_SCHEDULER));
    private static final Set<String> ENDED = Set.of("Succeeded", "Failed");

    private final Simulation cluster;
    private final Random random;

    RandomRestarts(Simulation cluster, Random random) {
        this.cluster = cluster;
        this.random = random;
    }

    /** All members run again, and the leader serves the names of all. */
    void startAllMembers() {
        cluster.killBerth();
        cluster.setSchedulerNames(ALL_NAMES);
        cluster.startBerth();
    }

    void next() {
        cluster.killBerth();
        if (random.nextBoolean()) {
            cluster.removeDeletions();
        }
        cluster.setSchedulerNames(MEMBERS.get(random.nextInt(MEMBERS.size())));
        int before = cluster.recordedEvents().size();
        List<ObjectNode> left = deletePods();
        cluster.startBerth();
        cluster.runUntilIdle();
        List<String> events = cluster.recordedEvents();
        for (ObjectNode pod : left) {
            assertThat(isKeptOrTaken(pod) || isExplained(pod, events.subList(before, events.size())))
                    .as("the place of %s on %s is kept", SimulationTest.name(pod), SimulationTest.node(pod))
                    .isTrue();
        }
    }

    /** At once, without time to end. Returns those whose place must be kept. */
    private List<ObjectNode> deletePods() {
        List<ObjectNode> left = new ArrayList<>();
        for (int i = random.nextInt(MAX_DELETED + 1); i > 0; i--) {
            List<ObjectNode> pods = SimulationTest.pods(cluster).stream()
                    .filter(pod -> !SimulationTest.node(pod).isEmpty())
                    .toList();
            if (!pods.isEmpty()) {
                ObjectNode pod = pods.get(random.nextInt(pods.size()));
                if (requestsReservation(pod)
                        && isOnItsNode(pod)
                        && (cluster.willReplayDeletions() || isCheckpointed(pod))) {
                    left.add(pod);
                }
                cluster.client()
                        .delete(
                                RestMapping.PODS.object("default", SimulationTest.name(pod)),
                                DeleteOptions.DEFAULT.withGracePeriod(0));
            }
        }
        return left;
    }

    /** Other tests cover pods that were deleted before, or that finalizers keep. */
    private static boolean requestsReservation(ObjectNode pod) {
        return NestedFields.text(pod, "metadata", "annotations", "godel.bytedance.com/reservation")
                        .equals("true")
                && !ENDED.contains(NestedFields.text(pod, "status", "phase"))
                && !pod.path("metadata").has("deletionTimestamp")
                && !pod.path("metadata").has("finalizers");
    }

    private boolean isCheckpointed(ObjectNode pod) {
        String uid = WatchedKind.uid(pod);
        return cluster.client().list(CHECKPOINTS, ListScope.ALL).stream()
                .map(part -> part.path("spec").path("pods").path(uid))
                .anyMatch(entry -> entry.path("reserveOnDelete").asBoolean());
    }

    /** The pods that the checkpoint has, by their UIDs. */
    static Set<String> checkpointed(Simulation cluster) {
        Set<String> pods = new TreeSet<>();
        cluster.client()
                .list(CHECKPOINTS, ListScope.ALL)
                .forEach(part -> part.path("spec").path("pods").fieldNames().forEachRemaining(pods::add));
        return pods;
    }

    /** A pod that is older than the node of its node's name was on another one. */
    private boolean isOnItsNode(ObjectNode pod) {
        return cluster.client()
                .find(RestMapping.NODES.clusterObject(SimulationTest.node(pod)))
                .filter(node -> created(node).compareTo(created(pod)) <= 0)
                .isPresent();
    }

    private static String created(ObjectNode object) {
        return NestedFields.text(object, "metadata", "creationTimestamp");
    }

    private boolean isKeptOrTaken(ObjectNode pod) {
        String end = "/" + WatchedKind.uid(pod);
        Snapshot snapshot = cluster.snapshot();
        return snapshot.facts().holds().stream()
                        .anyMatch(hold -> hold.id().value().endsWith(end))
                || cluster.bindAnnotations().values().stream()
                        .flatMap(records -> records.values().stream())
                        .anyMatch(record -> record.contains(end));
    }

    private static boolean isExplained(ObjectNode pod, List<String> events) {
        String subject = "default/%s: ".formatted(SimulationTest.name(pod));
        return events.stream().anyMatch(event -> event.contains(subject));
    }
}
