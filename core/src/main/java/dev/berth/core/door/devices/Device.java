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
 * One device, as its ExtendedResource says.
 *
 * @param nodeTerms the terms of which one must match the node that the device is on
 * @param resource what it is one of, such as {@code nvidia.com/gpu}
 * @param deviceId how the node knows the device; empty where the object does not say
 * @param binding which claim and pod the object says it is bound to
 * @param problem why the object makes no sense, if so
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
     * object names has the device, whatever the pod's annotations are.
     *
     * @param podUid the UID of the pod that has the claim
     */
    public record DeviceBinding(String claimNamespace, String claimName, String podUid) {
        public static final DeviceBinding NONE = new DeviceBinding("", "", "");

        /** The pod that has the claim; empty where the object names none, or something that cannot be a pod's UID. */
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

    /** Whether it meets the same claims at the same place as the other version of it, whichever pod has it. */
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

    /** Whether the objects stand for the same device, if they are on the same node. */
    boolean isDuplicateOf(Device other) {
        return hasId() && deviceId.equals(other.deviceId) && resource.equals(other.resource);
    }

    /** Whether it can have duplicates. */
    boolean hasId() {
        return !deviceId.isEmpty();
    }

    /** How a message names the device itself, whatever its objects are called. */
    String identity() {
        return resource + " " + deviceId;
    }

    /**
     * The hostnames and names of which the device's node must have one; empty where its terms leave that open, so that any
     * node may be it.
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
