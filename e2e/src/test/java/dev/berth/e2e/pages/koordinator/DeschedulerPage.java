package dev.berth.e2e.pages.koordinator;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.e2e.pages.UserPage;
import org.junit.jupiter.api.AfterEach;

/** The objects that koord-descheduler writes for a PodMigrationJob in the mode ReservationFirst. */
abstract class DeschedulerPage extends UserPage {
    static final String JOB = "6f9a9a0c-3b0a-4b62-8f3e-3a9d1f5d7c11";
    static final String ORDER = "1789000000000";

    private static final ObjectMapper JSON = new ObjectMapper();
    static final String DEPLOYMENT = """
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

    @AfterEach
    final void deleteEverything() {
        for (String node : nodes()) {
            run("uncordon " + node).ok();
        }
        run("delete reservation --all").ok();
        run("delete deployment migrated --ignore-not-found").ok();
        run("delete pod --all --grace-period=0 --force").ok();
        eventually(() -> assertThat(run("get pods -o name").ok().out()).isEmpty());
    }

    final String[] nodes() {
        return jsonPath("get nodes", "{.items[*].metadata.name}").split(" ");
    }

    /** A running pod of the Deployment. */
    final String createRunningPod() {
        run("apply -f -", DEPLOYMENT).ok();
        eventually(() -> assertThat(podNames("app=migrated")).hasSize(1));
        awaitRunning(pod());
        return pod();
    }

    final String pod() {
        return podNames("app=migrated").get(0);
    }

    final String uid(String pod) {
        return jsonPath("get pod " + pod, "{.metadata.uid}");
    }

    final String node(String pod) {
        return jsonPath("get pod " + pod, "{.spec.nodeName}");
    }

    final String status(String path) {
        return jsonPath("get reservation " + JOB, path);
    }

    final void awaitAvailable() {
        eventually(() -> assertThat(status("{.status.phase}")).isEqualTo("Available"));
    }

    final void create(ObjectNode reservation) {
        run("create -f -", reservation.toString()).ok();
    }

    final ObjectNode find(String pod) {
        try {
            return (ObjectNode) JSON.readTree(run("get pod %s -o json --show-managed-fields".formatted(pod))
                    .ok()
                    .out());
        } catch (JsonProcessingException broken) {
            throw new AssertionError(broken);
        }
    }

    /** For the successor of a pod: the owner is the controller of the pod. */
    final ObjectNode reservationForSuccessor(String name, String pod) {
        ObjectNode source = find(pod);
        ObjectNode controller = JSON.createObjectNode();
        controller.setAll((ObjectNode) source.at("/metadata/ownerReferences/0"));
        controller.put("namespace", "default");
        return reservation(name, source, JSON.createObjectNode().set("controller", controller));
    }

    /** For a pod that is unschedulable: the owner is the pod itself. */
    final ObjectNode reservationForPendingPod(String pod) {
        ObjectNode source = find(pod);
        ObjectNode object = JSON.createObjectNode()
                .put("kind", "Pod")
                .put("namespace", "default")
                .put("name", pod)
                .put("uid", source.at("/metadata/uid").asText());
        ObjectNode reservation =
                reservation(JOB, source, JSON.createObjectNode().set("object", object));
        // From the template of the job: with the priority of the pod, the older pod would be tried first.
        ((ObjectNode) reservation.at("/spec/template/spec")).put("priority", 1_000);
        return reservation;
    }

    /** The pod's metadata and spec without its node, as the API server shows them. A pending pod has the node "". */
    private static ObjectNode reservation(String name, ObjectNode source, ObjectNode owner) {
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
                .add(source.at("/spec/nodeName").asText());
        ObjectNode reservation = JSON.createObjectNode()
                .put("apiVersion", "scheduling.koordinator.sh/v1alpha1")
                .put("kind", "Reservation");
        reservation
                .putObject("metadata")
                .put("name", name)
                .putObject("labels")
                .put("app.kubernetes.io/created-by", "koord-descheduler")
                .put("scheduling.koordinator.sh/reservation-order", ORDER);
        ObjectNode reservationSpec = reservation.putObject("spec");
        reservationSpec.put("allocateOnce", true).put("ttl", "5m0s").set("template", template);
        reservationSpec.putArray("owners").add(owner);
        return reservation;
    }
}
