package dev.berth.testkit.contract.writing;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.testkit.contract.ApiResponse;
import dev.berth.testkit.contract.ApiServerContract;
import dev.berth.testkit.contract.Manifests;
import org.junit.jupiter.api.Test;

/** What a server fills in: a scheduler reads these fields and must find them as they are on a real one. */
public abstract class DefaultsContract extends ApiServerContract {

    @Test
    void aPodGetsItsDefaults() {
        skipOn("1.32", "a pod has no generation");
        ApiResponse created = api.post(
                        testNamespace.path("pods"),
                        Manifests.yaml(
                                "{apiVersion: v1, kind: Pod, metadata: {name: web}, spec: {containers: [{name: main, image: nginx}]}}"))
                .expect(201);

        assertThat(created.json().path("spec")).isEqualTo(json("""
                containers:
                - name: main
                  image: nginx
                  imagePullPolicy: Always
                  resources: {}
                  terminationMessagePath: /dev/termination-log
                  terminationMessagePolicy: File
                dnsPolicy: ClusterFirst
                enableServiceLinks: true
                preemptionPolicy: PreemptLowerPriority
                priority: 0
                restartPolicy: Always
                schedulerName: default-scheduler
                securityContext: {}
                terminationGracePeriodSeconds: 30
                tolerations:
                - {key: node.kubernetes.io/not-ready, operator: Exists, effect: NoExecute, tolerationSeconds: 300}
                - {key: node.kubernetes.io/unreachable, operator: Exists, effect: NoExecute, tolerationSeconds: 300}
                """));
        assertThat(created.json().path("status")).isEqualTo(json("{phase: Pending, qosClass: BestEffort}"));
        assertThat(created.at("/metadata/generation")).isEqualTo("1");
    }

    @Test
    void requestsDefaultToLimits() {
        ObjectNode pod = Manifests.pod("web");
        ((ObjectNode) pod.at("/spec/containers/0")).set("resources", Manifests.yaml("{limits: {cpu: 1, memory: 1Gi}}"));

        ApiResponse created = api.post(testNamespace.path("pods"), pod).expect(201);

        assertThat(created.json().at("/spec/containers/0/resources"))
                .isEqualTo(json("{limits: {cpu: '1', memory: 1Gi}, requests: {cpu: '1', memory: 1Gi}}"));
        assertThat(created.at("/status/qosClass")).isEqualTo("Guaranteed");
    }

    @Test
    void aTaggedImageIsPulledWhenMissingAndAPortHasAProtocol() {
        ObjectNode pod = Manifests.pod("web");
        ((ObjectNode) pod.path("spec"))
                .set(
                        "containers",
                        Manifests.yaml(
                                        "{c: [{name: main, image: 'nginx:1', ports: [{containerPort: 80, hostPort: 80}]}]}")
                                .path("c"));

        ApiResponse created = api.post(testNamespace.path("pods"), pod).expect(201);

        assertThat(created.at("/spec/containers/0/imagePullPolicy")).isEqualTo("IfNotPresent");
        assertThat(created.json().at("/spec/containers/0/ports/0"))
                .isEqualTo(json("{containerPort: 80, hostPort: 80, protocol: TCP}"));
    }

    @Test
    void aDeploymentGetsItsDefaults() {
        ObjectNode deployment = Manifests.deployment("web");
        ((ObjectNode) deployment.path("spec")).remove("replicas");
        ((ObjectNode) deployment.path("spec")).put("paused", true);

        ApiResponse created = api.post(testNamespace.path("apps/v1", "deployments"), deployment)
                .expect(201);

        JsonNode spec = created.json().path("spec");
        assertThat(spec.path("replicas").asInt()).isEqualTo(1);
        assertThat(spec.path("progressDeadlineSeconds").asInt()).isEqualTo(600);
        assertThat(spec.path("revisionHistoryLimit").asInt()).isEqualTo(10);
        assertThat(spec.path("strategy"))
                .isEqualTo(json("{type: RollingUpdate, rollingUpdate: {maxSurge: 25%, maxUnavailable: 25%}}"));
        assertThat(spec.at("/template/spec/schedulerName").asText()).isEqualTo("nobody");
        assertThat(spec.at("/template/spec/tolerations").isMissingNode()).isTrue();
        assertThat(created.json().path("status")).isEqualTo(json("{}"));
    }

    @Test
    void aNodeGetsItsDefaults() {
        String name = testNamespace.uniqueName("n");

        ApiResponse created = testNamespace.create(
                "/api/v1/nodes",
                Manifests.yaml("{apiVersion: v1, kind: Node, metadata: {name: %s}, status: {capacity: {cpu: 4}}}"
                        .formatted(name)));

        assertThat(created.json().path("spec")).isEqualTo(json("{}"));
        assertThat(created.at("/status/capacity/cpu")).isEqualTo("4");
        assertThat(created.at("/status/allocatable/cpu")).isEqualTo("4");
        assertThat(created.json().at("/status/daemonEndpoints/kubeletEndpoint")).isEqualTo(json("{Port: 0}"));
    }

    @Test
    void aServiceIsGivenAnAddress() {
        ApiResponse created = api.post(
                        testNamespace.path("services"),
                        Manifests.yaml(
                                "{apiVersion: v1, kind: Service, metadata: {name: web}, spec: {ports: [{port: 80}], selector: {app: web}}}"))
                .expect(201);

        assertThat(created.at("/spec/type")).isEqualTo("ClusterIP");
        assertThat(created.at("/spec/clusterIP")).matches("10\\.\\d+\\.\\d+\\.\\d+");
        assertThat(created.at("/spec/ports/0/targetPort")).isEqualTo("80");
        assertThat(created.at("/spec/ports/0/protocol")).isEqualTo("TCP");
        assertThat(created.at("/spec/sessionAffinity")).isEqualTo("None");
    }

    private static JsonNode json(String yaml) {
        return Manifests.yaml(yaml);
    }
}
