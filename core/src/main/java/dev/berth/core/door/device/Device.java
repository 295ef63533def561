package dev.berth.core.door.device;

import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.NodeTerm;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.cluster.Requirement;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * One device, as its ExtendedResource says.
 *
 * @param nodes the terms of which one must match the node that the device is on
 * @param resource what it is one of, such as {@code nvidia.com/gpu}
 * @param id how the node knows the device; empty where the object does not say
 * @param link which claim and pod the object says it is bound to
 * @param problem why the object makes no sense, if so
 */
public record Device(
        ObjectRef ref,
        List<NodeTerm> nodes,
        String resource,
        String id,
        Labels properties,
        Link link,
        ObjectStatus status,
        Optional<String> problem) {

    /**
     * What a device is bound to; empty words where it is free. Tenants cannot write the object, so what it says of its
     * pod is true whatever the pod's annotations say.
     *
     * @param pod the UID of the pod that has the claim
     */
    public record Link(String namespace, String claim, String pod) {
        public static final Link NONE = new Link("", "", "");

        /** The pod that has the claim; empty where the object names none, or something that cannot be a pod's UID. */
        Optional<PodUid> user() {
            return pod.isBlank() ? Optional.empty() : Optional.of(new PodUid(pod));
        }
    }

    public Device {
        nodes = List.copyOf(nodes);
    }

    public String name() {
        return ref.name();
    }

    /** Whether it meets the same claims at the same place as the other version of it, whichever pod has it. */
    boolean isAlike(Device other) {
        return name().equals(other.name())
                && ref.group().equals(other.ref.group())
                && nodes.equals(other.nodes)
                && resource.equals(other.resource)
                && properties.equals(other.properties);
    }

    public boolean isOn(Node node) {
        return nodes.stream().anyMatch(term -> term.matches(node));
    }

    /** Whether the objects stand for the same device, if they are on the same node. */
    boolean isDuplicateOf(Device other) {
        return hasId() && id.equals(other.id) && resource.equals(other.resource);
    }

    /** Whether it can have duplicates. */
    boolean hasId() {
        return !id.isEmpty();
    }

    /** How a message names the device itself, whatever its objects are called. */
    String identity() {
        return resource + " " + id;
    }

    /**
     * The hostnames and names of which the device's node must have one; empty where its terms leave that open, so that any
     * node may be it.
     */
    Optional<Set<String>> homes() {
        Set<String> homes = new TreeSet<>();
        for (NodeTerm term : nodes) {
            Optional<Requirement> naming = term.labels().stream()
                    .filter(label -> label.key().equals(Node.HOSTNAME_LABEL))
                    .filter(label -> label.operator() == Requirement.Operator.IN)
                    .findFirst()
                    .or(() -> term.fields().stream()
                            .filter(field -> field.operator() == Requirement.Operator.IN)
                            .findFirst());
            if (naming.isEmpty()) {
                return Optional.empty();
            }
            homes.addAll(naming.get().values());
        }
        return Optional.of(homes);
    }
}
