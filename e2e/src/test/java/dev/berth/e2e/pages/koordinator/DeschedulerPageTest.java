package dev.berth.e2e.pages.koordinator;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.e2e.pages.UserPage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What koord-descheduler does for a PodMigrationJob in the mode ReservationFirst: it reserves a place for the successor
 * of a pod on another node, waits for the place, evicts the pod, waits until the successor uses the place, and deletes the
 * Reservation.
 */
final class DeschedulerPageTest extends UserPage {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String JOB = "6f9a9a0c-3b0a-4b62-8f3e-3a9d1f5d7c11";
    private static final String DEPLOYMENT = """
            apiVersion: apps/v1
            kind: Deployment
            metadata: {name: migrated}
            spec:
              replicas: 1
              selector: {matchLabels: {app: migrated}}
              template:
                metadata: {labels: {app: migrated}, annotations: {prometheus.io/scrape: "true"}}
                spec:
                  schedulerName: koord-scheduler
                  serviceAccountName: default
                  terminationGracePeriodSeconds: 0
                  tolerations: [{key: dedicated, operator: Exists, effect: NoSchedule}]
                  containers:
                  - name: main
                    image: nginx
                    ports: [{containerPort: 80}]
                    readinessProbe: {httpGet: {path: /, port: 80}}
                    env: [{name: NODE, valueFrom: {fieldRef: {fieldPath: spec.nodeName}}}]
                    resources: {requests: {cpu: "1", memory: 1Gi}, limits: {cpu: "2", memory: 2Gi}}
                    volumeMounts: [{name: config, mountPath: /config}, {name: scratch, mountPath: /tmp}]
                  volumes:
                  - {name: config, configMap: {name: settings, optional: true}}
                  - {name: scratch, emptyDir: {}}
                  - name: kube-api-access-x7x2q
                    projected:
                      defaultMode: 420
                      sources:
                      - serviceAccountToken: {expirationSeconds: 3607, path: token}
                      - configMap: {name: kube-root-ca.crt, items: [{key: ca.crt, path: ca.crt}]}
                      - downwardAPI: {items: [{path: namespace, fieldRef: {apiVersion: v1, fieldPath: metadata.namespace}}]}
            """;

    @BeforeEach
    void aRunningPod() {
        run("apply -f -", DEPLOYMENT).ok();
        eventually(() -> assertThat(podNames("app=migrated")).hasSize(1));
        awaitRunning(pod());
    }

    @AfterEach
    void deleteEverything() {
        run("delete reservation --all").ok();
        run("delete deployment migrated --ignore-not-found").ok();
        run("delete pod --all --grace-period=0 --force").ok();
        eventually(() -> assertThat(run("get pods -o name").ok().out()).isEmpty());
    }

    @Test
    void aPodIsMigratedToTheNodeOfItsReservation() throws JsonProcessingException {
        String before = pod();
        String node = jsonPath("get pod " + before, "{.spec.nodeName}");
        run("create -f -", reservation(before, node).toString()).ok();
        eventually(() -> assertThat(status("{.status.phase}")).isEqualTo("Available"));
        String reserved = status("{.status.nodeName}");
        assertThat(reserved).isNotEqualTo(node);
        assertThat(status("{range .status.conditions[*]}{.type}={.status} {end}"))
                .as("no field of the pod is reported as a problem")
                .isEqualTo("Scheduled=True Ready=True ");

        run("delete pod %s --wait=false".formatted(before)).ok();
        eventually(() -> assertThat(podNames("app=migrated")).hasSize(1).doesNotContain(before));
        String successor = pod();
        assertThat(awaitRunning(successor)).isEqualTo(reserved);
        eventually(() -> assertThat(status("{.status.currentOwners[*].uid}"))
                .isEqualTo(jsonPath("get pod " + successor, "{.metadata.uid}")));
        eventually(() -> assertThat(status("{.status.phase}")).isEqualTo("Succeeded"));

        run("delete reservation " + JOB).ok();
        assertThat(awaitRunning(successor)).isEqualTo(reserved);
    }

    private String pod() {
        return podNames("app=migrated").get(0);
    }

    private String status(String path) {
        return jsonPath("get reservation " + JOB, path);
    }

    /** The pod's metadata and spec without its node, as the API server shows them, and the controller as owner. */
    private ObjectNode reservation(String pod, String node) throws JsonProcessingException {
        ObjectNode source = (ObjectNode) JSON.readTree(run("get pod %s -o json --show-managed-fields".formatted(pod))
                .ok()
                .out());
        ObjectNode template = JSON.createObjectNode();
        template.set("metadata", source.get("metadata"));
        ObjectNode spec = template.putObject("spec");
        spec.setAll((ObjectNode) source.get("spec"));
        spec.remove("nodeName");
        spec.put("serviceAccountName", "default").put("serviceAccount", "default");
        spec.withObject("affinity")
                .withObject("nodeAffinity")
                .withObject("requiredDuringSchedulingIgnoredDuringExecution")
                .putArray("nodeSelectorTerms")
                .addObject()
                .putArray("matchFields")
                .addObject()
                .put("key", "metadata.name")
                .put("operator", "NotIn")
                .putArray("values")
                .add(node);
        ObjectNode reservation = JSON.createObjectNode()
                .put("apiVersion", "scheduling.koordinator.sh/v1alpha1")
                .put("kind", "Reservation");
        reservation
                .putObject("metadata")
                .put("name", JOB)
                .putObject("labels")
                .put("app.kubernetes.io/created-by", "koord-descheduler")
                .put("scheduling.koordinator.sh/reservation-order", "1789000000000");
        ObjectNode controller = JSON.createObjectNode();
        controller.setAll((ObjectNode) source.at("/metadata/ownerReferences/0"));
        controller.put("namespace", "default");
        ObjectNode reservationSpec = reservation.putObject("spec");
        reservationSpec.put("allocateOnce", true).put("ttl", "5m0s").set("template", template);
        reservationSpec.putArray("owners").addObject().set("controller", controller);
        return reservation;
    }
}
