package dev.berth.e2e.pages.koordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.e2e.pages.UserPage;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** An unused Reservation leaves a node that is cordoned or deleted. */
final class MovingReservationPageTest extends UserPage {
    /** A move is decided within 5 seconds. The rest is for kubectl on a busy machine. */
    private static final Duration SOON = Duration.ofSeconds(10);

    @AfterEach
    void deleteEverything() {
        run("delete reservation moving --ignore-not-found").ok();
        run("delete node spare-1 spare-2 --ignore-not-found").ok();
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
        assertThat(Duration.between(cordoned, Instant.now())).isLessThan(SOON);
        assertThat(status("{.status.phase} {.status.conditions[*].reason}")).isEqualTo("Available Scheduled Available");
        eventually(() -> assertThat(run("get events --all-namespaces").ok().out())
                .contains("Moved from node spare-1 to node spare-2: node spare-1 is cordoned"));

        run("delete node spare-2").ok();
        eventually(() -> assertThat(status("{.status.conditions[?(@.type=='Ready')].reason}"))
                .isEqualTo("NodeDeleted"));
        assertThat(status("{.status.conditions[?(@.type=='Ready')].message}"))
                .startsWith("node (spare-2) was deleted, so no pod can use the Reservation.");
        run("uncordon spare-1").ok();
        eventually(() -> assertThat(status("{.status.nodeName}")).isEqualTo("spare-1"));
        assertThat(status("{.status.phase} {.status.conditions[*].reason}")).isEqualTo("Available Scheduled Available");
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
