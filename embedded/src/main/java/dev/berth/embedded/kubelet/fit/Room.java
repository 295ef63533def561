package dev.berth.embedded.kubelet.fit;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.client.object.Json;
import dev.berth.embedded.client.object.Meta;
import dev.berth.embedded.client.object.Toleration;
import dev.berth.embedded.kubelet.fit.PodRequests.HostPort;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What the pods on one node use. */
public final class Room {
    private static final List<String> ORDINARY = List.of("cpu", "memory", "ephemeral-storage");

    private record Guest(Amounts requests, List<HostPort> ports) {}

    private final Map<String, Guest> guests = new LinkedHashMap<>();
    private Amounts used = Amounts.NONE;

    /** Counts the pod, once. */
    public void enter(ObjectNode pod) {
        Guest guest = new Guest(PodRequests.of(pod), PodRequests.hostPorts(pod));
        if (guests.putIfAbsent(Meta.uid(pod), guest) == null) {
            used = used.plus(guest.requests());
        }
    }

    /** Counts the pod no longer; a second time changes nothing. */
    public void leave(String uid) {
        Guest guest = guests.remove(uid);
        if (guest != null) {
            used = used.minus(guest.requests());
        }
    }

    /** Why the pod cannot run here beside those that do; empty when it can. */
    public Optional<Rejection> judge(ObjectNode pod, ObjectNode node) {
        return room(pod, Amounts.of(Json.at(node, "status", "allocatable")))
                .or(() -> NodeTerms.match(pod, node)
                        ? Optional.empty()
                        : Optional.of(Rejection.predicate(
                                "NodeAffinity", "node(s) didn't match Pod's node affinity/selector")))
                .or(() -> ports(pod))
                .or(() -> taints(pod, node));
    }

    private Optional<Rejection> room(ObjectNode pod, Amounts capacity) {
        if (guests.size() + 1 > capacity.units("pods")) {
            return Optional.of(Rejection.outOf("pods", 1, guests.size(), capacity.units("pods")));
        }
        Amounts requests = PodRequests.of(pod);
        for (String name : ORDINARY) {
            Optional<Rejection> missing = shortage(name, requests, capacity);
            if (missing.isPresent()) {
                return missing;
            }
        }
        // An extended resource that the node does not advertise is somebody else's to grant.
        return requests.byName().keySet().stream()
                .filter(name -> !ORDINARY.contains(name) && capacity.has(name))
                .flatMap(name -> shortage(name, requests, capacity).stream())
                .findFirst();
    }

    private Optional<Rejection> shortage(String name, Amounts requests, Amounts capacity) {
        long wanted = requests.units(name);
        boolean fits = wanted == 0 || wanted <= capacity.units(name) - used.units(name);
        return fits
                ? Optional.empty()
                : Optional.of(Rejection.outOf(name, wanted, used.units(name), capacity.units(name)));
    }

    private Optional<Rejection> ports(ObjectNode pod) {
        List<HostPort> wanted = PodRequests.hostPorts(pod);
        boolean taken = guests.values().stream()
                .flatMap(guest -> guest.ports().stream())
                .anyMatch(port -> wanted.stream().anyMatch(port::conflictsWith));
        return taken
                ? Optional.of(
                        Rejection.predicate("NodePorts", "node(s) didn't have free ports for the requested pod ports"))
                : Optional.empty();
    }

    private static Optional<Rejection> taints(ObjectNode pod, ObjectNode node) {
        List<Toleration> tolerations = Json.objects(pod, "spec", "tolerations").stream()
                .map(Toleration::of)
                .toList();
        boolean borne = Json.objects(node, "spec", "taints").stream()
                .filter(taint -> Json.text(taint, "effect").equals("NoExecute"))
                .allMatch(taint -> tolerations.stream().anyMatch(each -> each.tolerates(taint)));
        return borne
                ? Optional.empty()
                : Optional.of(
                        Rejection.predicate("TaintToleration", "node(s) had taints that the pod didn't tolerate"));
    }
}
