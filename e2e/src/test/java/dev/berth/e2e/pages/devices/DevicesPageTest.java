package dev.berth.e2e.pages.devices;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.e2e.pages.UserPage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The page of kube-extended-resource. Its devices come from a kubelet of its own; here somebody writes them down. On a
 * stock server a pod names its claims in an annotation, since containers have no field for them there.
 */
final class DevicesPageTest extends UserPage {
    private static final String USER = "{.metadata.annotations.berth\\.dev/pod-uid}";

    private String apiVersion = "";

    DevicesPageTest() {
        super("devices");
    }

    @BeforeEach
    void createDevices() {
        apiVersion = cluster().hasForkedApi() ? "extensions/v1alpha1" : "extensions.berth.dev/v1alpha1";
        run("apply -f -", device("er1", "node-2", "k80")).ok();
        run("apply -f -", device("er2", "node-1", "v100")).ok();
        run("apply -f -", claim("k80-erc", "k80", 1)).ok();
        eventually(() -> assertThat(phaseOf("er1")).isEqualTo("Available"));
    }

    @AfterEach
    void deleteEverything() {
        run("delete deployment,pod --all --ignore-not-found --now").ok();
        kubectl()
                .runArguments("", "delete", kind("extendedresourceclaims"), "--all")
                .ok();
        kubectl().runArguments("", "delete", kind("extendedresources"), "--all").ok();
        eventually(() -> assertThat(podNames("app=gpu")).isEmpty());
    }

    @Test
    void aPodOfADeploymentGetsItsDeviceAndReleasesIt() throws InterruptedException {
        assertThat(run("create -f -", deployment()).ok().out()).isEqualTo("deployment.apps/gpu-resource created\n");

        String pod = onlyPod();
        assertThat(awaitRunning(pod)).isEqualTo("node-2");
        assertThat(jsonPath("get pod " + pod, "{.metadata.annotations.berth\\.dev/devices}"))
                .isEqualTo("k80-erc=er1");
        eventually(() -> assertThat(claimField("{.status.phase}")).isEqualTo("Bound"));
        assertThat(claimField("{.metadata.annotations.extendedresourceclaim/podName}"))
                .isEqualTo(pod);
        assertThat(claimField("{.spec.extendedResourceNames[0]}")).isEqualTo("er1");
        eventually(() -> assertThat(phaseOf("er1")).isEqualTo("Bound"));
        assertThat(deviceField("er1", "{.spec.extendedResourceClaimName}")).isEqualTo("k80-erc");
        assertThat(deviceField("er1", "{.metadata.annotations.extendedresourceclaim/namespace}"))
                .isEqualTo("default");

        run("scale deployment gpu-resource --replicas=2").ok();
        eventually(() -> assertThat(podNames("app=gpu")).hasSize(2));
        String second = podNames("app=gpu").stream()
                .filter(name -> !name.equals(pod))
                .findFirst()
                .orElseThrow();
        assertThat(unschedulableMessage(second)).contains("ExtendedResourceClaim k80-erc is bound to pod " + pod);
        cluster().restartBerth();
        assertThat(unschedulableMessage(second)).contains("ExtendedResourceClaim k80-erc is bound to pod " + pod);

        run("delete deployment gpu-resource").ok();
        eventually(() -> assertThat(phaseOf("er1")).isEqualTo("Available"));
        eventually(() -> assertThat(claimField("{.status.phase}")).isEmpty());
        assertThat(claimField("{.spec.extendedResourceNames}")).isEmpty();
        assertThat(deviceField("er1", "{.spec.extendedResourceClaimName}")).isEmpty();
    }

    @Test
    void forgedAndRemovedRecordsOfDevicesTakeAndFreeNoDevice() throws InterruptedException {
        run("create namespace other").ok();
        run("create -f -", podOnNode2("forger", "other", "")).ok();
        run("wait pod/forger -n other --for=condition=Ready --timeout=60s").ok();
        run("create -f -", deployment()).ok();
        String user = onlyPod();
        awaitRunning(user);
        eventually(() -> assertThat(deviceField("er1", USER)).isEqualTo(uidOf(user)));
        run("apply -f -", claim("second-erc", "k80", 1)).ok();
        run("create -f -", podOnNode2("waiter", "default", "second-erc")).ok();
        assertThat(unschedulableMessage("waiter")).contains("extended resources");

        // The forger is older than the pod that uses the device.
        run("annotate pod forger -n other berth.dev/devices=k80-erc=er1").ok();
        eventually(() -> assertThat(run("get events -n other --field-selector involvedObject.name=forger")
                        .ok()
                        .out())
                .contains("InvalidAnnotation", "[er1]"));
        run("annotate pod %s berth.dev/devices-".formatted(user)).ok();
        checkDeviceStaysWith(user);
        cluster().restartBerth();
        checkDeviceStaysWith(user);

        run("delete deployment gpu-resource").ok();
        assertThat(awaitRunning("waiter")).isEqualTo("node-2");
        eventually(() -> assertThat(deviceField("er1", USER)).isEqualTo(uidOf("waiter")));
        run("delete namespace other").ok();
    }

    /** Berth has seen all that was written before: it has placed a pod that was created after it. */
    private void checkDeviceStaysWith(String user) {
        run("create -f -", podOnNode2("later", "default", "")).ok();
        awaitRunning("later");
        run("delete pod later --now").ok();
        assertThat(deviceField("er1", "{.status.phase} {.spec.extendedResourceClaimName} " + USER))
                .isEqualTo("Bound k80-erc " + uidOf(user));
        assertThat(jsonPath("get pod waiter", "{.spec.nodeName}")).isEmpty();
    }

