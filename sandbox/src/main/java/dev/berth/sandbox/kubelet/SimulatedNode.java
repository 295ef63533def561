package dev.berth.sandbox.kubelet;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.kubelet.podadmission.NodeAllocation;
import dev.berth.sandbox.unstructured.NestedFields;
import dev.berth.sandbox.unstructured.ObjectMetaReader;
import java.time.Instant;
import java.util.Optional;

/** The state of one simulated kubelet: its pods, the pod IPs in use, and when it must report next. */
final class SimulatedNode {
    /** Marks the nodes that have a simulated kubelet. */
    static final String KUBELET_ANNOTATION = "simulate.berth.dev/kubelet";

    private static final String READY_ANNOTATION = "simulate.berth.dev/ready";

    /** The simulated state of the kubelet. */
    enum NodeHealth {
        READY,
        NOT_READY,
        /** Neither reports nor acts. */
        UNRESPONSIVE
    }

    private final String name;
    private final NodeAllocation allocation = new NodeAllocation();
    private Optional<PodIpPool> podIps = Optional.empty();
    private Instant leaseDue = Instant.MIN;
    private Instant statusDue = Instant.MIN;
    private String uid = "";
    private boolean firstSyncDone;
    private boolean statusWriteInFlight;
    private boolean leaseWriteInFlight;

    SimulatedNode(String name) {
        this.name = name;
    }

    static boolean isSimulated(ObjectNode node) {
        return ObjectMetaReader.annotation(node, KUBELET_ANNOTATION)
                .filter("true"::equals)
                .isPresent();
    }

    static NodeHealth healthOf(ObjectNode node) {
        return switch (ObjectMetaReader.annotation(node, READY_ANNOTATION).orElse("true")) {
            case "false" -> NodeHealth.NOT_READY;
            case "silent" -> NodeHealth.UNRESPONSIVE;
            default -> NodeHealth.READY;
        };
    }

    String name() {
        return name;
    }

    NodeAllocation allocation() {
        return allocation;
    }

    /** The addresses of the node's range; created on first use. */
    PodIpPool podIps(ObjectNode node) {
        if (podIps.isEmpty()) {
            podIps = Optional.of(PodIpPool.of(NestedFields.text(node, "spec", "podCIDR")));
        }
        return podIps.get();
    }

    void releaseIp(String address) {
        podIps.ifPresent(range -> range.release(address));
    }

    /** Records the UID of the node. A node with a new UID must be reported at once. */
    void observeIdentity(ObjectNode node) {
        if (!uid.equals(ObjectMetaReader.uid(node))) {
            uid = ObjectMetaReader.uid(node);
            leaseDue = Instant.MIN;
            statusDue = Instant.MIN;
            podIps = Optional.empty();
        }
    }

    /** Returns true once: existing pods must be counted before new pods are admitted. */
    boolean beginFirstSync() {
        boolean first = !firstSyncDone;
        firstSyncDone = true;
        return first;
    }

    Instant leaseDue() {
        return leaseDue;
    }

    void setLeaseDue(Instant due) {
        leaseDue = due;
    }

    Instant statusDue() {
        return statusDue;
    }

    void setStatusDue(Instant due) {
        statusDue = due;
    }

    boolean isStatusWriteInFlight() {
        return statusWriteInFlight;
    }

    void setStatusWriteInFlight(boolean now) {
        statusWriteInFlight = now;
    }

    boolean isLeaseWriteInFlight() {
        return leaseWriteInFlight;
    }

    void setLeaseWriteInFlight(boolean now) {
        leaseWriteInFlight = now;
    }
}
