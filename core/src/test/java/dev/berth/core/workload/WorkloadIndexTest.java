package dev.berth.core.workload;

import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.ControllerRef;
import dev.berth.core.cluster.LabelSelector;
import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.Workload;
import dev.berth.core.cluster.Workload.Kind;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class WorkloadIndexTest {
    private final Pod pod = aPod("shop/web-0")
            .labelled("app", "web")
            .labelled("tier", "front")
            .ownedBy("ReplicaSet/web")
            .build();

    @Test
    void podIsFoundUnderItsControllerAndTheServicesThatSelectIt() {
        Workload set = workload(Kind.REPLICA_SET, "web", Labels.of("app", "web"));
        Workload service = workload(Kind.SERVICE, "front", Labels.of(Map.of("app", "web", "tier", "front")));
        WorkloadIndex index = WorkloadIndex.EMPTY
                .with(set)
                .with(service)
                .with(workload(Kind.SERVICE, "back", Labels.of(Map.of("app", "web", "tier", "back"))))
                .with(workload(Kind.REPLICA_SET, "other", Labels.of("app", "web")))
                .with(workload(Kind.STATEFUL_SET, "web", Labels.of("app", "web")));

        assertThat(index.findByPod(pod)).containsExactly(service, set);
    }

    @Test
    void serviceWithoutASelectorSelectsNoPod() {
        WorkloadIndex index = WorkloadIndex.EMPTY.with(workload(Kind.SERVICE, "by-hand", Labels.NONE));

        assertThat(index.findByPod(pod)).isEmpty();
    }

    @Test
    void workloadOfAnotherNamespaceOrApiGroupDoesNotMatch() {
        Pod foreign = pod.toBuilder()
                .controller(Optional.of(new ControllerRef("example.com/v1", "ReplicaSet", "web", "u")))
                .build();
        WorkloadIndex index = WorkloadIndex.EMPTY
                .with(workload(Kind.REPLICA_SET, "web", Labels.of("app", "web")))
                .with(new Workload(Kind.SERVICE, "default", "web", LabelSelector.of(Labels.of("app", "web"))));

        assertThat(index.findByPod(foreign)).isEmpty();
    }

    @Test
    void aServiceThatChangesItsSelectorIsFoundByTheNewOneOnly() {
        WorkloadIndex index = WorkloadIndex.EMPTY
                .with(workload(Kind.SERVICE, "s", Labels.of("app", "web")))
                .with(workload(Kind.SERVICE, "s", Labels.of("app", "db")));

        assertThat(index.findByPod(pod)).isEmpty();
        assertThat(index.without(new Workload.WorkloadKey(Kind.SERVICE, "shop", "s"))
                        .get(new Workload.WorkloadKey(Kind.SERVICE, "shop", "s")))
                .isEmpty();
    }

    @Test
    void servicesWithTheSameSelectorAreReturnedOnce() {
        Workload set = workload(Kind.REPLICA_SET, "web", Labels.of("app", "web"));
        WorkloadIndex index = WorkloadIndex.EMPTY.with(set);
        for (int i = 0; i < 10; i++) {
            index = index.with(workload(Kind.SERVICE, "s" + i, Labels.of("app", "web")));
        }
        index = index.with(workload(Kind.SERVICE, "front", Labels.of(Map.of("app", "web", "tier", "front"))));
        assertThat(index.findByPod(pod)).hasSize(12);
        assertThat(index.findByPodOnePerSelector(pod)).hasSize(3).contains(set);

        for (int i = 0; i < 10; i++) {
            assertThat(index.findByPodOnePerSelector(pod)).hasSize(3);
            index = index.without(new Workload.WorkloadKey(Kind.SERVICE, "shop", "s" + i));
        }
        assertThat(index.findByPodOnePerSelector(pod)).hasSize(2).isEqualTo(index.findByPod(pod));
    }

    private static Workload workload(Kind kind, String name, Labels labels) {
        return new Workload(kind, "shop", name, LabelSelector.of(labels));
    }
}
