package dev.berth.core.hold;

import static dev.berth.core.testing.HoldBuilder.aHold;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.LabelSelector;
import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.Requirement;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class OwnerIndexTest {
    private final Pod pod = aPod("shop/web-0")
            .uid("u1")
            .labelled("app", "web")
            .labelled("env", "prod")
            .ownedBy("StatefulSet/web")
            .build();

    @Test
    void aPodFindsItsHoldsByUidNameControllerAndLabel() {
        assertThat(finds(byPod(Optional.of("u1"), Optional.empty(), Optional.empty())))
                .isTrue();
        assertThat(finds(byPod(Optional.empty(), Optional.of("shop"), Optional.of("web-0"))))
                .isTrue();
        assertThat(finds(byPod(Optional.empty(), Optional.empty(), Optional.of("web-0"))))
                .isTrue();
        assertThat(finds(byPod(Optional.empty(), Optional.of("shop"), Optional.empty())))
                .isTrue();
        assertThat(finds(byLabels(Labels.of("app", "web")))).isTrue();
        assertThat(finds(aHold("h").on("n").forPodsOf("StatefulSet/web").build()))
                .isTrue();
        assertThat(finds(aHold("h").on("n").forAllPods().build())).isTrue();
    }

    @Test
    void anOwnerMatchesOnlyIfAllItsPartsMatch() {
        assertThat(finds(byPod(Optional.of("u1"), Optional.of("elsewhere"), Optional.empty())))
                .isFalse();
        assertThat(finds(byPod(Optional.empty(), Optional.of("shop"), Optional.of("web-1"))))
                .isFalse();
        assertThat(finds(byLabels(Labels.of(Map.of("app", "web", "env", "test")))))
                .isFalse();
        assertThat(finds(aHold("h").on("n").forPodsOf("ReplicaSet/web").build()))
                .isFalse();
        assertThat(finds(aHold("h").on("n").build())).isFalse();
    }

    @Test
    void aPodFindsItsHoldByItsReturnKeyAndNamespace() {
        assertThat(finds(byKey("h", "shop", "web-0"))).isTrue();
        assertThat(finds(byKey("h", "shop", "web-1"))).isFalse();
        assertThat(finds(byKey("h", "elsewhere", "web-0"))).isFalse();
        OwnerIndex index = OwnerIndex.EMPTY;
        for (int i = 0; i < 100; i++) {
            index = index.with(byKey("h" + i, "elsewhere", "web-0"));
        }
        assertThat(index.candidateCount(pod))
                .as("what others come back to costs nothing")
                .isZero();
    }

    private static Hold byKey(String id, String namespace, String key) {
        return aHold(id)
                .on("n")
                .forOwner(Owner.ofReturnKey(new ReturnKey(namespace, key)))
                .build();
    }

    @Test
    void aSetOfValuesIsFoundByEachOfThem() {
        Requirement in = new Requirement("app", Requirement.Operator.IN, List.of("db", "web"));
        Hold hold = aHold("h")
                .on("n")
                .forOwner(Owner.ofLabels(new LabelSelector(Labels.NONE, List.of(in))))
                .build();

        assertThat(finds(hold)).isTrue();
    }

    @Test
    void aHoldThatChangesItsOwnersIsFoundByTheNewOnesOnly() {
        OwnerIndex index = OwnerIndex.EMPTY
                .with(aHold("h").on("n").forPodsLabelled("app", "web").build())
                .with(aHold("h").on("n").forPodsLabelled("app", "db").build());

        assertThat(index.holdsFor(pod)).isEmpty();
        assertThat(index.holdsFor(aPod("db-0").labelled("app", "db").build())).hasSize(1);
        assertThat(index.without(new HoldId("h"))
                        .holdsFor(aPod("db-0").labelled("app", "db").build()))
                .isEmpty();
    }

    @Test
    void holdsAreListedOnceEachInOrderOfTheirIds() {
        OwnerIndex index = OwnerIndex.EMPTY;
        for (String id : List.of("c", "a", "b")) {
            index = index.with(aHold(id)
                    .on("n")
                    .forPodsLabelled("app", "web")
                    .forPodsOf("StatefulSet/web")
                    .build());
        }
        assertThat(index.holdsFor(pod)).extracting(hold -> hold.id().value()).containsExactly("a", "b", "c");
    }

    @Test
    void aLabelThatAllPodsHaveDoesNotMakeEveryHoldACandidate() {
        OwnerIndex index = OwnerIndex.EMPTY;
        for (int i = 0; i < 1_000; i++) {
            index = index.with(byLabels("h" + i, Labels.of(Map.of("app", "app-" + i, "all", "prod"))));
        }
        Pod one = aPod("p").labelled("all", "prod").labelled("app", "app-7").build();

        assertThat(index.candidateCount(one)).isLessThan(40);
        assertThat(index.holdsFor(one)).hasSize(1);
    }

    @Test
    void holdsWithEqualRulesAreMatchedOncePerPod() {
        OwnerIndex index = OwnerIndex.EMPTY;
        Requirement exists = new Requirement("team", Requirement.Operator.EXISTS, List.of());
        Requirement notIn = new Requirement("app", Requirement.Operator.NOT_IN, List.of("web"));
        for (int i = 0; i < 300; i++) {
            index = index.with(withoutKey("e" + i, exists))
                    .with(withoutKey("n" + i, notIn))
                    .with(byLabels("w" + i, Labels.of("app", "web")));
        }

        assertThat(index.candidateCount(pod)).isEqualTo(3);
        assertThat(index.rulesAdmitting(pod)).hasSize(1);
        assertThat(index.holdsFor(pod)).hasSize(300);
        assertThat(index.holdsFor(aPod("p").labelled("team", "a").build())).hasSize(600);
    }

    @Test
    void removingTheLastHoldOfARuleRemovesTheRule() {
        OwnerIndex index = OwnerIndex.EMPTY
                .with(byLabels("a", Labels.of("app", "web")))
                .with(byLabels("b", Labels.of("app", "web")));

        assertThat(index.without(new HoldId("a")).rulesAdmitting(pod)).hasSize(1);
        OwnerIndex none = index.without(new HoldId("a")).without(new HoldId("b"));
        assertThat(none.rulesAdmitting(pod)).isEmpty();
        assertThat(none.candidateCount(pod)).isZero();
    }

    private static Hold withoutKey(String id, Requirement requirement) {
        return aHold(id)
                .on("n")
                .forOwner(Owner.ofLabels(new LabelSelector(Labels.NONE, List.of(requirement))))
                .build();
    }

    private boolean finds(Hold hold) {
        OwnerIndex index = OwnerIndex.EMPTY
                .with(aHold("noise").on("n").forPodsLabelled("app", "other").build())
                .with(hold);
        return index.holdsFor(pod).contains(hold);
    }

    private static Hold byPod(Optional<String> uid, Optional<String> namespace, Optional<String> name) {
        Owner.PodMatch match = new Owner.PodMatch(uid, namespace, name);
        return aHold("h").on("n").forOwner(Owner.ofPod(match)).build();
    }

    private static Hold byLabels(Labels labels) {
        return byLabels("h", labels);
    }

    private static Hold byLabels(String id, Labels labels) {
        return aHold(id)
                .on("n")
                .forOwner(Owner.ofLabels(LabelSelector.of(labels)))
                .build();
    }

    @Test
    void aSearchForMatchingHoldsEndsAtTheLimit() {
        OwnerIndex index = OwnerIndex.EMPTY;
        for (int i = 0; i < 1_000; i++) {
            index = index.with(aHold("h" + i).on("n").forAllPods().build());
        }
        assertThat(index.holdsMatchingOwner(pod, 5)).hasSize(5).doesNotHaveDuplicates();
        assertThat(index.holdsMatchingOwner(pod, 2_000)).hasSize(1_000);
    }
}
