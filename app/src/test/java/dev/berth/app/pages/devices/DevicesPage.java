package dev.berth.app.pages.devices;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.app.pages.UserPage;
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
abstract class DevicesPage extends UserPage {
    private static final String USER = "{.metadata.annotations.berth\\.dev/pod-uid}";

    private final String apiVersion;
    private final boolean forked;

    /** @param forked whether the server has the fork's group and the field of containers */
    DevicesPage(Opening opening, boolean forked) {
        super(opening);
        this.forked = forked;
        this.apiVersion = forked ? "extensions/v1alpha1" : "extensions.berth.dev/v1alpha1";
    }

    @BeforeEach
    void devices() {
        type("apply -f -", device("er1", "node-2", "k80")).ok();
        type("apply -f -", device("er2", "node-1", "v100")).ok();
        type("apply -f -", claim("k80-erc", "k80", 1)).ok();
        eventually(() -> assertThat(phaseOf("er1")).isEqualTo("Available"));
    }

    @AfterEach
    void takeEverythingBack() {
        type("delete deployment,pod --all --ignore-not-found --now").ok();
        kubectl().call("", "delete", kind("extendedresourceclaims"), "--all").ok();
        kubectl().call("", "delete", kind("extendedresources"), "--all").ok();
        eventually(() -> assertThat(podsOf("app=gpu")).isEmpty());
    }

    @Test
    void theDeploymentsPodGetsItsDeviceAndGivesItBack() throws InterruptedException {
        assertThat(type("create -f -", deployment()).ok().out()).isEqualTo("deployment.apps/gpu-resource created\n");

        String pod = onlyPod();
        assertThat(nodeOfRunning(pod)).isEqualTo("node-2");
        assertThat(print("get pod " + pod, "{.metadata.annotations.berth\\.dev/devices}"))
                .isEqualTo("k80-erc=er1");
        eventually(() -> assertThat(claimSays("{.status.phase}")).isEqualTo("Bound"));
        assertThat(claimSays("{.metadata.annotations.extendedresourceclaim/podName}"))
                .isEqualTo(pod);
        assertThat(claimSays("{.spec.extendedResourceNames[0]}")).isEqualTo("er1");
        eventually(() -> assertThat(phaseOf("er1")).isEqualTo("Bound"));
        assertThat(deviceSays("er1", "{.spec.extendedResourceClaimName}")).isEqualTo("k80-erc");
        assertThat(deviceSays("er1", "{.metadata.annotations.extendedresourceclaim/namespace}"))
                .isEqualTo("default");

        type("scale deployment gpu-resource --replicas=2").ok();
        eventually(() -> assertThat(podsOf("app=gpu")).hasSize(2));
        String second = podsOf("app=gpu").stream()
                .filter(name -> !name.equals(pod))
                .findFirst()
                .orElseThrow();
        assertThat(whyPending(second)).contains("ExtendedResourceClaim k80-erc is bound to pod " + pod);
        cluster().restartBerth();
        assertThat(whyPending(second)).contains("ExtendedResourceClaim k80-erc is bound to pod " + pod);

        type("delete deployment gpu-resource").ok();
        eventually(() -> assertThat(phaseOf("er1")).isEqualTo("Available"));
        eventually(() -> assertThat(claimSays("{.status.phase}")).isEmpty());
        assertThat(claimSays("{.spec.extendedResourceNames}")).isEmpty();
        assertThat(deviceSays("er1", "{.spec.extendedResourceClaimName}")).isEmpty();
    }

    @Test
    void forgedAndRemovedRecordsOfDevicesTakeAndFreeNoDevice() throws InterruptedException {
        type("create namespace other").ok();
        type("create -f -", podOnNode2("forger", "other", "")).ok();
        type("wait pod/forger -n other --for=condition=Ready --timeout=60s").ok();
        type("create -f -", deployment()).ok();
        String user = onlyPod();
        nodeOfRunning(user);
        eventually(() -> assertThat(deviceSays("er1", USER)).isEqualTo(uidOf(user)));
        type("apply -f -", claim("second-erc", "k80", 1)).ok();
        type("create -f -", podOnNode2("waiter", "default", "second-erc")).ok();
        assertThat(whyPending("waiter")).contains("extended resources");

        // The forger is older than the pod that uses the device.
        type("annotate pod forger -n other berth.dev/devices=k80-erc=er1").ok();
        eventually(() -> assertThat(type("get events -n other --field-selector involvedObject.name=forger")
                        .ok()
                        .out())
                .contains("FalseRecord", "[er1]"));
        type("annotate pod %s berth.dev/devices-".formatted(user)).ok();
        theDeviceStaysWith(user);
        cluster().restartBerth();
        theDeviceStaysWith(user);

        type("delete deployment gpu-resource").ok();
        assertThat(nodeOfRunning("waiter")).isEqualTo("node-2");
        eventually(() -> assertThat(deviceSays("er1", USER)).isEqualTo(uidOf("waiter")));
        type("delete namespace other").ok();
    }

