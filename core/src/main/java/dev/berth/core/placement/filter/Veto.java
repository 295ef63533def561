package dev.berth.core.placement.filter;

import dev.berth.core.resource.ResourceName;
import dev.berth.core.resource.Resources;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * One reason why one node is not feasible for one pod.
 *
 * @param resource the insufficient resource; empty if the reason is not an amount
 * @param requested what the pod requests of it
 * @param free what is available to the pod, less than requested
 * @param capacity the capacity of the node
 * @param blockingHolds the holds that have what the pod needs, the holds that anti-affinity keeps the pod away from, or
 * the pod's own hold that has too little left; for devices also the pods that use them
 * @param detail the message, if the code alone does not say it
 */
public record Veto(
        Code code,
        Optional<ResourceName> resource,
        long requested,
        long free,
        long capacity,
        List<BlockingHold> blockingHolds,
        String detail) {

    /** The events that can resolve insufficient resources. */
    private static final Set<ClusterEventKind> CAPACITY_EVENTS = Set.of(
            ClusterEventKind.NODE_ADDED,
            ClusterEventKind.NODE_UPDATED,
            ClusterEventKind.POD_REMOVED,
            ClusterEventKind.HOLD_REMOVED,
            ClusterEventKind.POD_UPDATED);

    /** The events that can make a node feasible for the volumes of a pod. */
    private static final Set<ClusterEventKind> VOLUME_BINDING_EVENTS = Set.of(
            ClusterEventKind.NODE_ADDED,
            ClusterEventKind.NODE_UPDATED,
            ClusterEventKind.PVC_CHANGED,
            ClusterEventKind.VOLUME_CHANGED,
            ClusterEventKind.STORAGE_CLASS_CHANGED,
            ClusterEventKind.STORAGE_CAPACITY_INCREASED,
            ClusterEventKind.CSI_NODE_CHANGED,
            ClusterEventKind.POD_UPDATED);

    /** The events that can change inter-pod constraints. */
    private static final Set<ClusterEventKind> INTER_POD_EVENTS = Set.of(
            ClusterEventKind.RELATED_PODS_CHANGED,
            ClusterEventKind.NODE_ADDED,
            ClusterEventKind.NODE_UPDATED,
            ClusterEventKind.POD_UPDATED);

    /** The kind of reason, in kube-scheduler's words if it has them. */
    public enum Code {
        UNSCHEDULABLE("node(s) were unschedulable"),
        NODE_NAME("node(s) didn't match the requested node name"),
        TAINTS("node(s) had untolerated taint(s)"),
        NODE_AFFINITY("node(s) didn't match Pod's node affinity/selector"),
        ADDED_AFFINITY("node(s) didn't match scheduler-enforced node affinity"),
        /** Every required term contains node names, and this node is not among them. */
        NOT_IN_REQUIRED_NODE_NAMES("node(s) didn't satisfy plugin(s) [NodeAffinity]"),
        PORTS("node(s) didn't have free ports for the requested pod ports"),
        /** Without the holds on the node the ports would be free. */
        PORTS_HELD("node(s) didn't have free ports for the requested pod ports"),
        POD_SLOTS("Too many pods"),
        RESOURCE("Insufficient %s"),
        /** Without the holds on the node the resource would be sufficient. */
        RESOURCE_HELD("Insufficient %s"),
        /** The pod may use a Reservation there, but may not exceed what is left of it. In Koordinator's words. */
        HOLD_EXHAUSTED("Reservation(s) Insufficient %s"),
        /** The pod must use a hold, and no hold on the node matches. */
        NO_MATCHING_HOLD("node(s) no reservations match reservation affinity"),
        /** A device claim of the pod cannot be satisfied on any node. */
        DEVICE_CLAIM("%s"),
        /** The node does not have the claimed devices, or other pods use them. */
        DEVICES("%s"),
        /** Without the holds on the node the pod would get its devices. */
        DEVICES_HELD("Insufficient extended resources"),
        /** A PersistentVolumeClaim of the pod does not exist. */
        PVC_MISSING("%s"),
        /** A PersistentVolumeClaim of the pod cannot be used on any node. */
        PVC_UNUSABLE("%s"),
        /** The PersistentVolume that a claim of the pod is bound to does not exist. */
        VOLUME_MISSING("%s"),
        DISK_IN_USE("node(s) had no available disk"),
        PVC_IN_USE(
                "node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod access mode already in-use by another pod"),
        VOLUME_LIMIT("node(s) exceed max volume count"),
        VOLUME_AFFINITY("node(s) didn't match PersistentVolume's node affinity"),
        NO_MATCHING_VOLUME("node(s) didn't find available persistent volumes to bind"),
        INSUFFICIENT_STORAGE("node(s) did not have enough free storage"),
        BOUND_VOLUME_MISSING("node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)"),
        VOLUME_ZONE("node(s) had no available volume zone"),
        TOPOLOGY_SPREAD("node(s) didn't match pod topology spread constraints"),
        TOPOLOGY_LABEL_MISSING("node(s) didn't match pod topology spread constraints (missing required label)"),
        POD_AFFINITY("node(s) didn't match pod affinity rules"),
        POD_ANTI_AFFINITY("node(s) didn't match pod anti-affinity rules"),
        EXISTING_ANTI_AFFINITY("node(s) didn't satisfy existing pods anti-affinity rules"),
        DECLARED_FEATURES("node(s) didn't match Pod's required features"),
        /** The pod has more affinity or spread terms than Berth allows, or a malformed annotation. */
        INVALID_POD("%s"),
        /** The caller of the extender names the node, and the watch has not shown it yet. */
        NODE_UNKNOWN("node(s) were not known yet");

        private final String message;

        Code(String message) {
            this.message = message;
        }
    }

    public Veto {
        blockingHolds = List.copyOf(blockingHolds);
    }

    public Veto(
            Code code,
            Optional<ResourceName> resource,
            long requested,
            long free,
            long capacity,
            List<BlockingHold> blockingHolds) {
        this(code, resource, requested, free, capacity, blockingHolds, "");
    }

    public static Veto of(Code code) {
        return of(code, "");
    }

    public static Veto of(Code code, String about) {
        return new Veto(code, Optional.empty(), 0, 0, 0, List.of(), about);
    }

    /** A reason without amounts: the holds have what the pod needs. */
    public static Veto blockedBy(Code code, List<BlockingHold> blockingHolds) {
        return of(code).withBlockingHolds(blockingHolds);
    }

    /** The same reason without amounts, with these blocking holds. */
    public Veto withBlockingHolds(List<BlockingHold> holds) {
        return new Veto(code, resource, 0, 0, 0, holds, detail);
    }

    /** The reason without amounts and names of holds: the key by which nodes are counted. */
    public String message() {
        if (resource.filter(ResourceName.PODS::equals).isPresent()) {
            return code == Code.HOLD_EXHAUSTED ? "Reservation(s) Too many pods" : Code.POD_SLOTS.message;
        }
        return code.message.formatted(resource.map(ResourceName::value).orElse(detail));
    }

    /** The reason followed by the blocking holds. */
    public String messageWithHolds() {
        String names = BlockingHoldSummary.of(blockingHolds).message(this);
        return names.isEmpty() ? message() : "%s (%s)".formatted(message(), names);
    }

    /** The requested amount minus the available amount. */
    public long shortfall() {
        return Resources.subtract(requested, free);
    }

    /** Whether removing pods or holds can make the node feasible. */
    public boolean isResolvable() {
        return switch (code) {
            case UNSCHEDULABLE,
                    NODE_NAME,
                    TAINTS,
                    NODE_AFFINITY,
                    ADDED_AFFINITY,
                    NOT_IN_REQUIRED_NODE_NAMES,
                    NODE_UNKNOWN -> false;
            case RESOURCE -> requested <= capacity;
            case PORTS, PORTS_HELD, POD_SLOTS, RESOURCE_HELD, HOLD_EXHAUSTED, NO_MATCHING_HOLD -> true;
            case DEVICE_CLAIM, DEVICES, DEVICES_HELD -> true;
            case DISK_IN_USE, PVC_IN_USE, VOLUME_LIMIT -> true;
            case PVC_MISSING, PVC_UNUSABLE, VOLUME_MISSING -> false;
            case VOLUME_AFFINITY, NO_MATCHING_VOLUME, INSUFFICIENT_STORAGE, BOUND_VOLUME_MISSING, VOLUME_ZONE -> false;
            case TOPOLOGY_SPREAD, POD_ANTI_AFFINITY, EXISTING_ANTI_AFFINITY -> true;
            case TOPOLOGY_LABEL_MISSING, POD_AFFINITY, DECLARED_FEATURES, INVALID_POD -> false;
        };
    }

    /** Whether evicting pods from the node can help. It cannot if holds block the pod: they do not end with pods. */
    public boolean isPreemptible() {
        return switch (code) {
            case PORTS, POD_SLOTS, VOLUME_LIMIT -> true;
            case DISK_IN_USE, PVC_IN_USE -> blockingHolds.isEmpty();
            case RESOURCE -> requested <= capacity;
            case UNSCHEDULABLE,
                    NODE_NAME,
                    TAINTS,
                    NODE_AFFINITY,
                    ADDED_AFFINITY,
                    NOT_IN_REQUIRED_NODE_NAMES,
                    NODE_UNKNOWN -> false;
            case PORTS_HELD, RESOURCE_HELD, HOLD_EXHAUSTED, NO_MATCHING_HOLD -> false;
            // Which pod has which device is not evaluated here.
            case DEVICE_CLAIM, DEVICES, DEVICES_HELD -> false;
            case PVC_MISSING, PVC_UNUSABLE, VOLUME_MISSING -> false;
            case VOLUME_AFFINITY, NO_MATCHING_VOLUME, INSUFFICIENT_STORAGE, BOUND_VOLUME_MISSING, VOLUME_ZONE -> false;
            case TOPOLOGY_SPREAD, POD_ANTI_AFFINITY, EXISTING_ANTI_AFFINITY -> true;
            case TOPOLOGY_LABEL_MISSING, POD_AFFINITY, DECLARED_FEATURES, INVALID_POD -> false;
        };
    }

    /** The plugin of kube-scheduler that has this reason, or the part of Berth if there is none. */
    public String plugin() {
        return switch (code) {
            case UNSCHEDULABLE -> "NodeUnschedulable";
            case NODE_NAME, NODE_UNKNOWN -> "NodeName";
            case TAINTS -> "TaintToleration";
            case NODE_AFFINITY, ADDED_AFFINITY, NOT_IN_REQUIRED_NODE_NAMES -> "NodeAffinity";
            case PORTS -> "NodePorts";
            case POD_SLOTS, RESOURCE -> "NodeResourcesFit";
            case PORTS_HELD, RESOURCE_HELD, HOLD_EXHAUSTED, NO_MATCHING_HOLD -> "Holds";
            case DEVICE_CLAIM, DEVICES, DEVICES_HELD -> "Devices";
            case DISK_IN_USE, PVC_IN_USE -> "VolumeRestrictions";
            case VOLUME_LIMIT -> "NodeVolumeLimits";
            case VOLUME_ZONE -> "VolumeZone";
            case PVC_MISSING, PVC_UNUSABLE, VOLUME_MISSING -> "VolumeBinding";
            case VOLUME_AFFINITY, NO_MATCHING_VOLUME, INSUFFICIENT_STORAGE, BOUND_VOLUME_MISSING -> "VolumeBinding";
            case TOPOLOGY_SPREAD, TOPOLOGY_LABEL_MISSING -> "PodTopologySpread";
            case POD_AFFINITY, POD_ANTI_AFFINITY, EXISTING_ANTI_AFFINITY -> "InterPodAffinity";
            case DECLARED_FEATURES -> "NodeDeclaredFeatures";
            case INVALID_POD -> "Validation";
        };
    }

    /** The events that can resolve this veto. */
    public Set<ClusterEventKind> resolvingEvents() {
        return switch (code) {
            case NODE_NAME, NODE_UNKNOWN -> EnumSet.of(ClusterEventKind.NODE_ADDED, ClusterEventKind.POD_UPDATED);
            case UNSCHEDULABLE, TAINTS, NODE_AFFINITY, ADDED_AFFINITY, NOT_IN_REQUIRED_NODE_NAMES ->
                EnumSet.of(ClusterEventKind.NODE_ADDED, ClusterEventKind.NODE_UPDATED, ClusterEventKind.POD_UPDATED);
            case RESOURCE ->
                isResolvable()
                        ? EnumSet.copyOf(CAPACITY_EVENTS)
                        : EnumSet.of(
                                ClusterEventKind.NODE_ADDED,
                                ClusterEventKind.NODE_UPDATED,
                                ClusterEventKind.POD_UPDATED);
            case PORTS, PORTS_HELD, POD_SLOTS, RESOURCE_HELD -> EnumSet.copyOf(CAPACITY_EVENTS);
            case DECLARED_FEATURES ->
                EnumSet.of(ClusterEventKind.NODE_ADDED, ClusterEventKind.NODE_UPDATED, ClusterEventKind.POD_UPDATED);
            case POD_AFFINITY, POD_ANTI_AFFINITY, EXISTING_ANTI_AFFINITY -> EnumSet.copyOf(INTER_POD_EVENTS);
            case TOPOLOGY_SPREAD, TOPOLOGY_LABEL_MISSING -> spreadEvents();
            case HOLD_EXHAUSTED, NO_MATCHING_HOLD -> plus(CAPACITY_EVENTS, ClusterEventKind.HOLD_ADDED);
            case DEVICE_CLAIM, DEVICES, DEVICES_HELD -> plus(CAPACITY_EVENTS, ClusterEventKind.DEVICES_CHANGED);
            case INVALID_POD -> EnumSet.of(ClusterEventKind.POD_UPDATED);
            case PVC_MISSING -> EnumSet.of(ClusterEventKind.PVC_CHANGED, ClusterEventKind.POD_UPDATED);
            case VOLUME_MISSING ->
                EnumSet.of(
                        ClusterEventKind.PVC_CHANGED,
                        ClusterEventKind.VOLUME_ZONES_CHANGED,
                        ClusterEventKind.STORAGE_CLASS_CHANGED,
                        ClusterEventKind.POD_UPDATED);
            case DISK_IN_USE -> withHoldEvents(EnumSet.of(ClusterEventKind.NODE_ADDED, ClusterEventKind.POD_REMOVED));
            case PVC_IN_USE -> EnumSet.of(ClusterEventKind.NODE_ADDED, ClusterEventKind.PVC_RELEASED);
            case VOLUME_LIMIT ->
                withHoldEvents(EnumSet.of(
                        ClusterEventKind.POD_REMOVED,
                        ClusterEventKind.PVC_CHANGED,
                        ClusterEventKind.CSI_NODE_CHANGED,
                        ClusterEventKind.VOLUME_DETACHED));
            case PVC_UNUSABLE, VOLUME_AFFINITY, NO_MATCHING_VOLUME, INSUFFICIENT_STORAGE, BOUND_VOLUME_MISSING ->
                EnumSet.copyOf(VOLUME_BINDING_EVENTS);
            case VOLUME_ZONE ->
                EnumSet.of(
                        ClusterEventKind.NODE_ADDED,
                        ClusterEventKind.NODE_UPDATED,
                        ClusterEventKind.PVC_CHANGED,
                        ClusterEventKind.VOLUME_ZONES_CHANGED,
                        ClusterEventKind.STORAGE_CLASS_CHANGED);
        };
    }

    /** A hold that blocks the pod may end, or a pod may use it. */
    private Set<ClusterEventKind> withHoldEvents(Set<ClusterEventKind> clusterEventKinds) {
        return blockingHolds.isEmpty() ? clusterEventKinds : plus(clusterEventKinds, ClusterEventKind.HOLD_REMOVED);
    }

    private static Set<ClusterEventKind> plus(Set<ClusterEventKind> clusterEventKinds, ClusterEventKind more) {
        EnumSet<ClusterEventKind> all = EnumSet.copyOf(clusterEventKinds);
        all.add(more);
        return all;
    }

    private static Set<ClusterEventKind> spreadEvents() {
        EnumSet<ClusterEventKind> clusterEventKinds = EnumSet.copyOf(INTER_POD_EVENTS);
        clusterEventKinds.add(ClusterEventKind.TOPOLOGY_DOMAIN_ADDED);
        return clusterEventKinds;
    }
}
