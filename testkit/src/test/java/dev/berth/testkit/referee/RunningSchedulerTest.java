package dev.berth.testkit.referee;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.testkit.controlplane.OnRealControlPlane;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The referee speaks for kube-scheduler as it runs, and Berth agrees on what the API server made of the objects. */
@OnRealControlPlane
class RunningSchedulerTest {
    private static final long SEED = 7;
    private static final int NODES = 12;
    private static final int PODS = 20;
    private static final int PROBES = 40;
    /** What dynamic resource allocation says of every refused pod, whether it claims devices or not. */
    private static final String ON_DEVICES = "no new claims to deallocate, ";

    private final Dice dice = new Dice(SEED);
    private final List<String> nodes =
            IntStream.range(0, NODES).mapToObj(i -> "n" + i).toList();
    private final PodWriter pods = new PodWriter(dice, nodes);

    @Test
    void theRefereeAndBerthDecideAsTheRunningSchedulerDoes() {
        int compared = 0;
        try (Referee referee = Referee.start();
                RunningScheduler running = new RunningScheduler()) {
            populate(running);
            running.start();
            for (int i = 0; i < PROBES; i++) {
                ObjectNode probe = withoutClaims(pods.toPlace("new-" + i));
                probe.withObject("/spec").put("preemptionPolicy", "Never");
                Trial before = new Trial(SEED, cluster(running));
                if (running.create(probe)) {
                    compare(referee, running, before, probe);
                    compared++;
                }
            }
        }
        assertThat(compared).as("probes that the API server took").isGreaterThan(PROBES / 2);
    }

    /** There are no claims here, and a pod whose claim is missing is refused in words that trials do not have. */
    private static ObjectNode withoutClaims(ObjectNode pod) {
        Iterator<JsonNode> volumes = pod.path("spec").path("volumes").iterator();
        while (volumes.hasNext()) {
            if (volumes.next().has("persistentVolumeClaim")) {
                volumes.remove();
            }
        }
        return pod;
    }

    private void populate(RunningScheduler running) {
        WorkloadWriter workloads = new WorkloadWriter(dice);
        WorkloadWriter.NAMESPACES.forEach(name -> running.create(workloads.namespace(name)));
        WorkloadWriter.APPS.forEach(app -> {
            ObjectNode service = Objects.named("v1", "Service", dice.any(WorkloadWriter.NAMESPACES), app);
            service.putObject("spec")
                    .put("clusterIP", "None")
                    .putObject("selector")
                    .put("app", app);
            running.create(service);
        });
        NodeWriter writer = new NodeWriter(dice);
        nodes.forEach(node -> running.create(writer.node(node)));
        for (int i = 0; i < PODS; i++) {
            running.create(pods.placed("old-" + i));
        }
    }

    private static List<Step> cluster(RunningScheduler running) {
        List<Step> steps = new ArrayList<>();
        for (String kind : List.of("Namespace", "Service", "Node", "Pod")) {
            running.list("v1", kind).forEach(object -> steps.add(Step.tell(object)));
        }
        return steps;
    }

    private static void compare(Referee referee, RunningScheduler running, Trial before, ObjectNode probe) {
        Ruling real = running.rule(probe);
        // As the API server shows it, with its defaults, and as it was before it was bound.
        ObjectNode shown = running.list("v1", "Pod").stream()
                .filter(pod -> Objects.name(pod).equals(Objects.name(probe)))
                .findFirst()
                .orElseThrow();
        shown.withObject("/spec").remove("nodeName");
        shown.remove("status");
        List<Step> steps = new ArrayList<>(before.steps());
        steps.add(Step.probe(shown));
        Trial trial = before.with(steps);
        List<Ruling> rulings = referee.judge(trial);
        Ruling said = rulings.get(0);
        String about = "%nrunning: %s%nreferee: %s%n%s".formatted(real, said, Objects.yaml(shown));
        if (real.bound().isEmpty()) {
            assertThat(real.refusal().replace(ON_DEVICES, "")).as(about).isEqualTo(said.refusal());
            running.delete(probe);
        } else {
            assertThat(said.feasible().get(real.bound())).as(about).isEqualTo(said.best());
            assertThat(said.feasible().size() < 2 || said.feasible().equals(real.feasible()))
                    .as(about)
                    .isTrue();
        }
        assertThat(Difference.in(trial, rulings, new Tally())).as(about).isEmpty();
    }
}
