package dev.berth.app.pages.records;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.app.pages.UserPage;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Forged and removed records, edited owners, and a node that is replaced while there is no Berth. */
abstract class RecordsPage extends UserPage {
    private static final String RECORD = "{.metadata.annotations.berth\\.dev/hold}";
    private static final String USERS = "{.status.currentOwners[*].name}";

    RecordsPage(Opening opening) {
        super(opening);
    }

    @AfterEach
    void takeEverythingBack() {
        type("delete reservation --all").ok();
        type("delete pod --all --grace-period=0 --force").ok();
        eventually(() -> assertThat(type("get pods -o name").ok().out()).isEmpty());
    }

    @Test
    void annotationsAndLabelsOfTenantsChangeNoClaim() throws InterruptedException {
        type("create -f -", reservation("web", "node-1", "5")).ok();
        awaitPhase("Available");
        String uid = status("{.metadata.uid}");

        type("create -f -", pod("forger", "other", "{berth.dev/hold: reservation/%s}".formatted(uid), "2"))
                .ok();
        nodeOfRunning("forger");
        assertThat(print("get pod forger", RECORD)).isEmpty();
        eventually(() -> assertThat(type("get events").ok().out()).contains("FalseRecord"));
        type("annotate pod forger berth.dev/hold=reservation/%s --overwrite".formatted(uid))
                .ok();
        type("create -f -", pod("owner", "web", "{}", "5")).ok();
        nodeOfRunning("owner");
        eventually(() -> assertThat(status(USERS)).isEqualTo("owner"));

        type("annotate pod owner berth.dev/hold- scheduling.koordinator.sh/reservation-allocated-")
                .ok();
        type("label pod owner app=changed --overwrite").ok();
        type("apply -f -", reservation("nothing", "node-1", "5")).ok();
        cluster().restartBerth();

        type("create -f -", pod("late", "other", "{}", "1")).ok();
        nodeOfRunning("late");
        assertThat(status("{.status.phase} " + USERS)).isEqualTo("Available owner");
        assertThat(status("{.status.allocated.cpu}")).isEqualTo("5");
    }

    /** Pods come by one watch, in order: the annotation is read before the pod that is created after it. */
    @Test
    void malformedRecordOnATenantsPodCostsNoOtherPodItsPlace() throws InterruptedException {
        type("create -f -", pod("tenant", "other", "{}", "1")).ok();
        nodeOfRunning("tenant");

        type("annotate pod tenant berth.dev/hold=return/ berth.dev/drawing-holds=return/default/x/ --overwrite")
                .ok();

        type("create -f -", pod("beside", "other", "{}", "1")).ok();
        nodeOfRunning("beside");
        cluster().restartBerth();
        type("create -f -", pod("later", "other", "{}", "1")).ok();
        nodeOfRunning("later");
    }

    @Test
    void nodeReplacedWhileBerthIsDownEndsItsReservations() throws InterruptedException {
        type("create -f -", node("8")).ok();
        type("create -f -", reservation("web", "spare", "6")).ok();
        awaitPhase("Available");
        Instant scheduled = Instant.parse(status("{.status.conditions[?(@.type=='Scheduled')].lastTransitionTime}"));

        cluster().restartBerth(() -> {
            type("delete node spare").ok();
            // Both times have whole seconds.
            eventually(() -> assertThat(Instant.now()).isAfter(scheduled.plusSeconds(2)));
            type("create -f -", node("4")).ok();
        });

        awaitPhase("Failed");
        assertThat(status("{.status.conditions[?(@.type=='Ready')].reason}")).isEqualTo("Expired");
        assertThat(status("{.status.conditions[?(@.type=='Ready')].message}"))
                .startsWith("node (spare) is gone: another node of that name replaced it at ");
        type("delete node spare").ok();
    }

    private void awaitPhase(String phase) {
        eventually(() -> assertThat(status("{.status.phase}")).isEqualTo(phase));
    }

    private String status(String path) {
        return print("get reservation kept", path);
    }

    private static String reservation(String owner, String node, String cpu) {
        return """
                apiVersion: scheduling.koordinator.sh/v1alpha1
                kind: Reservation
                metadata: {name: kept}
                spec:
                  allocateOnce: false
                  template:
                    spec:
                      schedulerName: koord-scheduler
                      nodeName: %s
                      tolerations: [{operator: Exists}]
                      containers:
                      - name: app
                        image: nginx
                        resources: {requests: {cpu: "%s"}}
                  owners:
                  - labelSelector: {matchLabels: {app: %s}}
                  ttl: 1h
                """.formatted(node, cpu, owner);
    }

    private static String pod(String name, String app, String annotations, String cpu) {
        return """
                apiVersion: v1
                kind: Pod
                metadata:
                  name: %s
                  labels: {app: %s}
                  annotations: %s
                spec:
                  nodeSelector: {kubernetes.io/hostname: node-1}
                  containers:
                  - name: app
                    image: nginx
                    resources: {requests: {cpu: "%s"}}
                """.formatted(name, app, annotations, cpu);
    }

    private static String node(String cpu) {
        return """
                apiVersion: v1
                kind: Node
                metadata:
                  name: spare
                  labels: {kubernetes.io/hostname: spare}
                status:
                  allocatable: {cpu: "%s", memory: 32Gi, pods: "110"}
                  capacity: {cpu: "%s", memory: 32Gi, pods: "110"}
                """.formatted(cpu, cpu);
    }
}
