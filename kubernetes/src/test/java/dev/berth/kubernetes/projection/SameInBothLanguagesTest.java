package dev.berth.kubernetes.projection;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.core.cluster.Pod;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SameInBothLanguagesTest {
    private static final long SEED = 20_261_115;

    @Test
    void aPodIsTheSameInJsonAndInProtobuf() {
        RandomPods pods = new RandomPods(new Random(SEED));
        PodProjection json = new PodProjection(key -> key.startsWith("berth.dev/"));
        PodProjection protobuf = new PodProjection(key -> key.startsWith("berth.dev/"));
        for (int i = 0; i < 3_000; i++) {
            ObjectNode pod = pods.next();
            Seen<ObservedPod> left = Wire.throughJson(json, pod);
            Seen<ObservedPod> right = Wire.throughProtobuf(protobuf, pod);
            assertThat(facts(right)).as("seed %d, pod %d: %s", SEED, i, pod).isEqualTo(facts(left));
            assertThat(left.problem()).as("seed %d, pod %d: %s", SEED, i, pod).isEmpty();
        }
    }

    /** A pod has no equality of its own: everything it says, one by one. */
    private static List<Object> facts(Seen<ObservedPod> seen) {
        if (seen.view().isEmpty()) {
            return List.of(seen.uid(), seen.version(), seen.problem());
        }
        ObservedPod observed = seen.view().get();
        Pod pod = observed.pod();
        return List.of(
                seen.uid(),
                seen.version(),
                observed.generation(),
                observed.unscheduled(),
                List.of(pod.uid(), pod.namespace(), pod.name(), pod.labels(), pod.annotations()),
                List.of(pod.controller(), pod.schedulerName(), pod.priority(), pod.created(), pod.terminating()),
                List.of(pod.phase(), pod.nodeName(), pod.gates(), pod.volumes()),
                pod.shape());
    }
}
