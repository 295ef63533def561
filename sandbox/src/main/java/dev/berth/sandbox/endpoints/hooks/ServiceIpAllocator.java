package dev.berth.sandbox.endpoints.hooks;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.apierrors.ApiStatus;
import dev.berth.sandbox.apierrors.ApiStatusException;
import dev.berth.sandbox.defaulting.ServiceNetworkFields;
import dev.berth.sandbox.storage.GroupResource;
import dev.berth.sandbox.storage.ResourceStorage;
import dev.berth.sandbox.storage.Store;
import dev.berth.sandbox.unstructured.NestedFields;
import dev.berth.sandbox.unstructured.ObjectMetaReader;
import dev.berth.sandbox.validation.field.FieldError;
import dev.berth.sandbox.validation.field.FieldPath;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Allocates cluster IPs and node ports of Services in order, so that the same history gives the same values. */
final class ServiceIpAllocator {

    static final GroupResource SERVICES = new GroupResource("", "services");

    private static final int FIRST_PORT = 30_000;
    private static final int LAST_PORT = 32_767;
    // 10.96.0.0/12, of which the first address belongs to the API server.
    private static final int NETWORK = (10 << 24) | (96 << 16);
    private static final int HOSTS = 1 << 20;

    private final ResourceStorage services;
    private int lastHost = 1;
    private int lastPort = FIRST_PORT - 1;

    ServiceIpAllocator(Store store) {
        this.services = store.resource(SERVICES);
    }

    /** Completes a valid Service. Synchronized, so that no value is allocated twice. */
    synchronized void allocate(ObjectNode mutable) {
        String wanted = NestedFields.text(mutable, "spec", "clusterIP");
        if (!wanted.isEmpty() && !wanted.equals("None") && isTaken(wanted, mutable)) {
            throw new ApiStatusException(ApiStatus.invalid(
                    "",
                    "Service",
                    ObjectMetaReader.name(mutable),
                    List.of(FieldError.invalid(
                            FieldPath.of("spec", "clusterIPs"),
                            NestedFields.at(mutable, "spec", "clusterIPs"),
                            "failed to allocate IP " + wanted + ": provided IP is already allocated"))));
        }
        ServiceNetworkFields.assign(mutable, this::freeAddress, this::freePort);
    }

    private boolean isTaken(String address, ObjectNode mutable) {
        return services.snapshot().list("").stream()
                .filter(each -> !ObjectMetaReader.uid(each.tree()).equals(ObjectMetaReader.uid(mutable)))
                .anyMatch(each ->
                        NestedFields.text(each.tree(), "spec", "clusterIP").equals(address));
    }

    private String freeAddress() {
        Set<String> used = new HashSet<>();
        services.snapshot().list("").forEach(each -> used.add(NestedFields.text(each.tree(), "spec", "clusterIP")));
        for (int tries = 0; tries < HOSTS; tries++) {
            lastHost = lastHost + 1 < HOSTS - 1 ? lastHost + 1 : 2;
            int address = NETWORK + lastHost;
            String text = (address >>> 24) + "." + ((address >>> 16) & 0xff) + "." + ((address >>> 8) & 0xff) + "."
                    + (address & 0xff);
            if (!used.contains(text)) {
                return text;
            }
        }
        throw new ApiStatusException(ApiStatus.internal("failed to allocate a serviceIP: range is full"));
    }

    private int freePort() {
        Set<Long> used = new HashSet<>();
        services.snapshot()
                .list("")
                .forEach(each -> NestedFields.objects(each.tree(), "spec", "ports")
                        .forEach(port -> used.add(NestedFields.number(port, "nodePort"))));
        for (int tries = FIRST_PORT; tries <= LAST_PORT; tries++) {
            lastPort = lastPort < LAST_PORT ? lastPort + 1 : FIRST_PORT;
            if (!used.contains((long) lastPort)) {
                return lastPort;
            }
        }
        throw new ApiStatusException(ApiStatus.internal("failed to allocate a nodePort: range is full"));
    }
}
