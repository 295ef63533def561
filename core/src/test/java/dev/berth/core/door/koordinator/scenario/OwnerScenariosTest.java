package dev.berth.core.door.koordinator.scenario;

import static dev.berth.core.door.koordinator.ReservationBuilder.aReservation;
import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.ControllerRef;
import dev.berth.core.cluster.LabelSelector;
import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Workload;
import dev.berth.core.door.koordinator.KoordinatorScene;
import dev.berth.core.door.koordinator.ReservationBuilder;
import dev.berth.core.fact.Fact;
import dev.berth.core.hold.Owner;
import dev.berth.core.hold.Owner.ControllerMatch;
import dev.berth.core.hold.Owner.PodMatch;
import dev.berth.core.testing.PodBuilder;
import dev.berth.core.testing.Scenario;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which pods the owners of a Reservation match. */
class OwnerScenariosTest {
    private static final Owner LABELLED_WEB = Owner.ofLabels(LabelSelector.of(Labels.of("app", "web")));

    private final KoordinatorScene cluster = new KoordinatorScene();

    @BeforeEach
    void addNode() {
        cluster.upsert(aNode("n1").with("32 cpu"));
    }

    @Test
    @Scenario(20)
    void aReservationWithoutOwnersIsInvalidAndForNoPod() {
        cluster.createReservation(reservation().malformed("spec.owners is empty"));
        cluster.upsert(pod("p"));
        assertThat(isOwner("p")).isFalse();
    }

    @Test
    @Scenario(21)
    void anObjectMatchesByNameAndNamespace() {
        Owner named = Owner.ofPod(new PodMatch(Optional.empty(), Optional.of("team"), Optional.of("p")));
        cluster.createReservation(reservation().forOwner(named));
        cluster.upsert(aPod("p").uid("other").asking("1 cpu"));
        assertThat(isOwner("p")).as("in another namespace").isFalse();
        cluster.deletePod("p");
        cluster.upsert(aPod("team/p").asking("1 cpu"));
        assertThat(isOwner("p")).isTrue();
    }

    @Test
    @Scenario(22)
    void aControllerMatchesAnyOwnerReferenceInItsNamespace() {
        cluster.createReservation(reservation().forOwner(ownerNamed("job", Optional.empty())));
        cluster.upsert(pod("p").with(it -> it.otherOwners(owned("other", "job"))));
        assertThat(isOwner("p")).isTrue();
        cluster.upsert(aPod("team/q")
                .asking("1 cpu")
                .with(it -> it.controller(Optional.of(owned("job").get(0)))));
        assertThat(isOwner("q")).as("in another namespace").isFalse();
    }

    @Test
    @Scenario(22)
    void aControllerWithTheFlagMatchesOnlyOwnerReferencesWithThatFlag() {
        cluster.createReservation(reservation().forOwner(ownerNamed("job", Optional.of(true))));
        cluster.upsert(pod("owned").with(it -> it.otherOwners(owned("job"))));
        assertThat(isOwner("owned")).isFalse();
        cluster.upsert(pod("controlled")
                .with(it -> it.controller(Optional.of(owned("job").get(0)))));
        assertThat(isOwner("controlled")).isTrue();

        cluster.edit(reservation().forOwner(ownerNamed("job", Optional.of(false))));
        cluster.upsert(pod("second").with(it -> it.otherOwners(owned("job"))));
        assertThat(isOwner("second")).isTrue();
    }

    private static Owner ownerNamed(String name, Optional<Boolean> controls) {
        return Owner.ofController(new ControllerMatch(
                Optional.empty(),
                Optional.empty(),
                Optional.of("default"),
                Optional.of(name),
                Optional.empty(),
                controls));
    }

    private static List<ControllerRef> owned(String... names) {
        return Stream.of(names)
                .map(name -> new ControllerRef("batch/v1", "Job", name, name))
                .toList();
    }

    @Test
    @Scenario(23)
    void aLabelSelectorMatchesPodsOfAllNamespacesThatHaveMoreLabels() {
        cluster.createReservation(reservation().forOwner(LABELLED_WEB));
        cluster.upsert(aPod("team/p").asking("1 cpu").labelled("app", "web").labelled("tier", "front"));
        assertThat(isOwner("p")).isTrue();
    }

    @Test
    @Scenario(24)
    void allPartsOfOneEntryMustMatch() {
        Owner both = new Owner(
                Optional.of(new PodMatch(Optional.empty(), Optional.empty(), Optional.of("q"))),
                Optional.empty(),
                LABELLED_WEB.labels());
        cluster.createReservation(reservation().forOwner(both));
        cluster.upsert(pod("p").labelled("app", "web"));
        assertThat(isOwner("p")).isFalse();
        cluster.upsert(pod("q").labelled("app", "web"));
        assertThat(isOwner("q")).isTrue();
    }

    @Test
    @Scenario(25)
    void oneEntryOfSeveralIsEnough() {
        Owner other = Owner.ofLabels(LabelSelector.of(Labels.of("app", "db")));
        cluster.createReservation(reservation().forOwner(other).forOwner(LABELLED_WEB));
        cluster.upsert(pod("p").labelled("app", "web"));
        assertThat(isOwner("p")).isTrue();
    }

