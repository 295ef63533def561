package dev.berth.e2e.pages.koordinator;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A Deployment is named as the controller of the owners. Its ReplicaSets control the pods. */
final class DeploymentOwnerPageTest extends ScenarioPage {
    private static final String RESERVATION = """
            apiVersion: scheduling.koordinator.sh/v1alpha1
            kind: Reservation
            metadata:
              name: named
            spec:
              ttl: 1h
              allocateOnce: false
              owners:
              - controller: {apiVersion: apps/v1, kind: Deployment, name: web, uid: "", namespace: default}
              template:
                spec:
                  schedulerName: koord-scheduler
                  nodeSelector: {kubernetes.io/hostname: node-0}
                  containers:
                  - name: app
                    image: nginx
                    resources: {requests: {cpu: "6"}}
            """;

    private static final String DEPLOYMENT = """
            apiVersion: apps/v1
            kind: Deployment
            metadata: {name: %1$s}
            spec:
              replicas: 2
              selector: {matchLabels: {app: %1$s}}
              template:
                metadata: {labels: {app: %1$s}}
                spec:
                  schedulerName: koord-scheduler
                  terminationGracePeriodSeconds: 0
                  containers:
                  - name: app
                    image: nginx
                    resources: {requests: {cpu: "1"}}
            """;

    @AfterEach
    void deleteTheDeployments() {
        run("delete deployment web other --ignore-not-found").ok();
    }

    @Test
    void thePodsOfItsReplicaSetsUseTheReservationAlsoAfterARollout() {
        createAvailable(RESERVATION);
        run("create -f -", DEPLOYMENT.formatted("other")).ok();
        run("rollout status deployment/other --timeout=60s").ok();
        run("create -f -", DEPLOYMENT.formatted("web")).ok();
        run("rollout status deployment/web --timeout=60s").ok();
        awaitPodsOfWebAsOwners();
        String first = podNames("app=web").get(0);
        assertThat(allocatedReservation(first)).isEqualTo("named");
        assertThat(nodeOf(first)).isEqualTo("node-0");
        assertThat(reservation("named", "{.status.conditions[*].reason}")).isEqualTo("Scheduled Available");

        run("set env deployment/web ROLLOUT=2").ok();
        run("rollout status deployment/web --timeout=60s").ok();
        eventually(() -> assertThat(podNames("app=web")).hasSize(2).doesNotContain(first));
        awaitPodsOfWebAsOwners();
        assertThat(reservation("named", "{.status.allocated.cpu}")).isEqualTo("2");
        for (String pod : podNames("app=other")) {
            assertThat(allocatedReservation(pod)).isEmpty();
        }
    }

    private void awaitPodsOfWebAsOwners() {
        eventually(() -> {
            assertThat(podNames("app=web")).hasSize(2);
            assertThat(reservation("named", "{.status.currentOwners[*].name}").split(" "))
                    .containsExactlyInAnyOrderElementsOf(podNames("app=web"));
        });
    }
}
