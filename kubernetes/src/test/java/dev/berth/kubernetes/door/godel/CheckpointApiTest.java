package dev.berth.kubernetes.door.godel;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.core.cluster.HostPort;
import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.cluster.Taint;
import dev.berth.core.cluster.Toleration;
import dev.berth.core.door.godel.CheckpointObject;
import dev.berth.core.door.godel.CheckpointWrite;
import dev.berth.core.door.godel.CheckpointedPod;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.resource.Resources;
import dev.berth.kubernetes.effects.WriteRequest;
import dev.berth.kubernetes.projection.WireObjects;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class CheckpointApiTest {
    private static CheckpointedPod pod(String uid, List<Toleration> tolerations) {
        return new CheckpointedPod(
                new PodUid(uid),
                "default",
                "web-0",
                "n1",
                "node-uid",
                "key",
                Duration.ofSeconds(90),
                Resources.of(ResourceName.CPU, 1500).with(ResourceName.MEMORY, 100L << 20),
                List.of(new HostPort("UDP", "10.0.0.1", 53)),
                "berth-scheduler",
                7,
                new CheckpointedPod.Controller("apps/v1", "StatefulSet", "web", "set-uid"),
                "koordinator/r",
                List.of("deployment-uid", "set-uid"),
                true,
                "reservation-uid",
                Labels.of(Map.of("app", "web", "empty", "")),
                tolerations);
    }

    private static ObjectNode body(WriteRequest request) {
        return WireObjects.yaml(new String(request.body().toBytes(), StandardCharsets.UTF_8));
    }

    private static CheckpointObject read(ObjectNode object) {
        return WireObjects.readFromJson(new CheckpointProjection(), object)
                .view()
                .orElseThrow();
    }

    @Test
    void entryWithANegativeRequestIsLeftOutAndTheRestIsRead() {
        CheckpointObject read = read(WireObjects.yaml("""
                apiVersion: berth.dev/v1alpha1
                kind: Checkpoint
                metadata: {name: godel-0, uid: c, generation: 1}
                spec:
                  pods:
                    bad: {namespace: default, name: a, nodeName: n1, successorKey: i, ttlSeconds: 60, requests: cpu=-1}
                    good: {namespace: default, name: b, nodeName: n1, successorKey: i, ttlSeconds: 60, requests: cpu=1}
                """));

        assertThat(read.pods()).containsOnlyKeys(new PodUid("good"));
    }

    @Test
    void createdCheckpointIsReadBackUnchanged() {
        CheckpointedPod plain = pod("a", List.of());
        CheckpointedPod tolerant = pod(
                "b",
                List.of(
                        new Toleration(
                                "team", Toleration.Operator.EQUAL, "a", Optional.of(Taint.TaintEffect.NO_SCHEDULE)),
                        new Toleration(
                                "bare", Toleration.Operator.EQUAL, "", Optional.of(Taint.TaintEffect.NO_EXECUTE)),
                        new Toleration("any", Toleration.Operator.EXISTS, "", Optional.empty()),
                        new Toleration("", Toleration.Operator.EXISTS, "", Optional.empty())));
        Map<PodUid, CheckpointedPod> pods = Map.of(plain.uid(), plain, tolerant.uid(), tolerant);

        ObjectNode object = body(CheckpointApi.create(new CheckpointWrite.CreateCheckpoint("godel-0", pods)));

        assertThat(read(object).pods()).isEqualTo(pods);
    }

    @Test
    void patchUpsertsAndRemovesPods() {
        CheckpointedPod plain = pod("a", List.of());
        ObjectNode object = body(CheckpointApi.patch(new CheckpointWrite.PatchCheckpoint(
                "godel-0", Map.of(plain.uid(), plain), Set.of(new PodUid("gone")))));

        assertThat(object.path("spec").path("pods").path("gone").isNull()).isTrue();
        assertThat(object.path("spec")
                        .path("pods")
                        .path("a")
                        .path("tolerations")
                        .isArray())
                .as("a merge replaces what was there")
                .isTrue();
    }

    @Test
    void malformedEntryIsLeftOutAndTheOthersAreRead() {
        CheckpointedPod plain = pod("a", List.of());
        CheckpointedPod other =
                pod("b", List.of(new Toleration("k", Toleration.Operator.EXISTS, "", Optional.empty())));
        ObjectNode object = body(CheckpointApi.create(
                new CheckpointWrite.CreateCheckpoint("godel-0", Map.of(plain.uid(), plain, other.uid(), other))));
        object.withObject("/spec/pods/b").withArray("tolerations").addObject().put("effect", "Sometimes");

        assertThat(read(object).pods()).containsOnlyKeys(plain.uid());
    }
}