    @Test
    @Scenario(26)
    void anEmptyLabelSelectorMatchesEveryPod() {
        cluster.createReservation(reservation().forOwner(Owner.ofLabels(LabelSelector.EVERYTHING)));
        cluster.upsert(pod("p"));
        assertThat(isOwner("p")).isTrue();
    }

    @Test
    @Scenario(27)
    void anInvalidSelectorMakesTheReservationUnusable() {
        cluster.createReservation(reservation()
                .malformed("spec.owners[0].labelSelector: operator (Is) must be In, NotIn, Exists or DoesNotExist"));
        cluster.upsert(pod("p").labelled("app", "web"));
        assertThat(isOwner("p")).isFalse();
        assertThat(cluster.conditions("r")).contains("Scheduled=false");
    }

    @Test
    @Scenario(28)
    void newOwnersCountAtOnce() {
        cluster.createReservation(reservation().forOwner(Owner.ofLabels(LabelSelector.of(Labels.of("app", "db")))));
        cluster.edit(reservation().forOwner(LABELLED_WEB));
        cluster.upsert(pod("old").labelled("app", "db"));
        cluster.upsert(pod("new").labelled("app", "web"));
        assertThat(isOwner("old")).isFalse();
        assertThat(isOwner("new")).isTrue();
    }

    @Test
    @Scenario(29)
    void emptyFieldsOfAControllerAreNotCompared() {
        cluster.createReservation(reservation()
                .forOwner(Owner.ofController(new ControllerMatch(
                        Optional.empty(), Optional.empty(), Optional.empty(), Optional.of("web"), Optional.empty()))));
        cluster.upsert(pod("p").ownedBy("StatefulSet/web", "any-uid"));
        cluster.upsert(pod("q").ownedBy("StatefulSet/db", "any-uid"));
        assertThat(isOwner("p")).isTrue();
        assertThat(isOwner("q")).isFalse();
    }

    @Test
    void aDeploymentMatchesThePodsOfItsReplicaSets() {
        cluster.createReservation(reservation().forOwner(deployment("web", "default")));
        cluster.apply(replicaSet("default", "web-1", "web"));
        cluster.apply(replicaSet("default", "db-1", "db"));
        cluster.upsert(pod("p").ownedBy("ReplicaSet/web-1"));
        cluster.upsert(pod("q").ownedBy("ReplicaSet/db-1"));
        assertThat(isOwner("p")).isTrue();
        assertThat(isOwner("q")).isFalse();
        assertThat(cluster.conditions("r")).doesNotContain("OwnersUsable");
    }

    @Test
    void theOrderOfReplicaSetPodAndReservationDoesNotMatter() {
        Owner owner = deployment("web", "default");
        cluster.upsert(pod("early").asking("40 cpu").ownedBy("ReplicaSet/web-1"));
        cluster.apply(replicaSet("default", "web-1", "web"));
        cluster.createReservation(reservation().forOwner(owner));
        cluster.apply(replicaSet("default", "web-2", "web"));
        cluster.upsert(pod("p").ownedBy("ReplicaSet/web-2"));
        assertThat(isOwner("p")).isTrue();
        cluster.changePod("early", pod -> pod.spec(pod("early").build().spec()));
        cluster.advance(Duration.ofSeconds(30));
        assertThat(isOwner("early")).isTrue();
        cluster.apply(
                new Fact.WorkloadDeleted(new Workload.WorkloadKey(Workload.Kind.REPLICA_SET, "default", "web-2")));
        cluster.upsert(pod("late").ownedBy("ReplicaSet/web-2"));
        assertThat(isOwner("late")).as("its ReplicaSet is gone").isFalse();
        assertThat(cluster.ledger().claimBy(cluster.pod("p").uid()))
                .as("the claim outlives the ReplicaSet")
                .isPresent();
    }

    @Test
    void aDeploymentIsLimitedToItsNamespace() {
        cluster.createReservation(reservation().forOwner(deployment("web", "team")));
        cluster.apply(replicaSet("default", "web-1", "web"));
        cluster.upsert(pod("p").ownedBy("ReplicaSet/web-1"));
        assertThat(isOwner("p")).isFalse();
    }

    private static ReservationBuilder reservation() {
        return aReservation("r").requesting("8 cpu").shared();
    }

    private static PodBuilder pod(String name) {
        return aPod(name).asking("1 cpu");
    }

    private boolean isOwner(String pod) {
        return cluster.annotation(pod, "scheduling.koordinator.sh/reservation-allocated")
                .contains("\"name\":\"r\"");
    }

    private static Owner deployment(String name, String namespace) {
        return Owner.ofController(new ControllerMatch(
                Optional.of("apps/v1"),
                Optional.of("Deployment"),
                Optional.of(namespace),
                Optional.of(name),
                Optional.empty()));
    }

    private static Fact replicaSet(String namespace, String name, String deployment) {
        ControllerRef ref = new ControllerRef("apps/v1", "Deployment", deployment, deployment + "-uid");
        return new Fact.WorkloadUpserted(new Workload(
                Workload.Kind.REPLICA_SET, namespace, name, LabelSelector.EVERYTHING, name, Optional.of(ref)));
    }
}
