package dev.berth.e2e.pages.koordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.e2e.pages.UserPage;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** An unused Reservation leaves a node that is cordoned, drained or deleted. */
final class MovingReservationPageTest extends UserPage {
    /** How long after the change of the node the decision may be, by the times in the status. */
    private static final Duration SOON = Duration.ofSeconds(5);

    @AfterEach
    void deleteEverything() {
        run("delete reservation moving --ignore-not-found").ok();
        run("delete pod --all --grace-period=0 --force").ok();
        run("delete node spare-1 spare-2 spare-3 --ignore-not-found").ok();
    }

    @Test
    void aReservationMovesWhenItsNodeIsCordonedAndWhenItIsDeleted() {
        run("create -f -", node("spare-1")).ok();
        run("create -f -", RESERVATION).ok();
        eventually(
                () -> assertThat(status("{.status.phase} {.status.nodeName}")).isEqualTo("Available spare-1"));
        run("create -f -", node("spare-2")).ok();

        run("cordon spare-1").ok();
        Instant cordoned = Instant.now();
        eventually(() -> assertThat(status("{.status.nodeName}")).isEqualTo("spare-2"));
        assertThat(decidedAfter(cordoned, "Scheduled")).isLessThan(SOON);
        assertThat(status("{.status.phase} {.status.conditions[*].reason}")).isEqualTo("Available Scheduled Available");
        eventually(() -> assertThat(run("get events --all-namespaces").ok().out())
                .contains("Moved from node spare-1 to node spare-2: node spare-1 is cordoned"));

        run("delete node spare-2").ok();
        Instant deleted = Instant.now();
        eventually(() -> assertThat(status("{.status.conditions[?(@.type=='Ready')].reason}"))
                .isEqualTo("NodeDeleted"));
        assertThat(status("{.status.conditions[?(@.type=='Ready')].message}"))
                .startsWith("node (spare-2) was deleted, so no pod can use the Reservation.");
        assertThat(decidedAfter(deleted, "Ready")).isLessThan(SOON);
        run("uncordon spare-1").ok();
        Instant uncordoned = Instant.now();
        eventually(() -> assertThat(status("{.status.nodeName}")).isEqualTo("spare-1"));
        assertThat(decidedAfter(uncordoned, "Scheduled")).isLessThan(SOON);
        run("create -f -", node("spare-3")).ok();
        run("delete node spare-1").ok();
        Instant deletedAgain = Instant.now();
        eventually(() -> assertThat(status("{.status.nodeName}")).isEqualTo("spare-3"));
        assertThat(decidedAfter(deletedAgain, "Scheduled")).isLessThan(SOON);
        assertThat(status("{.status.phase} {.status.conditions[*].reason}")).isEqualTo("Available Scheduled Available");
    }

    @Test
    void aReservationLeavesANodeThatIsDrainedAndItsPodsAreEvicted() {
        run("create -f -", RESERVATION.replace("nodeSelector: {pool: spare}", "nodeSelector: {}"))
                .ok();
        eventually(() -> assertThat(status("{.status.phase}")).isEqualTo("Available"));
        String node = status("{.status.nodeName}");
        run("create -f -", pod("pinned", "nodeSelector: {kubernetes.io/hostname: %s}".formatted(node)))
                .ok();
        assertThat(awaitRunning("pinned")).isEqualTo(node);

        Instant before = Instant.now();
        try {
            run("drain %s --force --ignore-daemonsets --delete-emptydir-data --timeout=60s".formatted(node))
                    .ok();
            assertThat(run("get pods -o name").ok().out()).isEmpty();
            eventually(() -> assertThat(status("{.status.nodeName}")).isNotEqualTo(node));
            assertThat(decidedAfter(before, "Scheduled")).isLessThan(SOON);
            assertThat(status("{.status.phase} {.status.conditions[*].reason}"))
                    .isEqualTo("Available Scheduled Available");
            eventually(() -> assertThat(run("get events --all-namespaces").ok().out())
                    .contains("Moved from node %s to node ".formatted(node))
                    .contains("node %s is cordoned".formatted(node)));
        } finally {
            run("uncordon " + node).ok();
        }
    }

    /** By the time that Berth wrote. The time until kubectl shows it depends on how busy the machine is. */
    private Duration decidedAfter(Instant change, String condition) {
        return Duration.between(
                change,
                Instant.parse(status("{.status.conditions[?(@.type=='%s')].lastTransitionTime}".formatted(condition))));
    }

    private static String pod(String name, String spec) {
        return ScenarioPage.podYaml(name, "", spec, ScenarioPage.requests("cpu: 1"));
    }

    private String status(String path) {
        return jsonPath("get reservation moving", path);
    }

    /** Only these nodes fit, whether or not a kubelet reports that they are ready. */
    private static final String RESERVATION = """
            apiVersion: scheduling.koordinator.sh/v1alpha1
            kind: Reservation
            metadata: {name: moving}
            spec:
              template:
                spec:
                  schedulerName: koord-scheduler
                  nodeSelector: {pool: spare}
                  tolerations:
                  - {key: node.kubernetes.io/not-ready, operator: Exists}
                  - {key: node.kubernetes.io/unreachable, operator: Exists}
                  containers:
                  - name: app
                    image: nginx
                    resources: {requests: {cpu: "6"}}
              owners:
              - labelSelector: {matchLabels: {app: moving}}
              ttl: 1h
            """;

    private static String node(String name) {
        return """
                apiVersion: v1
                kind: Node
                metadata:
                  name: %s
                  labels: {kubernetes.io/hostname: %s, pool: spare}
                status:
                  allocatable: {cpu: "8", memory: 32Gi, pods: "110"}
                  capacity: {cpu: "8", memory: 32Gi, pods: "110"}
                """.formatted(name, name);
    }
}
