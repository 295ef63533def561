package dev.berth.core.door.koordinator;

import dev.berth.core.cluster.ControllerRef;
import dev.berth.core.cluster.Workload;
import dev.berth.core.collection.SetMultimap;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.Owner;
import dev.berth.core.hold.Owner.ControllerMatch;
import dev.berth.core.ledger.LedgerView;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Lets a Deployment that a reservation names as controller match its pods. The controllers of these pods are ReplicaSets. So
 * the owners of the hold also name the ReplicaSets that the Deployment controls now, each by its UID. The ReplicaSets are
 * indexed only while a reservation names a Deployment. An event costs as much as there are reservations for the Deployment.
 */
final class DeploymentOwners {
    private final SetMultimap<DeploymentKey, String> reservationsByDeployment = SetMultimap.unordered();
    private final Map<String, Set<DeploymentKey>> deploymentsByReservation = new HashMap<>();
    private final Map<DeploymentKey, TreeMap<Workload.WorkloadKey, Workload>> replicaSetsByDeployment = new HashMap<>();
    private final Map<Workload.WorkloadKey, ControllerRef> deploymentByReplicaSet = new HashMap<>();

    /**
     * How a reservation names a Deployment.
     *
     * @param namespace empty if the reservation gives none
     * @param nameOrUid the UID if the reservation gives no name
     */
    private record DeploymentKey(String namespace, String nameOrUid) {
        /** All keys by which a reservation can name the Deployment. */
        private static List<DeploymentKey> keysOf(ControllerRef deployment, String namespace) {
            return List.of(
                    new DeploymentKey(namespace, deployment.name()),
                    new DeploymentKey("", deployment.name()),
                    new DeploymentKey(namespace, deployment.uid()),
                    new DeploymentKey("", deployment.uid()));
        }
    }

    private static Optional<DeploymentKey> lookupKey(ControllerMatch match) {
        boolean isDeployment = match.kind().equals(Optional.of("Deployment"))
                && match.apiVersion()
                        .filter(version -> !version.equals("apps/v1"))
                        .isEmpty();
        return isDeployment
                ? match.name()
                        .or(match::uid)
                        .map(name -> new DeploymentKey(match.namespace().orElse(""), name))
                : Optional.empty();
    }

    /** The hold of the reservation, with the ReplicaSets of its Deployments among the owners. */
    Hold withReplicaSets(String reservation, Hold hold, LedgerView ledger) {
        List<Owner> owners = hold.owners();
        Set<DeploymentKey> deployments = new HashSet<>();
        owners.forEach(
                owner -> owner.controller().flatMap(DeploymentOwners::lookupKey).ifPresent(deployments::add));
        register(reservation, deployments, ledger);
        if (deployments.isEmpty()) {
            return hold;
        }
        List<Owner> all = new ArrayList<>(owners);
        for (Owner owner : owners) {
            owner.controller().ifPresent(match -> addReplicaSets(owner, match, all));
        }
        return hold.toBuilder().owners(all).build();
    }

    void remove(String reservation) {
        Set<DeploymentKey> deployments = deploymentsByReservation.getOrDefault(reservation, Set.of());
        deployments.forEach(deployment -> reservationsByDeployment.remove(deployment, reservation));
        deploymentsByReservation.remove(reservation);
        if (deploymentsByReservation.isEmpty()) {
            replicaSetsByDeployment.clear();
            deploymentByReplicaSet.clear();
        }
    }

    private void register(String reservation, Set<DeploymentKey> deployments, LedgerView ledger) {
        if (deployments.equals(deploymentsByReservation.getOrDefault(reservation, Set.of()))) {
            return;
        }
        remove(reservation);
        if (deployments.isEmpty()) {
            return;
        }
        if (deploymentsByReservation.isEmpty()) {
            ledger.forEachWorkload(this::index);
        }
        deploymentsByReservation.put(reservation, deployments);
        deployments.forEach(deployment -> reservationsByDeployment.add(deployment, reservation));
    }

    private void addReplicaSets(Owner owner, ControllerMatch match, List<Owner> all) {
        lookupKey(match)
                .ifPresent(key -> replicaSetsByDeployment
                        .getOrDefault(key, new TreeMap<>(Workload.WorkloadKey.ORDER))
                        .values()
                        .forEach(replicaSet -> {
                            if (match.matches(replicaSet.controller().orElseThrow(), replicaSet.namespace())) {
                                all.add(new Owner(
                                        owner.pod(),
                                        Optional.of(ControllerMatch.ofUid(
                                                replicaSet.uid(), Optional.of(replicaSet.namespace()))),
                                        owner.labels()));
                            }
                        }));
    }

    /** Returns the reservations whose owners may differ now. */
    Set<String> onUpsert(Workload workload) {
        if (deploymentsByReservation.isEmpty()) {
            return Set.of();
        }
        Set<String> affected = onDelete(workload.key());
        index(workload);
        affected.addAll(affectedBy(workload.key()));
        return affected;
    }

    /** Returns the reservations whose owners may differ now. */
    Set<String> onDelete(Workload.WorkloadKey key) {
        Set<String> affected = affectedBy(key);
        @Nullable ControllerRef deployment = deploymentByReplicaSet.remove(key);
        if (deployment != null) {
            DeploymentKey.keysOf(deployment, key.namespace()).forEach(names -> removeFrom(names, key));
        }
        return affected;
    }

    private Set<String> affectedBy(Workload.WorkloadKey replicaSet) {
        Set<String> affected = new HashSet<>();
        @Nullable ControllerRef deployment = deploymentByReplicaSet.get(replicaSet);
        if (deployment != null) {
            DeploymentKey.keysOf(deployment, replicaSet.namespace())
                    .forEach(names -> affected.addAll(reservationsByDeployment.get(names)));
        }
        return affected;
    }

    private void index(Workload workload) {
        workload.controller()
                .filter(ref -> workload.kind() == Workload.Kind.REPLICA_SET
                        && ref.kind().equals("Deployment"))
                .ifPresent(deployment -> {
                    deploymentByReplicaSet.put(workload.key(), deployment);
                    DeploymentKey.keysOf(deployment, workload.namespace()).forEach(names -> add(names, workload));
                });
    }

    private void add(DeploymentKey deployment, Workload replicaSet) {
        replicaSetsByDeployment
                .computeIfAbsent(deployment, key -> new TreeMap<>(Workload.WorkloadKey.ORDER))
                .put(replicaSet.key(), replicaSet);
    }

    private void removeFrom(DeploymentKey deployment, Workload.WorkloadKey replicaSet) {
        replicaSetsByDeployment.computeIfPresent(deployment, (key, replicaSets) -> {
            replicaSets.remove(replicaSet);
            return replicaSets.isEmpty() ? null : replicaSets;
        });
    }
}
