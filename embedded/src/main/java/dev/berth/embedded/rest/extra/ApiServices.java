package dev.berth.embedded.rest.extra;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.rest.discovery.Priorities;
import dev.berth.embedded.rest.target.Births;
import dev.berth.embedded.store.Meta;
import dev.berth.embedded.store.ObjectKey;
import dev.berth.embedded.store.Shelf;
import dev.berth.embedded.store.Store;
import dev.berth.embedded.store.Stored;
import dev.berth.embedded.tree.Trees;
import java.util.Optional;

/**
 * Registers served versions as APIService objects. Those it manages carry a label that says so, and are put right when
 * somebody changes them; those without the label are somebody else's word on the priorities and stay.
 */
final class ApiServices {

    private static final String MANAGED = "kube-aggregator.kubernetes.io/automanaged";

    private final Shelf shelf;
    private final Births births;

    ApiServices(Store store, Births births) {
        this.shelf = store.shelf(Priorities.SERVICES);
        this.births = births;
    }

    /** Registers a version unless somebody has. */
    void register(String group, String version, boolean custom) {
        ObjectKey key = new ObjectKey("", version + "." + group);
        if (shelf.get(key).isEmpty()) {
            ObjectNode service = service(group, version, custom);
            shelf.insert(key, service);
        }
    }

    /** Takes back the registration of a version that is no longer served. */
    void unregister(String group, String version) {
        Optional<Stored> there = shelf.get(new ObjectKey("", version + "." + group));
        there.filter(ApiServices::isManaged).ifPresent(shelf::remove);
    }

    /** Puts a managed registration right after somebody wrote it. */
    void restore(Stored written) {
        String group = Trees.text(written.tree(), "spec", "group");
        String version = Trees.text(written.tree(), "spec", "version");
        if (isManaged(written)) {
            ObjectNode spec = spec(group, version);
            if (!spec.equals(written.tree().path("spec"))) {
                ObjectNode own = Meta.shallowCopy(written.tree());
                own.set("spec", spec);
                shelf.replace(written, own);
            }
        }
    }

    private static boolean isManaged(Stored service) {
        return "true".equals(Meta.labels(service.tree()).get(MANAGED));
    }

    private ObjectNode service(String group, String version, boolean custom) {
        ObjectNode service = JsonNodeFactory.instance.objectNode();
        service.put("kind", "APIService").put("apiVersion", "apiregistration.k8s.io/v1");
        ObjectNode metadata = service.putObject("metadata");
        metadata.put("name", version + "." + group);
        metadata.put("uid", births.uid());
        metadata.put("creationTimestamp", Meta.time(births.now()));
        // Built-in ones are only made at the start; later words about them stand.
        metadata.putObject("labels").put(MANAGED, custom ? "true" : "onstart");
        service.set("spec", spec(group, version));
        ObjectNode condition =
                service.putObject("status").putArray("conditions").addObject();
        condition.put("type", "Available").put("status", "True");
        condition.put("lastTransitionTime", Meta.time(births.now()));
        condition.put("reason", "Local").put("message", "Local APIServices are always available");
        return service;
    }

    private static ObjectNode spec(String group, String version) {
        ObjectNode spec = JsonNodeFactory.instance.objectNode();
        if (!group.isEmpty()) {
            spec.put("group", group);
        }
        spec.put("version", version);
        Trees.putNumber(spec, "groupPriorityMinimum", Priorities.builtInGroup(group));
        Trees.putNumber(spec, "versionPriority", Priorities.builtInVersion(group));
        return spec;
    }
}