    /** Berth has seen all that was written before: it has placed a pod that was created after it. */
    private void theDeviceStaysWith(String user) {
        type("create -f -", podOnNode2("later", "default", "")).ok();
        nodeOfRunning("later");
        type("delete pod later --now").ok();
        assertThat(deviceSays("er1", "{.status.phase} {.spec.extendedResourceClaimName} " + USER))
                .isEqualTo("Bound k80-erc " + uidOf(user));
        assertThat(print("get pod waiter", "{.spec.nodeName}")).isEmpty();
    }

    @Test
    void theShortNamesMeanTheKindsOfThePage() {
        assertThat(type("get er er1 --no-headers").ok()).satisfies(said -> {
            assertThat(said.out()).startsWith("er1 ");
            assertThat(said.err()).as("nothing else is called so").isEmpty();
        });
        assertThat(type("get erc k80-erc --no-headers").ok()).satisfies(said -> {
            assertThat(said.out()).startsWith("k80-erc ");
            assertThat(said.err()).as("nothing else is called so").isEmpty();
        });
    }

    @Test
    void aClaimThatCannotBeMetIsToldInWords() {
        type("apply -f -", claim("k80-erc", "k80", 2)).ok();
        type("create -f -", deployment()).ok();

        assertThat(whyPending(onlyPod()))
                .contains("3 extended resources that can be allocated on this node are less than pod needs");

        type("apply -f -", device("er3", "node-2", "k80")).ok();
        assertThat(nodeOfRunning(onlyPod())).isEqualTo("node-2");
    }

    @Test
    void whatMakesNoSenseIsRefusedOrToldWhereItsAuthorLooks() {
        assertThat(type("apply -f -", claim("bad", "k80", -1)).err())
                .contains("spec.extendResourceNum", "should be greater than or equal to 0");
        type("apply -f -", claim("nothing", "k80", 0)).ok();
        eventually(() -> assertThat(
                        print("get %s nothing".formatted(kind("extendedresourceclaims")), "{.status.message}"))
                .contains("one of them must say what is wanted"));
        eventually(() -> assertThat(type("get events --field-selector involvedObject.name=nothing")
                        .ok()
                        .out())
                .contains("NotUsable"));
        type("apply -f -", device("lost", "node-9", "k80")).ok();
        eventually(() -> assertThat(deviceSays("lost", "{.status.message}"))
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
                        .with(Map.of("KUBE_EDITOR", editor.toString()))
                        .run("edit clusterrole system:kube-scheduler")
                        .ok()
                        .out())
                .isEqualTo("clusterrole.rbac.authorization.k8s.io/system:kube-scheduler edited\n");
        assertThat(print("get clusterrole system:kube-scheduler", "{.rules[*].resourceNames}"))
                .contains("extended-resource-scheduler");
    }

    private String onlyPod() {
        eventually(() -> assertThat(podsOf("app=gpu")).hasSize(1));
        return podsOf("app=gpu").get(0);
    }

    private String kind(String plural) {
        return plural + ".v1alpha1." + apiVersion.substring(0, apiVersion.indexOf('/'));
    }

    private String claimSays(String path) {
        return print("get %s k80-erc".formatted(kind("extendedresourceclaims")), path);
    }

    private String deviceSays(String device, String path) {
        return print("get %s %s".formatted(kind("extendedresources"), device), path);
    }

    private String uidOf(String pod) {
        return print("get pod " + pod, "{.metadata.uid}");
    }

    private String phaseOf(String device) {
        return deviceSays(device, "{.status.phase}");
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
        String annotation = forked ? "" : """
                      annotations:
                        berth.dev/extended-resource-claims: k80-erc
                """;
        String field = forked ? """
                        extendedResourceClaims:
                        - "k80-erc"
                """ : "";
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
                """ + annotation + """
                    spec:
                      schedulerName: extended-resource-scheduler
                      containers:
                      - name: nginx
                        image: "nginx:1.14.2"
                """ + field;
    }
}
