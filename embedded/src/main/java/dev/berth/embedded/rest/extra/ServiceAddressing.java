package dev.berth.embedded.rest.extra;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.defaults.ServiceAddresses;
import dev.berth.embedded.rest.ApiFailure;
import dev.berth.embedded.rest.ApiStatus;
import dev.berth.embedded.store.Meta;
import dev.berth.embedded.store.ResourceId;
import dev.berth.embedded.store.Shelf;
import dev.berth.embedded.store.Store;
import dev.berth.embedded.tree.Trees;
import dev.berth.embedded.validation.FieldError;
import dev.berth.embedded.validation.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Gives services their cluster addresses and node ports, in order, so that the same history gives the same ones. */
final class ServiceAddressing {

    static final ResourceId SERVICES = new ResourceId("", "services");

    private static final int FIRST_PORT = 30_000;
    private static final int LAST_PORT = 32_767;
    // 10.96.0.0/12, of which the first address belongs to the API server.
    private static final int NETWORK = (10 << 24) | (96 << 16);
    private static final int HOSTS = 1 << 20;

    private final Shelf services;
    private int lastHost = 1;
    private int lastPort = FIRST_PORT - 1;

    ServiceAddressing(Store store) {
        this.services = store.shelf(SERVICES);
    }

    /** Completes a valid service. One at a time: what was given to one is not given to the next. */
    synchronized void complete(ObjectNode own) {
        String wanted = Trees.text(own, "spec", "clusterIP");
        if (!wanted.isEmpty() && !wanted.equals("None") && isTaken(wanted, own)) {
            throw new ApiFailure(ApiStatus.invalid(
                    "",
                    "Service",
                    Meta.name(own),
                    List.of(FieldError.invalid(
                            Path.of("spec", "clusterIPs"),
                            Trees.at(own, "spec", "clusterIPs"),
                            "failed to allocate IP " + wanted + ": provided IP is already allocated"))));
        }
        ServiceAddresses.assign(own, this::freeAddress, this::freePort);
    }

    private boolean isTaken(String address, ObjectNode own) {
        return services.snapshot().list("").stream()
                .filter(each -> !Meta.uid(each.tree()).equals(Meta.uid(own)))
                .anyMatch(each -> Trees.text(each.tree(), "spec", "clusterIP").equals(address));
    }

    private String freeAddress() {
        Set<String> used = new HashSet<>();
        services.snapshot().list("").forEach(each -> used.add(Trees.text(each.tree(), "spec", "clusterIP")));
        for (int tries = 0; tries < HOSTS; tries++) {
            lastHost = lastHost + 1 < HOSTS - 1 ? lastHost + 1 : 2;
            int address = NETWORK + lastHost;
            String text = (address >>> 24) + "." + ((address >>> 16) & 0xff) + "." + ((address >>> 8) & 0xff) + "."
                    + (address & 0xff);
            if (!used.contains(text)) {
                return text;
            }
        }
        throw new ApiFailure(ApiStatus.internal("failed to allocate a serviceIP: range is full"));
    }

    private int freePort() {
        Set<Long> used = new HashSet<>();
        services.snapshot()
                .list("")
                .forEach(each -> Trees.objects(each.tree(), "spec", "ports")
                        .forEach(port -> used.add(Trees.number(port, "nodePort"))));
        for (int tries = FIRST_PORT; tries <= LAST_PORT; tries++) {
            lastPort = lastPort < LAST_PORT ? lastPort + 1 : FIRST_PORT;
            if (!used.contains((long) lastPort)) {
                return lastPort;
            }
        }
        throw new ApiFailure(ApiStatus.internal("failed to allocate a nodePort: range is full"));
    }
}