    @Test
    void theShortNamesOfTheKindsAreNotAmbiguous() {
        assertThat(run("get er er1 --no-headers").ok()).satisfies(said -> {
            assertThat(said.out()).startsWith("er1 ");
            assertThat(said.err()).as("nothing else is called so").isEmpty();
        });
        assertThat(run("get erc k80-erc --no-headers").ok()).satisfies(said -> {
            assertThat(said.out()).startsWith("k80-erc ");
            assertThat(said.err()).as("nothing else is called so").isEmpty();
        });
    }

    @Test
    void anUnmetClaimIsReportedOnThePod() {
        run("apply -f -", claim("k80-erc", "k80", 2)).ok();
        run("create -f -", deployment()).ok();

        assertThat(unschedulableMessage(onlyPod()))
                .contains("3 extended resources that can be allocated on this node are less than pod needs");

        run("apply -f -", device("er3", "node-2", "k80")).ok();
        assertThat(awaitRunning(onlyPod())).isEqualTo("node-2");
    }

    @Test
    void malformedObjectsAreRejectedOrReportedInTheirStatus() {
        assertThat(run("apply -f -", claim("bad", "k80", -1)).err())
                .contains("spec.extendResourceNum", "should be greater than or equal to 0");
        run("apply -f -", claim("nothing", "k80", 0)).ok();
        eventually(() -> assertThat(
                        jsonPath("get %s nothing".formatted(kind("extendedresourceclaims")), "{.status.message}"))
                .contains("Set one of them"));
        eventually(() -> assertThat(run("get events --field-selector involvedObject.name=nothing")
                        .ok()
                        .out())
                .contains("NotUsable"));
        run("apply -f -", device("lost", "node-9", "k80")).ok();
        eventually(() -> assertThat(deviceField("lost", "{.status.message}"))
                .isEqualTo("no node matches spec.nodeAffinity.required"));
    }

    @Test
    void theSchedulersNameIsAddedToTheClusterRole(@TempDir Path folder) throws IOException {
        Path editor = Files.writeString(folder.resolve("editor"), """
                #!/bin/sh
                cat >> "$1" <<'END'
                - apiGroups:
                  - ""
                  resourceNames:
                  - kube-scheduler
                  - extended-resource-scheduler
                  resources:
                  - endpoints
                  verbs:
                  - delete
                  - get
                  - patch
                  - update
                END
                """);
        Files.setPosixFilePermissions(editor, PosixFilePermissions.fromString("rwx------"));

        assertThat(kubectl()
                        .withEnvironment(Map.of("KUBE_EDITOR", editor.toString()))
                        .run("edit clusterrole system:kube-scheduler")
                        .ok()
                        .out())
                .isEqualTo("clusterrole.rbac.authorization.k8s.io/system:kube-scheduler edited\n");
        assertThat(jsonPath("get clusterrole system:kube-scheduler", "{.rules[*].resourceNames}"))
                .contains("extended-resource-scheduler");
    }

    private String onlyPod() {
        eventually(() -> assertThat(podNames("app=gpu")).hasSize(1));
        return podNames("app=gpu").get(0);
    }

    private String kind(String plural) {
        return plural + ".v1alpha1." + apiVersion.substring(0, apiVersion.indexOf('/'));
    }

    private String claimField(String path) {
        return jsonPath("get %s k80-erc".formatted(kind("extendedresourceclaims")), path);
    }

    private String deviceField(String device, String path) {
        return jsonPath("get %s %s".formatted(kind("extendedresources"), device), path);
    }

    private String uidOf(String pod) {
        return jsonPath("get pod " + pod, "{.metadata.uid}");
    }

    private String phaseOf(String device) {
        return deviceField(device, "{.status.phase}");
    }

    private String device(String name, String node, String type) {
        return """
                apiVersion: %s
                kind: ExtendedResource
                metadata:
                  name: %s
                spec:
                  rawResourceName: nvidia.com-gpu
                  deviceID: gpu-%s
                  properties:
                    type: %s
                  nodeAffinity:
                    required:
                      nodeSelectorTerms:
                      - matchExpressions:
                        - key: kubernetes.io/hostname
                          operator: In
                          values: [%s]
                """.formatted(apiVersion, name, name, type, node);
    }

    private String claim(String name, String type, int count) {
        return """
                apiVersion: %s
                kind: ExtendedResourceClaim
                metadata:
                  name: %s
                  namespace: default
                spec:
                  rawResourceName: nvidia.com-gpu
                  metadataRequirements:
                    matchLabels:
                      type: %s
                  extendResourceNum: %d
                """.formatted(apiVersion, name, type, count);
    }

    /** @param claim empty for a pod that claims no device */
    private static String podOnNode2(String name, String namespace, String claim) {
        return """
                apiVersion: v1
                kind: Pod
                metadata:
                  name: %s
                  namespace: %s
                  annotations: {%s}
                spec:
                  schedulerName: extended-resource-scheduler
                  nodeSelector: {kubernetes.io/hostname: node-2}
                  containers: [{name: c, image: nginx}]
                """.formatted(name, namespace, claim.isEmpty() ? "" : "berth.dev/extended-resource-claims: " + claim);
    }

    private String deployment() {
        if (!cluster().hasForkedApi()) {
            return example("config/nginx.yaml");
        }
        return """
                apiVersion: apps/v1
                kind: Deployment
                metadata:
                  name: gpu-resource
                  namespace: default
                spec:
                  selector:
                    matchLabels:
                      app: gpu
                  replicas: 1
                  template:
                    metadata:
                      labels:
                        app: gpu
                    spec:
                      schedulerName: extended-resource-scheduler
                      containers:
                      - name: nginx
                        image: "nginx:1.14.2"
                        extendedResourceClaims:
                        - "k80-erc"
                """;
    }
}
