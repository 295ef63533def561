package dev.berth.sandbox.endpoints.hooks;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.endpoints.discovery.GroupPriorities;
import dev.berth.sandbox.endpoints.request.SystemFieldGenerator;
import dev.berth.sandbox.storage.ObjectMetaEditor;
import dev.berth.sandbox.storage.ResourceStorage;
import dev.berth.sandbox.storage.StorageKey;
import dev.berth.sandbox.storage.Store;
import dev.berth.sandbox.storage.StoredObject;
import dev.berth.sandbox.unstructured.NestedFields;
import dev.berth.sandbox.unstructured.ObjectMetaReader;
import dev.berth.sandbox.unstructured.TimestampFormat;
import java.util.Optional;

/**
 * Registers served versions as APIService objects. Managed objects have a label and are restored when
 * a client changes them. Objects without the label define priorities and stay unchanged.
 */
final class ApiServiceRegistration {

    private static final String AUTOREGISTER_LABEL = "kube-aggregator.kubernetes.io/automanaged";

    private final ResourceStorage resourceStorage;
    private final SystemFieldGenerator systemFieldGenerator;

    ApiServiceRegistration(Store store, SystemFieldGenerator systemFieldGenerator) {
        this.resourceStorage = store.resource(GroupPriorities.SERVICES);
        this.systemFieldGenerator = systemFieldGenerator;
    }

    /** Registers a version unless it is registered. */
    void register(String group, String version, boolean custom) {
        StorageKey key = new StorageKey("", version + "." + group);
        if (resourceStorage.get(key).isEmpty()) {
            ObjectNode service = service(group, version, custom);
            resourceStorage.insert(key, service);
        }
    }

    /** Removes the registration of a version that is no longer served. */
    void unregister(String group, String version) {
        Optional<StoredObject> there = resourceStorage.get(new StorageKey("", version + "." + group));
        there.filter(ApiServiceRegistration::isManaged).ifPresent(resourceStorage::remove);
    }

    /** Restores a managed registration after a write. */
    void restore(StoredObject written) {
        String group = NestedFields.text(written.tree(), "spec", "group");
        String version = NestedFields.text(written.tree(), "spec", "version");
        if (isManaged(written)) {
            ObjectNode spec = spec(group, version);
            if (!spec.equals(written.tree().path("spec"))) {
                ObjectNode mutable = ObjectMetaEditor.shallowCopy(written.tree());
                mutable.set("spec", spec);
                resourceStorage.replace(written, mutable);
            }
        }
    }

    private static boolean isManaged(StoredObject service) {
        return "true".equals(ObjectMetaReader.labels(service.tree()).get(AUTOREGISTER_LABEL));
    }

    private ObjectNode service(String group, String version, boolean custom) {
        ObjectNode service = JsonNodeFactory.instance.objectNode();
        service.put("kind", "APIService").put("apiVersion", "apiregistration.k8s.io/v1");
        ObjectNode metadata = service.putObject("metadata");
        metadata.put("name", version + "." + group);
        metadata.put("uid", systemFieldGenerator.newUid());
        metadata.put("creationTimestamp", TimestampFormat.formatTime(systemFieldGenerator.now()));
        // Built-in versions are registered at the start only; later changes stay.
        metadata.putObject("labels").put(AUTOREGISTER_LABEL, custom ? "true" : "onstart");
        service.set("spec", spec(group, version));
        ObjectNode condition =
                service.putObject("status").putArray("conditions").addObject();
        condition.put("type", "Available").put("status", "True");
        condition.put("lastTransitionTime", TimestampFormat.formatTime(systemFieldGenerator.now()));
        condition.put("reason", "Local").put("message", "Local APIServices are always available");
        return service;
    }

    private static ObjectNode spec(String group, String version) {
        ObjectNode spec = JsonNodeFactory.instance.objectNode();
        if (!group.isEmpty()) {
            spec.put("group", group);
        }
        spec.put("version", version);
        NestedFields.putNumber(spec, "groupPriorityMinimum", GroupPriorities.defaultGroupPriority(group));
        NestedFields.putNumber(spec, "versionPriority", GroupPriorities.defaultVersionPriority(group));
        return spec;
    }
}
