package dev.berth.core.door.devices;

import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.NodeSelectorTerm;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.cluster.Requirement;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * One device, as its ExtendedResource describes it.
 *
 * @param nodeTerms node selector terms; one of them must match the node of the device
 * @param resource the resource name, such as {@code nvidia.com/gpu}
 * @param deviceId the id of the device on its node; empty if the object has none
 * @param binding the claim and the pod that the object is bound to
 * @param problem why the object is invalid, if it is
 */
public record Device(
        DeviceObjectRef ref,
        List<NodeSelectorTerm> nodeTerms,
        String resource,
        String deviceId,
        Labels properties,
        DeviceBinding binding,
        DeviceObjectStatus status,
        Optional<String> problem)
        implements DeviceObject {

    /**
     * What a device is bound to; empty strings where it is free. Tenants cannot write the object, so the pod that the
     * object names has the device, even if the pod's annotations differ.
     *
     * @param podUid the UID of the pod that has the claim
     */
    public record DeviceBinding(String claimNamespace, String claimName, String podUid) {
        public static final DeviceBinding NONE = new DeviceBinding("", "", "");

        /** The pod that has the claim; empty if the object names no pod. */
        Optional<PodUid> user() {
            return podUid.isBlank() ? Optional.empty() : Optional.of(new PodUid(podUid));
        }
    }

    public Device {
        nodeTerms = List.copyOf(nodeTerms);
    }

    public String name() {
        return ref.name();
    }

    /** Whether both versions satisfy the same claims on the same node. The pod that has the device may differ. */
    boolean isEquivalentTo(Device other) {
        return name().equals(other.name())
                && ref.group().equals(other.ref.group())
                && nodeTerms.equals(other.nodeTerms)
                && resource.equals(other.resource)
                && properties.equals(other.properties);
    }

    public boolean isOn(Node node) {
        return nodeTerms.stream().anyMatch(term -> term.matches(node));
    }

    /** Whether both objects describe the same device, provided that they are on the same node. */
    boolean isDuplicateOf(Device other) {
        return hasId() && deviceId.equals(other.deviceId) && resource.equals(other.resource);
    }

    /** Whether it can have duplicates. */
    boolean hasId() {
        return !deviceId.isEmpty();
    }

    /** The device's own name in messages, independent of the names of its objects. */
    String identity() {
        return resource + " " + deviceId;
    }

    /**
     * The hostnames and names of which the device's node must have one. Empty if its terms name no node, so that the
     * device may be on any node.
     */
    Optional<Set<String>> candidateNodeNames() {
        Set<String> names = new TreeSet<>();
        for (NodeSelectorTerm term : nodeTerms) {
            Optional<Requirement> nameRequirement = term.labels().stream()
                    .filter(label -> label.key().equals(Node.HOSTNAME_LABEL))
                    .filter(label -> label.operator() == Requirement.Operator.IN)
                    .findFirst()
                    .or(() -> term.fields().stream()
                            .filter(field -> field.operator() == Requirement.Operator.IN)
                            .findFirst());
            if (nameRequirement.isEmpty()) {
                return Optional.empty();
            }
            names.addAll(nameRequirement.get().values());
        }
        return Optional.of(names);
    }
}
