package dev.berth.core.door.koordinator;

import static dev.berth.core.testing.HoldBuilder.aHold;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.ControllerRef;
import dev.berth.core.cluster.LabelSelector;
import dev.berth.core.cluster.Workload;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.Owner;
import dev.berth.core.ledger.Ledger;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class DeploymentOwnersTest {
    private final DeploymentOwners deployments = new DeploymentOwners();

    private static Hold heldForDeployment(Optional<String> namespace, Optional<String> name, Optional<String> uid) {
        return aHold("h")
                .on("n")
                .forOwner(Owner.ofController(new Owner.ControllerMatch(
                        Optional.of("apps/v1"), Optional.of("Deployment"), namespace, name, uid)))
                .build();
    }

    private static Workload replicaSetIn(String namespace) {
        ControllerRef web = new ControllerRef("apps/v1", "Deployment", "web", "uid-in-" + namespace);
        return new Workload(
                Workload.Kind.REPLICA_SET, namespace, "web-1", LabelSelector.EVERYTHING, "rs", Optional.of(web));
    }

    @Test
    void aReplicaSetOfADeploymentInAnotherNamespaceAffectsNoReservation() {
        deployments.withReplicaSets(
                "r", heldForDeployment(Optional.of("shop"), Optional.of("web"), Optional.empty()), new Ledger());
        assertThat(deployments.onUpsert(replicaSetIn("elsewhere"))).isEmpty();
        assertThat(deployments.onUpsert(replicaSetIn("shop"))).containsExactly("r");
        assertThat(deployments.onDelete(replicaSetIn("elsewhere").key())).isEmpty();
        assertThat(deployments.onDelete(replicaSetIn("shop").key())).containsExactly("r");
    }

    @Test
    void aReservationWithoutANamespaceIsAffectedByEachDeploymentOfTheName() {
        Hold hold = heldForDeployment(Optional.empty(), Optional.of("web"), Optional.empty());
        deployments.withReplicaSets("r", hold, new Ledger());
        assertThat(deployments.onUpsert(replicaSetIn("elsewhere"))).containsExactly("r");
        assertThat(deployments.onUpsert(replicaSetIn("shop"))).containsExactly("r");
        assertThat(deployments.withReplicaSets("r", hold, new Ledger()).owners())
                .as("the Deployment and two ReplicaSets")
                .hasSize(3);
    }

    @Test
    void aReservationThatNamesADeploymentByItsUidIsAffected() {
        deployments.withReplicaSets(
                "r",
                heldForDeployment(Optional.of("shop"), Optional.empty(), Optional.of("uid-in-shop")),
                new Ledger());
        assertThat(deployments.onUpsert(replicaSetIn("elsewhere"))).isEmpty();
        assertThat(deployments.onUpsert(replicaSetIn("shop"))).containsExactly("r");
    }
}
