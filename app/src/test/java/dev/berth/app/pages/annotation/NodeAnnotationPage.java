package dev.berth.app.pages.annotation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.app.pages.UserPage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The page of scheduler-plugin-demo. Its node has 6000m; those here have 8, so the numbers that are kept are larger. */
abstract class NodeAnnotationPage extends UserPage {
    private static final String STRANGER = "a8f6f901-47c9-4475-b1f4-cac44597e173";
    private static final String EXAMPLE = """
            apiVersion: apps/v1
            kind: Deployment
            metadata:
              name: testngx
              namespace: default
            spec:
              replicas: 1
              selector:
                matchLabels:
                  app: testngx
              template:
                metadata:
                  labels:
                    app: testngx
                spec:
                  schedulerName: test-scheduler
                  nodeSelector:
                    kubernetes.io/hostname: node-1
                  containers:
                    - image: nginx
                      imagePullPolicy: IfNotPresent
                      name: testngx
                      ports:
                        - containerPort: 80
                      resources:
                        requests:
                          cpu: "1000m"
                          memory: "128Mi"
            """;

    NodeAnnotationPage(Opening opening) {
        super(opening);
    }

    @AfterEach
    void takeEverythingBack() {
        type("delete deployment testngx --ignore-not-found").ok();
        type("annotate node node-1 reserve.cpu/%s- reserve.kubernetes.io/resources-".formatted(STRANGER))
                .ok();
        eventually(() -> assertThat(podsOf("app=testngx")).isEmpty());
    }

    @Test
    void aRecreatedPodIsKeptOffWhatTheNodeKeepsForAnother() throws InterruptedException {
        type("apply -f -", EXAMPLE).ok();
        String pod = onlyPod();
        assertThat(nodeOfRunning(pod)).isEqualTo("node-1");

        assertThat(type("annotate node node-1 reserve.cpu/%s=7500m".formatted(STRANGER))
                        .ok()
                        .out())
                .isEqualTo("node/node-1 annotated\n");
        type("delete po " + pod).ok();

        String next = onlyPod();
        assertThat(whyPending(next)).containsPattern("1 Insufficient cpu \\([0-9m]+ held by annotation of node node-1");
        assertThat(type("describe pod " + next).ok().out())
                .contains("FailedScheduling", "held by annotation of node node-1");
        cluster().restartBerth();
        assertThat(whyPending(next))
                .as("what is written on the node outlives Berth")
                .containsPattern("1 Insufficient cpu \\([0-9m]+ held by annotation of node node-1");

        type("annotate node node-1 reserve.cpu/%s-".formatted(STRANGER)).ok();
        assertThat(nodeOfRunning(next)).isEqualTo("node-1");
    }

    @Test
    void theOwnerComesBackToWhatIsKeptForIt() {
        type("apply -f -", EXAMPLE).ok();
        String pod = onlyPod();
        assertThat(nodeOfRunning(pod)).isEqualTo("node-1");
        String owner = print("get pod " + pod, "{.metadata.ownerReferences[0].uid}");

        keepByList(owner, 7500);
        type("delete po " + pod).ok();

        String next = onlyPod();
        assertThat(nodeOfRunning(next)).isEqualTo("node-1");
        assertThat(print("get pod " + next, "{.metadata.annotations.berth\\.dev/hold}"))
                .endsWith(owner);
    }

    @Test
    void whatMakesNoSenseIsToldOnTheNodeAndTheRestCounts() {
        type("annotate node node-1 reserve.cpu/%s=much".formatted(STRANGER)).ok();
        keepByList(STRANGER, 7500);
        eventually(
                () -> assertThat(type("get events -A --field-selector involvedObject.kind=Node,reason=MalformedReserve")
                                .ok()
                                .out())
                        .contains("annotation (reserve.cpu/%s)".formatted(STRANGER), "much"));

        type("apply -f -", EXAMPLE).ok();
        assertThat(whyPending(onlyPod()))
                .containsPattern("1 Insufficient cpu \\([0-9m]+ held by annotation of node node-1");
    }

    private void keepByList(String owner, int millicores) {
        String list = ("[{\"owner_type\":\"ReplicaSet\",\"owner_uid\":\"%s\",\"pod_name\":\"x\","
                        + "\"reserved_resources\":[{\"resource_type\":\"cpu\",\"reserved_quanty\":%d}]}]")
                .formatted(owner, millicores);
        kubectl()
                .call("", "annotate", "node", "node-1", "reserve.kubernetes.io/resources=" + list)
                .ok();
    }

    /** The Deployment's pod that is not on its way out. */
    private String onlyPod() {
        eventually(() -> assertThat(podsOf("app=testngx")).hasSize(1));
        return podsOf("app=testngx").get(0);
    }
}
