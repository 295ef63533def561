package dev.berth.embedded.rest.extra;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.rest.discovery.Priorities;
import dev.berth.embedded.rest.kind.Catalog;
import dev.berth.embedded.rest.kind.Kinds;
import dev.berth.embedded.rest.kind.ServedKind;
import dev.berth.embedded.rest.target.Births;
import dev.berth.embedded.rest.target.Extras;
import dev.berth.embedded.store.ObjectKey;
import dev.berth.embedded.store.ResourceId;
import dev.berth.embedded.store.Store;
import dev.berth.embedded.store.Stored;
import java.util.Set;

/** Leads each write to whoever has something to add to it. */
public final class KindExtras implements Extras {

    private final ServiceAddressing addressing;
    private final ApiServices services;
    private final Definitions definitions;
    private final Set<ResourceId> builtIn;

    public KindExtras(Store store, Births births, Catalog builtIn) {
        this.addressing = new ServiceAddressing(store);
        this.services = new ApiServices(store, births);
        this.definitions = new Definitions(store, births, services);
        this.builtIn = Set.copyOf(
                builtIn.kinds().stream().map(ServedKind::storage).distinct().toList());
        for (String group : builtIn.groups()) {
            builtIn.versions(group).keySet().forEach(version -> services.register(group, version, false));
        }
    }

    @Override
    public void complete(ServedKind kind, ObjectNode own) {
        if (kind.storage().equals(ServiceAddressing.SERVICES)) {
            addressing.complete(own);
        }
    }

    @Override
    public void afterWrite(ServedKind kind, Stored written) {
        if (kind.storage().equals(Kinds.DEFINITIONS)) {
            definitions.written(written);
        } else if (kind.storage().equals(Priorities.SERVICES)) {
            services.restore(written);
        }
    }

    @Override
    public void afterRemoval(ServedKind kind, Stored last) {
        if (kind.storage().equals(Kinds.DEFINITIONS)) {
            definitions.removed(last);
        } else if (!builtIn.contains(kind.storage())) {
            definitions.release(new ObjectKey(
                    "", kind.storage().plural() + "." + kind.storage().group()));
        }
    }
}
