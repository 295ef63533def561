package dev.berth.e2e.pages.nodeannotation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.e2e.pages.UserPage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The page of scheduler-plugin-demo. Its node has 6000m; those here have 8, so the numbers that are kept are larger. */
final class NodeAnnotationPageTest extends UserPage {
    private static final String STRANGER = "a8f6f901-47c9-4475-b1f4-cac44597e173";

    NodeAnnotationPageTest() {
        super("node-annotation");
    }

    @AfterEach
    void deleteEverything() {
        run("delete deployment testngx --ignore-not-found").ok();
        run("annotate node node-1 reserve.cpu/%s- reserve.kubernetes.io/resources-".formatted(STRANGER))
                .ok();
        eventually(() -> assertThat(podNames("app=testngx")).isEmpty());
    }

    @Test
    void recreatedPodIsRefusedResourcesReservedForAnotherOwner() throws InterruptedException {
        run("apply -f -", onNode1()).ok();
        String pod = getOnlyPod();
        assertThat(awaitRunning(pod)).isEqualTo("node-1");

        assertThat(run("annotate node node-1 reserve.cpu/%s=7500m".formatted(STRANGER))
                        .ok()
                        .out())
                .isEqualTo("node/node-1 annotated\n");
        run("delete po " + pod).ok();

        String next = getOnlyPod();
        assertThat(unschedulableMessage(next))
                .containsPattern("1 Insufficient cpu \\([0-9m]+ held by annotation of node node-1");
        assertThat(run("describe pod " + next).ok().out())
                .contains("FailedScheduling", "held by annotation of node node-1");
        cluster().restartBerth();
        assertThat(unschedulableMessage(next))
                .as("what is written on the node outlives Berth")
                .containsPattern("1 Insufficient cpu \\([0-9m]+ held by annotation of node node-1");

        run("annotate node node-1 reserve.cpu/%s-".formatted(STRANGER)).ok();
        assertThat(awaitRunning(next)).isEqualTo("node-1");
    }

    @Test
    void ownerReturnsToResourcesReservedForIt() {
        run("apply -f -", onNode1()).ok();
        String pod = getOnlyPod();
        assertThat(awaitRunning(pod)).isEqualTo("node-1");
        String owner = jsonPath("get pod " + pod, "{.metadata.ownerReferences[0].uid}");

        reserveByList(owner, 7500);
        run("delete po " + pod).ok();

        String next = getOnlyPod();
        assertThat(awaitRunning(next)).isEqualTo("node-1");
        assertThat(jsonPath("get pod " + next, "{.metadata.annotations.berth\\.dev/hold}"))
                .endsWith(owner);
    }

    @Test
    void malformedAnnotationIsReportedOnTheNodeAndTheRestCounts() {
        run("annotate node node-1 reserve.cpu/%s=much".formatted(STRANGER)).ok();
        reserveByList(STRANGER, 7500);
        eventually(
                () -> assertThat(run("get events -A --field-selector involvedObject.kind=Node,reason=InvalidAnnotation")
                                .ok()
                                .out())
                        .contains("annotation (reserve.cpu/%s)".formatted(STRANGER), "much"));

        run("apply -f -", onNode1()).ok();
        assertThat(unschedulableMessage(getOnlyPod()))
                .containsPattern("1 Insufficient cpu \\([0-9m]+ held by annotation of node node-1");
    }

    /** The example, on the node that the tests annotate. */
    private String onNode1() {
        String name = "schedulerName: test-scheduler\n";
        return example("testngx.yaml").replace(name, name + "      nodeSelector: {kubernetes.io/hostname: node-1}\n");
    }

    private void reserveByList(String owner, int millicores) {
        String list = ("[{\"owner_type\":\"ReplicaSet\",\"owner_uid\":\"%s\",\"pod_name\":\"x\","
                        + "\"reserved_resources\":[{\"resource_type\":\"cpu\",\"reserved_quanty\":%d}]}]")
                .formatted(owner, millicores);
        kubectl()
                .runArguments("", "annotate", "node", "node-1", "reserve.kubernetes.io/resources=" + list)
                .ok();
    }

    /** The Deployment's pod that is not on its way out. */
    private String getOnlyPod() {
        eventually(() -> assertThat(podNames("app=testngx")).hasSize(1));
        return podNames("app=testngx").get(0);
    }
}
