package dev.berth.sandbox.kubelet.podadmission;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.kubelet.podadmission.PodResourceRequests.HostPort;
import dev.berth.sandbox.unstructured.NestedFields;
import dev.berth.sandbox.unstructured.ObjectMetaReader;
import dev.berth.sandbox.unstructured.TolerationSpec;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What the pods on one node use. */
public final class NodeAllocation {
    private static final List<String> NATIVE_RESOURCES = List.of("cpu", "memory", "ephemeral-storage");

    private record AdmittedPod(ResourceList requests, List<HostPort> ports) {}

    private final Map<String, AdmittedPod> admittedPods = new LinkedHashMap<>();
    private ResourceList used = ResourceList.NONE;

    /** Counts the pod, once. */
    public void add(ObjectNode pod) {
        AdmittedPod admittedPod = new AdmittedPod(PodResourceRequests.compute(pod), PodResourceRequests.hostPorts(pod));
        if (admittedPods.putIfAbsent(ObjectMetaReader.uid(pod), admittedPod) == null) {
            used = used.plus(admittedPod.requests());
        }
    }

    /** Removes the pod from the count. A second call has no effect. */
    public void remove(String uid) {
        AdmittedPod admittedPod = admittedPods.remove(uid);
        if (admittedPod != null) {
            used = used.minus(admittedPod.requests());
        }
    }

    /** Why the node rejects the pod; empty when it admits the pod. */
    public Optional<Rejection> checkAdmission(ObjectNode pod, ObjectNode node) {
        return checkResources(pod, ResourceList.of(NestedFields.at(node, "status", "allocatable")))
                .or(() -> NodeAffinityMatcher.matches(pod, node)
                        ? Optional.empty()
                        : Optional.of(Rejection.predicateFailed(
                                "NodeAffinity", "node(s) didn't match Pod's node affinity/selector")))
                .or(() -> checkHostPorts(pod))
                .or(() -> checkTaints(pod, node));
    }

    private Optional<Rejection> checkResources(ObjectNode pod, ResourceList capacity) {
        if (admittedPods.size() + 1 > capacity.units("pods")) {
            return Optional.of(Rejection.outOfResource("pods", 1, admittedPods.size(), capacity.units("pods")));
        }
        ResourceList requests = PodResourceRequests.compute(pod);
        for (String name : NATIVE_RESOURCES) {
            Optional<Rejection> missing = checkResource(name, requests, capacity);
            if (missing.isPresent()) {
                return missing;
            }
        }
        // The kubelet does not check extended resources that the node does not advertise.
        return requests.byName().keySet().stream()
                .filter(name -> !NATIVE_RESOURCES.contains(name) && capacity.has(name))
                .flatMap(name -> checkResource(name, requests, capacity).stream())
                .findFirst();
    }

    private Optional<Rejection> checkResource(String name, ResourceList requests, ResourceList capacity) {
        long wanted = requests.units(name);
        boolean fits = wanted == 0 || wanted <= capacity.units(name) - used.units(name);
        return fits
                ? Optional.empty()
                : Optional.of(Rejection.outOfResource(name, wanted, used.units(name), capacity.units(name)));
    }

    private Optional<Rejection> checkHostPorts(ObjectNode pod) {
        List<HostPort> wanted = PodResourceRequests.hostPorts(pod);
        boolean taken = admittedPods.values().stream()
                .flatMap(admittedPod -> admittedPod.ports().stream())
                .anyMatch(port -> wanted.stream().anyMatch(port::conflictsWith));
        return taken
                ? Optional.of(Rejection.predicateFailed(
                        "NodePorts", "node(s) didn't have free ports for the requested pod ports"))
                : Optional.empty();
    }

    private static Optional<Rejection> checkTaints(ObjectNode pod, ObjectNode node) {
        List<TolerationSpec> tolerationSpecs = NestedFields.objects(pod, "spec", "tolerations").stream()
                .map(TolerationSpec::of)
                .toList();
        boolean borne = NestedFields.objects(node, "spec", "taints").stream()
                .filter(taint -> NestedFields.text(taint, "effect").equals("NoExecute"))
                .allMatch(taint -> tolerationSpecs.stream().anyMatch(each -> each.tolerates(taint)));
        return borne
                ? Optional.empty()
                : Optional.of(Rejection.predicateFailed(
                        "TaintToleration", "node(s) had taints that the pod didn't tolerate"));
    }
}
