package dev.berth.sandbox.endpoints.hooks;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.endpoints.discovery.GroupPriorities;
import dev.berth.sandbox.endpoints.request.StorageHooks;
import dev.berth.sandbox.endpoints.request.SystemFieldGenerator;
import dev.berth.sandbox.registry.KindRegistry;
import dev.berth.sandbox.registry.ServedKind;
import dev.berth.sandbox.registry.ServedKinds;
import dev.berth.sandbox.storage.GroupResource;
import dev.berth.sandbox.storage.StorageKey;
import dev.berth.sandbox.storage.Store;
import dev.berth.sandbox.storage.StoredObject;
import java.util.Set;

/** Dispatches writes to the hooks of single kinds. */
public final class KindStorageHooks implements StorageHooks {

    private final ServiceIpAllocator addressing;
    private final ApiServiceRegistration services;
    private final CrdLifecycle crdLifecycle;
    private final Set<GroupResource> builtIn;

    public KindStorageHooks(Store store, SystemFieldGenerator systemFieldGenerator, ServedKinds builtIn) {
        this.addressing = new ServiceIpAllocator(store);
        this.services = new ApiServiceRegistration(store, systemFieldGenerator);
        this.crdLifecycle = new CrdLifecycle(store, systemFieldGenerator, services);
        this.builtIn = Set.copyOf(
                builtIn.kinds().stream().map(ServedKind::storage).distinct().toList());
        for (String group : builtIn.groups()) {
            builtIn.versions(group).keySet().forEach(version -> services.register(group, version, false));
        }
    }

    @Override
    public void beforeWrite(ServedKind kind, ObjectNode mutable) {
        if (kind.storage().equals(ServiceIpAllocator.SERVICES)) {
            addressing.allocate(mutable);
        }
    }

    @Override
    public void afterWrite(ServedKind kind, StoredObject written) {
        if (kind.storage().equals(KindRegistry.CUSTOM_RESOURCE_DEFINITIONS)) {
            crdLifecycle.onWritten(written);
        } else if (kind.storage().equals(GroupPriorities.SERVICES)) {
            services.restore(written);
        }
    }

    @Override
    public void afterDelete(ServedKind kind, StoredObject last) {
        if (kind.storage().equals(KindRegistry.CUSTOM_RESOURCE_DEFINITIONS)) {
            crdLifecycle.onRemoved(last);
        } else if (!builtIn.contains(kind.storage())) {
            crdLifecycle.finalizeIfEmpty(new StorageKey(
                    "", kind.storage().plural() + "." + kind.storage().group()));
        }
    }
}
