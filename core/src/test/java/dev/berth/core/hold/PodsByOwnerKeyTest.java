package dev.berth.core.hold;

import static dev.berth.core.testing.HoldBuilder.aHold;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PodsByOwnerKeyTest {
    private final PodsByOwnerKey pods = new PodsByOwnerKey();
    private final Pod first = pod("web-0", "u0");
    private final Pod second = pod("web-1", "u1");

    private static Pod pod(String name, String uid) {
        return aPod("shop/" + name)
                .uid(uid)
                .labelled("app", "web")
                .ownedBy("StatefulSet/web")
                .build();
    }

    PodsByOwnerKeyTest() {
        pods.add(first);
        pods.add(second);
    }

    @Test
    void aRuleByLabelsTreatsPodsWithEqualLabelsAlike() {
        assertThat(pods.namedBy(
                        aHold("h").on("n").forPodsLabelled("app", "web").build().ownerRule()))
                .hasValueSatisfying(named -> assertThat(named).isEmpty());
        assertThat(pods.namedBy(aHold("h").on("n").forAllPods().build().ownerRule()))
                .hasValueSatisfying(named -> assertThat(named).isEmpty());
    }

    @Test
    void aRuleThatNamesAPodOrItsControllerIsFoundByIt() {
        assertThat(named(byUid("u1"))).containsExactly(second.uid());
        assertThat(named(Owner.ofReturnKey(new ReturnKey("shop", "web-0")))).containsExactly(first.uid());
        assertThat(pods.namedBy(
                        aHold("h").on("n").forPodsOf("StatefulSet/web").build().ownerRule()))
                .hasValueSatisfying(named -> assertThat(named).containsExactlyInAnyOrder(first.uid(), second.uid()));
    }

    @Test
    void aRemovedPodIsNamedByNoRule() {
        pods.remove(second.uid());
        assertThat(named(byUid("u1"))).isEmpty();
        assertThat(pods.size()).isEqualTo(1);
    }

    @Test
    void aRuleByControllerKindMayTreatEveryPodDifferently() {
        Owner ofKind = Owner.ofController(new Owner.ControllerMatch(
                Optional.empty(), Optional.of("StatefulSet"), Optional.empty(), Optional.empty(), Optional.empty()));
        assertThat(pods.namedBy(aHold("h").on("n").forOwner(ofKind).build().ownerRule()))
                .isEmpty();
    }

    private static Owner byUid(String uid) {
        return Owner.ofPod(new Owner.PodMatch(Optional.of(uid), Optional.empty(), Optional.empty()));
    }

    private Set<PodUid> named(Owner owner) {
        return pods.namedBy(aHold("h").on("n").forOwner(owner).build().ownerRule())
                .orElseThrow();
    }
}
