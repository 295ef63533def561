package dev.berth.sandbox.endpoints.hooks;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.apiextensions.CrdStatus;
import dev.berth.sandbox.endpoints.handlers.write.DeleteHandler;
import dev.berth.sandbox.endpoints.request.SystemFieldGenerator;
import dev.berth.sandbox.registry.KindRegistry;
import dev.berth.sandbox.storage.GroupResource;
import dev.berth.sandbox.storage.ObjectMetaEditor;
import dev.berth.sandbox.storage.ResourceStorage;
import dev.berth.sandbox.storage.StorageKey;
import dev.berth.sandbox.storage.Store;
import dev.berth.sandbox.storage.StoredObject;
import dev.berth.sandbox.unstructured.NestedFields;
import dev.berth.sandbox.unstructured.ObjectMetaReader;
import dev.berth.sandbox.unstructured.TimestampFormat;
import java.util.List;
import java.util.Optional;

/**
 * The lifecycle of CustomResourceDefinitions: the status and the served versions after each write, and the deletion of
 * all objects of the kind before the definition.
 */
final class CrdLifecycle {

    private final Store store;
    private final ResourceStorage resourceStorage;
    private final SystemFieldGenerator systemFieldGenerator;
    private final ApiServiceRegistration services;

    CrdLifecycle(Store store, SystemFieldGenerator systemFieldGenerator, ApiServiceRegistration services) {
        this.store = store;
        this.resourceStorage = store.resource(KindRegistry.CUSTOM_RESOURCE_DEFINITIONS);
        this.systemFieldGenerator = systemFieldGenerator;
        this.services = services;
    }

    /** Called after a definition was written. */
    void onWritten(StoredObject definition) {
        if (ObjectMetaReader.deletionTimestamp(definition.tree()).isPresent()) {
            deleteObjects(definition);
            finalizeIfEmpty(definition.key());
            return;
        }
        ObjectNode mutable = ObjectMetaEditor.shallowCopy(definition.tree());
        List<ObjectNode> all = resourceStorage.snapshot().list("").stream()
                .map(StoredObject::tree)
                .toList();
        mutable.set(
                "status",
                CrdStatus.compute(definition.tree(), all, TimestampFormat.formatTime(systemFieldGenerator.now())));
        if (!mutable.equals(definition.tree())) {
            resourceStorage.replace(definition, mutable);
        }
        String group = NestedFields.text(definition.tree(), "spec", "group");
        for (ObjectNode version : NestedFields.objects(definition.tree(), "spec", "versions")) {
            if (NestedFields.flag(version, "served")) {
                services.register(group, NestedFields.text(version, "name"), true);
            }
        }
    }

    /** Called after a definition was removed. */
    void onRemoved(StoredObject definition) {
        String group = NestedFields.text(definition.tree(), "spec", "group");
        boolean others = resourceStorage.snapshot().list("").stream()
                .anyMatch(
                        each -> NestedFields.text(each.tree(), "spec", "group").equals(group));
        if (!others) {
            NestedFields.objects(definition.tree(), "spec", "versions")
                    .forEach(version -> services.unregister(group, NestedFields.text(version, "name")));
        }
    }

    /** Finalizes a terminating definition when the last object of its kind is deleted. */
    void finalizeIfEmpty(StorageKey key) {
        Optional<StoredObject> present = resourceStorage
                .get(key)
                .filter(each -> ObjectMetaReader.deletionTimestamp(each.tree()).isPresent()
                        && ObjectMetaReader.finalizers(each.tree()).contains(DeleteHandler.CLEANUP_FINALIZER))
                .filter(each -> objects(each).snapshot().size() == 0);
        if (present.isEmpty()) {
            return;
        }
        List<String> left = ObjectMetaReader.finalizers(present.get().tree());
        left.remove(DeleteHandler.CLEANUP_FINALIZER);
        if (left.isEmpty()) {
            resourceStorage.remove(present.get()).ifPresent(this::onRemoved);
        } else {
            ObjectNode mutable = ObjectMetaEditor.shallowCopy(present.get().tree());
            ObjectMetaEditor.setFinalizers(mutable, left);
            resourceStorage.replace(present.get(), mutable);
        }
    }

    private void deleteObjects(StoredObject definition) {
        ResourceStorage objects = objects(definition);
        for (StoredObject each : objects.snapshot().list("")) {
            if (ObjectMetaReader.finalizers(each.tree()).isEmpty()) {
                objects.remove(each);
            } else if (ObjectMetaReader.deletionTimestamp(each.tree()).isEmpty()) {
                ObjectNode mutable = ObjectMetaEditor.shallowCopy(each.tree());
                ObjectMetaEditor.mutableMetadata(mutable)
                        .put("deletionTimestamp", TimestampFormat.formatTime(systemFieldGenerator.now()))
                        .put("deletionGracePeriodSeconds", 0);
                objects.replace(each, mutable);
            }
        }
    }

    private ResourceStorage objects(StoredObject definition) {
        return store.resource(new GroupResource(
                NestedFields.text(definition.tree(), "spec", "group"),
                NestedFields.text(definition.tree(), "spec", "names", "plural")));
    }
}
