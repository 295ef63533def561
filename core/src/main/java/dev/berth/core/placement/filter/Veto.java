package dev.berth.core.placement.filter;

import dev.berth.core.resource.ResourceName;
import dev.berth.core.resource.Resources;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * One reason why one node does not take one pod.
 *
 * @param resource what is short; empty where the reason is no amount
 * @param asked what the pod needs of it
 * @param free what it would find, less than asked
 * @param capacity what the node has in all
 * @param keepers the holds that keep what would have been enough, or the pod's own hold that has too little left; of
 *     devices also the pods that use them
 * @param about what is wrong in words, where the code alone cannot say it
 */
public record Veto(
        Code code,
        Optional<ResourceName> resource,
        long asked,
        long free,
        long capacity,
        List<Keeper> keepers,
        String about) {

    /** What can make room where there is too little. */
    private static final Set<Hint> ROOM =
            Set.of(Hint.NODE_ADDED, Hint.NODE_UPDATED, Hint.POD_GONE, Hint.HOLD_GONE, Hint.POD_UPDATED);

    /** What can make a node fit for the volumes of a pod. */
    private static final Set<Hint> BINDING = Set.of(
            Hint.NODE_ADDED,
            Hint.NODE_UPDATED,
            Hint.CLAIM_CHANGED,
            Hint.VOLUME_CHANGED,
            Hint.STORAGE_CLASS_CHANGED,
            Hint.STORAGE_GREW,
            Hint.DRIVERS_CHANGED,
            Hint.POD_UPDATED);

    /** What can change what other pods mean to the pod. */
    private static final Set<Hint> COMPANY =
            Set.of(Hint.NEIGHBOURS_CHANGED, Hint.NODE_ADDED, Hint.NODE_UPDATED, Hint.POD_UPDATED);

    /** What was wrong, in kube-scheduler's words where it has them. */
    public enum Code {
        UNSCHEDULABLE("node(s) were unschedulable"),
        NODE_NAME("node(s) didn't match the requested node name"),
        TAINTS("node(s) had untolerated taint(s)"),
        NODE_AFFINITY("node(s) didn't match Pod's node affinity/selector"),
        ADDED_AFFINITY("node(s) didn't match scheduler-enforced node affinity"),
        /** Every required term names nodes, and this is none of them. */
        NOT_NAMED("node(s) didn't satisfy plugin(s) [NodeAffinity]"),
        PORTS("node(s) didn't have free ports for the requested pod ports"),
        /** Without the holds there the ports would be free. */
        PORTS_HELD("node(s) didn't have free ports for the requested pod ports"),
        POD_SLOTS("Too many pods"),
        RESOURCE("Insufficient %s"),
        /** Without the holds there the pod would have fitted in this resource. */
        RESOURCE_HELD("Insufficient %s"),
        /** The pod may use a hold there, but may not go beyond what is left of it. */
        OWN_HOLD_SPENT("Insufficient %s in the pod's own hold"),
        /** The pod must use a hold and there is none for it. */
        NO_OWN_HOLD("node(s) no reservations match reservation affinity"),
        /** A claim on named devices that the pod makes is of no use anywhere as it is. */
        DEVICE_CLAIM("%s"),
        /** The node has not the named devices that the pod asks for, or others use them. */
        DEVICES("%s"),
        /** Without the holds there the pod would get its devices. */
        DEVICES_HELD("Insufficient extended resources"),
        /** A claim on a volume that the pod makes is not there. */
        CLAIM_MISSING("%s"),
        /** A claim on a volume that the pod makes is of no use anywhere as it is. */
        CLAIM_UNUSABLE("%s"),
        /** The volume that a claim of the pod is bound to is not there. */
        VOLUME_MISSING("%s"),
        DISK_IN_USE("node(s) had no available disk"),
        CLAIM_IN_USE(
                "node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod access mode already in-use by another pod"),
        VOLUME_LIMIT("node(s) exceed max volume count"),
        VOLUME_AFFINITY("node(s) didn't match PersistentVolume's node affinity"),
        NO_VOLUME("node(s) didn't find available persistent volumes to bind"),
        NO_STORAGE("node(s) did not have enough free storage"),
        VOLUME_UNKNOWN("node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)"),
        VOLUME_ZONE("node(s) had no available volume zone"),
        SPREAD("node(s) didn't match pod topology spread constraints"),
        SPREAD_LABEL("node(s) didn't match pod topology spread constraints (missing required label)"),
        POD_AFFINITY("node(s) didn't match pod affinity rules"),
        POD_ANTI_AFFINITY("node(s) didn't match pod anti-affinity rules"),
        EXISTING_ANTI_AFFINITY("node(s) didn't satisfy existing pods anti-affinity rules"),
        FEATURES("node(s) didn't match Pod's required features"),
        /** The pod has more terms than Berth compares with a node. */
        EXCESS("%s"),
        /** Somebody else speaks of the node, and it has not shown yet. */
        UNKNOWN("node(s) were not known yet");

        private final String words;

        Code(String words) {
            this.words = words;
        }
    }

    public Veto {
        keepers = List.copyOf(keepers);
    }

    public Veto(
            Code code, Optional<ResourceName> resource, long asked, long free, long capacity, List<Keeper> keepers) {
        this(code, resource, asked, free, capacity, keepers, "");
    }

    public static Veto of(Code code) {
        return of(code, "");
    }

    public static Veto of(Code code, String about) {
        return new Veto(code, Optional.empty(), 0, 0, 0, List.of(), about);
    }

    /** The reason without its amounts and without the names of the keepers: what is counted over all nodes. */
    public String words() {
        if (resource.filter(ResourceName.PODS::equals).isPresent()) {
            return code == Code.OWN_HOLD_SPENT ? "Too many pods in the pod's own hold" : Code.POD_SLOTS.words;
        }
        return code.words.formatted(resource.map(ResourceName::value).orElse(about));
    }

    /** The reason followed by the holds that stand in the way. */
    public String wordsWithKeepers() {
        String names = KeeperNames.of(keepers).words(this);
        return names.isEmpty() ? words() : "%s (%s)".formatted(words(), names);
    }

    /** How much more the pod needs than it would find. */
    public long missing() {
        return Resources.subtract(asked, free);
    }

    /** Whether the node may come to take the pod by nothing but others' leaving. */
    public boolean curable() {
        return switch (code) {
            case UNSCHEDULABLE, NODE_NAME, TAINTS, NODE_AFFINITY, ADDED_AFFINITY, NOT_NAMED, UNKNOWN -> false;
            case RESOURCE -> asked <= capacity;
            case PORTS, PORTS_HELD, POD_SLOTS, RESOURCE_HELD, OWN_HOLD_SPENT, NO_OWN_HOLD -> true;
            case DEVICE_CLAIM, DEVICES, DEVICES_HELD -> true;
            case DISK_IN_USE, CLAIM_IN_USE, VOLUME_LIMIT -> true;
            case CLAIM_MISSING, CLAIM_UNUSABLE, VOLUME_MISSING -> false;
            case VOLUME_AFFINITY, NO_VOLUME, NO_STORAGE, VOLUME_UNKNOWN, VOLUME_ZONE -> false;
            case SPREAD, POD_ANTI_AFFINITY, EXISTING_ANTI_AFFINITY -> true;
            case SPREAD_LABEL, POD_AFFINITY, FEATURES, EXCESS -> false;
        };
    }

    /** Whether removing pods from the node can help. Never where holds are in the way: they do not go with pods. */
    public boolean preemptible() {
        return switch (code) {
            case PORTS, POD_SLOTS, DISK_IN_USE, CLAIM_IN_USE, VOLUME_LIMIT -> true;
            case RESOURCE -> asked <= capacity;
            case UNSCHEDULABLE, NODE_NAME, TAINTS, NODE_AFFINITY, ADDED_AFFINITY, NOT_NAMED, UNKNOWN -> false;
            case PORTS_HELD, RESOURCE_HELD, OWN_HOLD_SPENT, NO_OWN_HOLD -> false;
            // Whose pod it would take to free which device is not worked out.
            case DEVICE_CLAIM, DEVICES, DEVICES_HELD -> false;
            case CLAIM_MISSING, CLAIM_UNUSABLE, VOLUME_MISSING -> false;
            case VOLUME_AFFINITY, NO_VOLUME, NO_STORAGE, VOLUME_UNKNOWN, VOLUME_ZONE -> false;
            case SPREAD, POD_ANTI_AFFINITY, EXISTING_ANTI_AFFINITY -> true;
            case SPREAD_LABEL, POD_AFFINITY, FEATURES, EXCESS -> false;
        };
    }

    /** Which of kube-scheduler's plugins says such a thing, or which part of Berth where it has none. */
    public String plugin() {
        return switch (code) {
            case UNSCHEDULABLE -> "NodeUnschedulable";
            case NODE_NAME, UNKNOWN -> "NodeName";
            case TAINTS -> "TaintToleration";
            case NODE_AFFINITY, ADDED_AFFINITY, NOT_NAMED -> "NodeAffinity";
            case PORTS -> "NodePorts";
            case POD_SLOTS, RESOURCE -> "NodeResourcesFit";
            case PORTS_HELD, RESOURCE_HELD, OWN_HOLD_SPENT, NO_OWN_HOLD -> "Holds";
            case DEVICE_CLAIM, DEVICES, DEVICES_HELD -> "Devices";
            case DISK_IN_USE, CLAIM_IN_USE -> "VolumeRestrictions";
            case VOLUME_LIMIT -> "NodeVolumeLimits";
            case VOLUME_ZONE -> "VolumeZone";
            case CLAIM_MISSING, CLAIM_UNUSABLE, VOLUME_MISSING -> "VolumeBinding";
            case VOLUME_AFFINITY, NO_VOLUME, NO_STORAGE, VOLUME_UNKNOWN -> "VolumeBinding";
            case SPREAD, SPREAD_LABEL -> "PodTopologySpread";
            case POD_AFFINITY, POD_ANTI_AFFINITY, EXISTING_ANTI_AFFINITY -> "InterPodAffinity";
            case FEATURES -> "NodeDeclaredFeatures";
            case EXCESS -> "Limits";
        };
    }

    /** The events that can lift this veto. */
    public Set<Hint> hints() {
        return switch (code) {
            case NODE_NAME, UNKNOWN -> EnumSet.of(Hint.NODE_ADDED, Hint.POD_UPDATED);
            case UNSCHEDULABLE, TAINTS, NODE_AFFINITY, ADDED_AFFINITY, NOT_NAMED ->
                EnumSet.of(Hint.NODE_ADDED, Hint.NODE_UPDATED, Hint.POD_UPDATED);
            case RESOURCE ->
                curable() ? EnumSet.copyOf(ROOM) : EnumSet.of(Hint.NODE_ADDED, Hint.NODE_UPDATED, Hint.POD_UPDATED);
            case PORTS, PORTS_HELD, POD_SLOTS, RESOURCE_HELD -> EnumSet.copyOf(ROOM);
            case FEATURES -> EnumSet.of(Hint.NODE_ADDED, Hint.NODE_UPDATED, Hint.POD_UPDATED);
            case POD_AFFINITY, POD_ANTI_AFFINITY, EXISTING_ANTI_AFFINITY -> EnumSet.copyOf(COMPANY);
            case SPREAD, SPREAD_LABEL -> evenness();
            case OWN_HOLD_SPENT -> with(ROOM, Hint.HOLD_ADDED);
            case NO_OWN_HOLD -> EnumSet.of(Hint.HOLD_ADDED, Hint.HOLD_GONE, Hint.POD_UPDATED);
            case DEVICE_CLAIM, DEVICES, DEVICES_HELD -> with(ROOM, Hint.DEVICES_CHANGED);
            case EXCESS -> EnumSet.of(Hint.POD_UPDATED);
            case CLAIM_MISSING -> EnumSet.of(Hint.CLAIM_CHANGED, Hint.POD_UPDATED);
            case VOLUME_MISSING ->
                EnumSet.of(Hint.CLAIM_CHANGED, Hint.VOLUME_MOVED, Hint.STORAGE_CLASS_CHANGED, Hint.POD_UPDATED);
            case DISK_IN_USE -> EnumSet.of(Hint.NODE_ADDED, Hint.POD_GONE);
            case CLAIM_IN_USE -> EnumSet.of(Hint.NODE_ADDED, Hint.CLAIM_FREED);
            case VOLUME_LIMIT ->
                EnumSet.of(Hint.POD_GONE, Hint.CLAIM_CHANGED, Hint.DRIVERS_CHANGED, Hint.VOLUME_DETACHED);
            case CLAIM_UNUSABLE, VOLUME_AFFINITY, NO_VOLUME, NO_STORAGE, VOLUME_UNKNOWN -> EnumSet.copyOf(BINDING);
            case VOLUME_ZONE ->
                EnumSet.of(
                        Hint.NODE_ADDED,
                        Hint.NODE_UPDATED,
                        Hint.CLAIM_CHANGED,
                        Hint.VOLUME_MOVED,
                        Hint.STORAGE_CLASS_CHANGED);
        };
    }

    private static Set<Hint> with(Set<Hint> hints, Hint more) {
        EnumSet<Hint> all = EnumSet.copyOf(hints);
        all.add(more);
        return all;
    }

    private static Set<Hint> evenness() {
        EnumSet<Hint> hints = EnumSet.copyOf(COMPANY);
        hints.add(Hint.DOMAIN_ADDED);
        return hints;
    }
}
