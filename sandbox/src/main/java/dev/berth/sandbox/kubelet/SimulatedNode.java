package dev.berth.sandbox.kubelet;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.kubelet.podadmission.NodeAllocation;
import dev.berth.sandbox.unstructured.NestedFields;
import dev.berth.sandbox.unstructured.ObjectMetaReader;
import java.time.Instant;
import java.util.Optional;

/** What one kubelet remembers: who is on its node, which addresses are taken, and when it must report next. */
final class SimulatedNode {
    /** Marks the nodes that have a simulated kubelet. */
    static final String KUBELET_ANNOTATION = "simulate.berth.dev/kubelet";

    private static final String READY_ANNOTATION = "simulate.berth.dev/ready";

    /** How the kubelet presents itself. */
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

    /** The addresses of the node's range; made when first asked for. */
    PodIpPool podIps(ObjectNode node) {
        if (podIps.isEmpty()) {
            podIps = Optional.of(PodIpPool.of(NestedFields.text(node, "spec", "podCIDR")));
        }
        return podIps.get();
    }

    void releaseIp(String address) {
        podIps.ifPresent(range -> range.release(address));
    }

    /** Takes note of the node's identity; one registered anew must be reported on at once. */
    void observeIdentity(ObjectNode node) {
        if (!uid.equals(ObjectMetaReader.uid(node))) {
            uid = ObjectMetaReader.uid(node);
            leaseDue = Instant.MIN;
            statusDue = Instant.MIN;
            podIps = Optional.empty();
        }
    }

    /** True once: what ran here before this process began must be counted before anybody new is let in. */
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
