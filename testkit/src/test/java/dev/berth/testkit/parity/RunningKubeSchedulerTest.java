package dev.berth.testkit.parity;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.testkit.controlplane.OnRealControlPlane;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The referee decides as a running kube-scheduler, and Berth agrees on the objects as the API server stores them. */
@OnRealControlPlane
class RunningKubeSchedulerTest {
    private static final long SEED = 7;
    private static final int NODES = 12;
    private static final int PODS = 20;
    private static final int PROBES = 40;
    /** What dynamic resource allocation says of every refused pod, whether it claims devices or not. */
    private static final String DRA_PREFIX = "no new claims to deallocate, ";

    private final RandomChoices randomChoices = new RandomChoices(SEED);
    private final List<String> nodes =
            IntStream.range(0, NODES).mapToObj(i -> "n" + i).toList();
    private final PodGenerator pods = new PodGenerator(randomChoices, nodes);

    @Test
    void theRefereeAndBerthDecideAsARunningKubeScheduler() {
        int compared = 0;
        try (KubeSchedulerReferee referee = KubeSchedulerReferee.start();
                RunningKubeScheduler running = new RunningKubeScheduler()) {
            populate(running);
            running.start();
            for (int i = 0; i < PROBES; i++) {
                ObjectNode probe = withoutClaims(pods.pendingPod("new-" + i));
                probe.withObject("/spec").put("preemptionPolicy", "Never");
                ClusterTrace before = new ClusterTrace(SEED, cluster(running));
                if (running.create(probe)) {
                    compare(referee, running, before, probe);
                    compared++;
                }
            }
        }
        assertThat(compared).as("probes that the API server took").isGreaterThan(PROBES / 2);
    }

    /** There are no claims here, and the message for a missing claim differs from that of traces. */
    private static ObjectNode withoutClaims(ObjectNode pod) {
        Iterator<JsonNode> volumes = pod.path("spec").path("volumes").iterator();
        while (volumes.hasNext()) {
            if (volumes.next().has("persistentVolumeClaim")) {
                volumes.remove();
            }
        }
        return pod;
    }

    private void populate(RunningKubeScheduler running) {
        WorkloadGenerator workloads = new WorkloadGenerator(randomChoices);
        WorkloadGenerator.NAMESPACES.forEach(name -> running.create(workloads.namespace(name)));
        WorkloadGenerator.APPS.forEach(app -> {
            ObjectNode service =
                    ApiObjects.named("v1", "Service", randomChoices.any(WorkloadGenerator.NAMESPACES), app);
            service.putObject("spec")
                    .put("clusterIP", "None")
                    .putObject("selector")
                    .put("app", app);
            running.create(service);
        });
        NodeGenerator writer = new NodeGenerator(randomChoices);
        nodes.forEach(node -> running.create(writer.node(node)));
        for (int i = 0; i < PODS; i++) {
            running.create(pods.boundPod("old-" + i));
        }
    }

    private static List<TraceStep> cluster(RunningKubeScheduler running) {
        List<TraceStep> steps = new ArrayList<>();
        for (String kind : List.of("Namespace", "Service", "Node", "Pod")) {
            running.list("v1", kind).forEach(object -> steps.add(TraceStep.upsert(object)));
        }
        return steps;
    }

    private static void compare(
            KubeSchedulerReferee referee, RunningKubeScheduler running, ClusterTrace before, ObjectNode probe) {
        SchedulingOutcome real = running.awaitOutcome(probe);
        // As the API server shows it, with its defaults, and as it was before it was bound.
        ObjectNode shown = running.list("v1", "Pod").stream()
                .filter(pod -> ApiObjects.name(pod).equals(ApiObjects.name(probe)))
                .findFirst()
                .orElseThrow();
        shown.withObject("/spec").remove("nodeName");
        shown.remove("status");
        List<TraceStep> steps = new ArrayList<>(before.steps());
        steps.add(TraceStep.schedule(shown));
        ClusterTrace clusterTrace = before.with(steps);
        List<SchedulingOutcome> schedulingOutcomes = referee.schedule(clusterTrace);
        SchedulingOutcome said = schedulingOutcomes.get(0);
        String about = "%nrunning: %s%nreferee: %s%n%s".formatted(real, said, ApiObjects.yaml(shown));
        if (real.nodeName().isEmpty()) {
            assertThat(real.unschedulableMessage().replace(DRA_PREFIX, ""))
                    .as(about)
                    .isEqualTo(said.unschedulableMessage());
            running.delete(probe);
        } else {
            assertThat(said.feasible().get(real.nodeName())).as(about).isEqualTo(said.highestScore());
            assertThat(said.feasible().size() < 2 || said.feasible().equals(real.feasible()))
                    .as(about)
                    .isTrue();
        }
        assertThat(Difference.firstUnknownIn(clusterTrace, schedulingOutcomes, new KnownDifferenceCounts()))
                .as(about)
                .isEmpty();
    }
}
