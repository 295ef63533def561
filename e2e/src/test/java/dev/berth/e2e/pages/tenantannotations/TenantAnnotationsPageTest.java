package dev.berth.e2e.pages.tenantannotations;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.e2e.pages.UserPage;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Forged and removed records, edited owners, and a node that is replaced while there is no Berth. */
final class TenantAnnotationsPageTest extends UserPage {
    private static final String RECORD = "{.metadata.annotations.berth\\.dev/hold}";
    private static final String USERS = "{.status.currentOwners[*].name}";

    @AfterEach
    void deleteEverything() {
        run("delete reservation --all").ok();
        run("delete pod --all --grace-period=0 --force").ok();
        eventually(() -> assertThat(run("get pods -o name").ok().out()).isEmpty());
    }

    @Test
    void annotationsAndLabelsThatTenantsWriteDoNotChangeClaims() throws InterruptedException {
        run("create -f -", reservation("web", "node-1", "5")).ok();
        awaitPhase("Available");
        String uid = status("{.metadata.uid}");

        run("create -f -", pod("forger", "other", "{berth.dev/hold: koordinator/%s}".formatted(uid), "2"))
                .ok();
        awaitRunning("forger");
        assertThat(jsonPath("get pod forger", RECORD)).isEmpty();
        eventually(() -> assertThat(run("get events").ok().out()).contains("InvalidAnnotation"));
        run("annotate pod forger berth.dev/hold=koordinator/%s --overwrite".formatted(uid))
                .ok();
        run("create -f -", pod("owner", "web", "{}", "5")).ok();
        awaitRunning("owner");
        eventually(() -> assertThat(status(USERS)).isEqualTo("owner"));

        run("annotate pod owner berth.dev/hold- scheduling.koordinator.sh/reservation-allocated-")
                .ok();
        run("label pod owner app=changed --overwrite").ok();
        run("apply -f -", reservation("nothing", "node-1", "5")).ok();
        cluster().restartBerth();

        run("create -f -", pod("late", "other", "{}", "1")).ok();
        awaitRunning("late");
        assertThat(status("{.status.phase} " + USERS)).isEqualTo("Available owner");
        assertThat(status("{.status.allocated.cpu}")).isEqualTo("5");
    }

    /** Pods come by one watch, in order: the annotation is read before the pod that is created after it. */
    @Test
    void aMalformedAnnotationOnATenantsPodDoesNotAffectOtherPods() throws InterruptedException {
        run("create -f -", pod("tenant", "other", "{}", "1")).ok();
        awaitRunning("tenant");

        run("annotate pod tenant berth.dev/hold=godel/ berth.dev/drawing-holds=godel/default/x/ --overwrite")
                .ok();

        run("create -f -", pod("beside", "other", "{}", "1")).ok();
        awaitRunning("beside");
        cluster().restartBerth();
        run("create -f -", pod("later", "other", "{}", "1")).ok();
        awaitRunning("later");
    }

    @Test
    void nodeReplacedWhileBerthIsDownEndsItsReservations() throws InterruptedException {
        run("create -f -", node("8")).ok();
        run("create -f -", reservation("web", "spare", "6")).ok();
        awaitPhase("Available");
        Instant scheduled = Instant.parse(status("{.status.conditions[?(@.type=='Scheduled')].lastTransitionTime}"));

        cluster().restartBerth(() -> {
            run("delete node spare").ok();
            // Both times have whole seconds.
            eventually(() -> assertThat(Instant.now()).isAfter(scheduled.plusSeconds(2)));
            run("create -f -", node("4")).ok();
        });

        awaitPhase("Failed");
        assertThat(status("{.status.conditions[?(@.type=='Ready')].reason}")).isEqualTo("Expired");
        assertThat(status("{.status.conditions[?(@.type=='Ready')].message}"))
                .startsWith("node (spare) was deleted: another node of that name replaced it at ");
        run("delete node spare").ok();
    }

    private void awaitPhase(String phase) {
        eventually(() -> assertThat(status("{.status.phase}")).isEqualTo(phase));
    }

    private String status(String path) {
        return jsonPath("get reservation kept", path);
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
