package dev.berth.kubernetes.projection;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.core.cluster.Pod;
import dev.berth.core.testing.RandomHistories;
import java.util.List;
import java.util.Random;

class PodFormatsTest {
    @RandomHistories(count = 3, first = 20_261_115)
    void aRandomPodReadsTheSameFromJsonAndProtobuf(long seed) {
        RandomPods pods = new RandomPods(new Random(seed));
        PodProjection json = new PodProjection(key -> key.startsWith("berth.dev/"));
        PodProjection protobuf = new PodProjection(key -> key.startsWith("berth.dev/"));
        for (int i = 0; i < 1_000; i++) {
            ObjectNode pod = pods.next();
            ReadResult<ObservedPod> left = WireObjects.readFromJson(json, pod);
            ReadResult<ObservedPod> right = WireObjects.readFromProtobuf(protobuf, pod);
            assertThat(fieldsOf(right)).as("pod %d: %s", i, pod).isEqualTo(fieldsOf(left));
            assertThat(left.problem()).as("pod %d: %s", i, pod).isEmpty();
        }
    }

    /** A pod has no equality of its own: everything it says, one by one. */
    private static List<Object> fieldsOf(ReadResult<ObservedPod> readResult) {
        if (readResult.view().isEmpty()) {
            return List.of(readResult.uid(), readResult.resourceVersion(), readResult.problem());
        }
        ObservedPod observed = readResult.view().get();
        Pod pod = observed.pod();
        return List.of(
                readResult.uid(),
                readResult.resourceVersion(),
                observed.generation(),
                observed.unscheduledCondition(),
                List.of(pod.uid(), pod.namespace(), pod.name(), pod.labels(), pod.annotations()),
                List.of(pod.controller(), pod.schedulerName(), pod.priority(), pod.created(), pod.terminating()),
                List.of(pod.phase(), pod.nodeName(), pod.schedulingGates(), pod.volumes()),
                pod.spec());
    }
}
