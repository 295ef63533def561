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
    void aPodIsOfItsControllerAndOfTheServicesThatSelectIt() {
        Workload set = of(Kind.REPLICA_SET, "web", Labels.of("app", "web"));
        Workload service = of(Kind.SERVICE, "front", Labels.of(Map.of("app", "web", "tier", "front")));
        WorkloadIndex index = WorkloadIndex.EMPTY
                .with(set)
                .with(service)
                .with(of(Kind.SERVICE, "back", Labels.of(Map.of("app", "web", "tier", "back"))))
                .with(of(Kind.REPLICA_SET, "other", Labels.of("app", "web")))
                .with(of(Kind.STATEFUL_SET, "web", Labels.of("app", "web")));

        assertThat(index.workloadsOf(pod)).containsExactly(service, set);
    }

    @Test
    void aServiceWithoutASelectorSelectsNobody() {
        WorkloadIndex index = WorkloadIndex.EMPTY.with(of(Kind.SERVICE, "by-hand", Labels.NONE));

        assertThat(index.workloadsOf(pod)).isEmpty();
    }

    @Test
    void anotherNamespaceOrAnotherApiGroupIsSomebodyElse() {
        Pod foreign = pod.toBuilder()
                .controller(Optional.of(new ControllerRef("example.com/v1", "ReplicaSet", "web", "u")))
                .build();
        WorkloadIndex index = WorkloadIndex.EMPTY
                .with(of(Kind.REPLICA_SET, "web", Labels.of("app", "web")))
                .with(new Workload(Kind.SERVICE, "default", "web", LabelSelector.of(Labels.of("app", "web"))));

        assertThat(index.workloadsOf(foreign)).isEmpty();
    }

    @Test
    void aServiceThatChangesItsSelectorIsFoundByTheNewOneOnly() {
        WorkloadIndex index = WorkloadIndex.EMPTY
                .with(of(Kind.SERVICE, "s", Labels.of("app", "web")))
                .with(of(Kind.SERVICE, "s", Labels.of("app", "db")));

        assertThat(index.workloadsOf(pod)).isEmpty();
        assertThat(index.without(new Workload.Key(Kind.SERVICE, "shop", "s"))
                        .get(new Workload.Key(Kind.SERVICE, "shop", "s")))
                .isEmpty();
    }

    @Test
    void ofServicesWithOneSelectorOneIsEnoughToKnowTheSelectors() {
        Workload set = of(Kind.REPLICA_SET, "web", Labels.of("app", "web"));
        WorkloadIndex index = WorkloadIndex.EMPTY.with(set);
        for (int i = 0; i < 10; i++) {
            index = index.with(of(Kind.SERVICE, "s" + i, Labels.of("app", "web")));
        }
        index = index.with(of(Kind.SERVICE, "front", Labels.of(Map.of("app", "web", "tier", "front"))));
        assertThat(index.workloadsOf(pod)).hasSize(12);
        assertThat(index.workloadsBySelector(pod)).hasSize(3).contains(set);

        for (int i = 0; i < 10; i++) {
            assertThat(index.workloadsBySelector(pod)).hasSize(3);
            index = index.without(new Workload.Key(Kind.SERVICE, "shop", "s" + i));
        }
        assertThat(index.workloadsBySelector(pod)).hasSize(2).isEqualTo(index.workloadsOf(pod));
    }

    private static Workload of(Kind kind, String name, Labels labels) {
        return new Workload(kind, "shop", name, LabelSelector.of(labels));
    }
}
