package dev.berth.sandbox.controller.util;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.core.cluster.LabelSelector;
import dev.berth.core.cluster.Labels;
import dev.berth.sandbox.client.ApiException;
import dev.berth.sandbox.client.ObjectLocation;
import dev.berth.sandbox.client.Patch;
import dev.berth.sandbox.client.RestMapping;
import dev.berth.sandbox.unstructured.LabelSelectorReader;
import dev.berth.sandbox.unstructured.NestedFields;
import dev.berth.sandbox.unstructured.ObjectMetaReader;
import dev.berth.sandbox.unstructured.OwnerReference;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** Which objects a controller's object owns: adopts orphans that match its selector, releases what no longer does. */
public final class ControllerRefManager {
    private final WriteThroughClient writeThroughClient;
    private final RestMapping ownerResource;
    private final ObjectNode owner;
    private final RestMapping dependents;
    private final Predicate<ObjectNode> matches;
    private Optional<Boolean> adoptionAllowed = Optional.empty();

    public ControllerRefManager(
            WriteThroughClient writeThroughClient,
            RestMapping ownerResource,
            ObjectNode owner,
            RestMapping dependents,
            Predicate<ObjectNode> matches) {
        this.writeThroughClient = writeThroughClient;
        this.ownerResource = ownerResource;
        this.owner = owner;
        this.dependents = dependents;
        this.matches = matches;
    }

    /** Selects by {@code spec.selector} of the owner; an empty selector matches nothing. */
    public static Predicate<ObjectNode> selectorPredicate(ObjectNode owner) {
        LabelSelector selector = LabelSelectorReader.read(NestedFields.at(owner, "spec", "selector"));
        return object -> !selector.isEmpty() && selector.matches(Labels.of(ObjectMetaReader.labels(object)));
    }

    /** Those of the candidates that the owner controls, after adopting and releasing. */
    public List<ObjectNode> claim(Collection<ObjectNode> candidates) {
        List<ObjectNode> claimed = new ArrayList<>();
        for (ObjectNode candidate : new ArrayList<>(candidates)) {
            claim(candidate).ifPresent(claimed::add);
        }
        return claimed;
    }

    private Optional<ObjectNode> claim(ObjectNode candidate) {
        Optional<OwnerReference> controller = ObjectMetaReader.controllerOf(candidate);
        if (controller.isPresent()) {
            if (!controller.get().uid().equals(ObjectMetaReader.uid(owner))) {
                return Optional.empty();
            }
            if (matches.test(candidate)) {
                return Optional.of(candidate);
            }
            if (!ObjectMetaReader.isTerminating(owner)) {
                release(candidate);
            }
            return Optional.empty();
        }
        boolean wanted = !ObjectMetaReader.isTerminating(owner)
                && !ObjectMetaReader.isTerminating(candidate)
                && matches.test(candidate);
        return wanted ? adopt(candidate) : Optional.empty();
    }

    private Optional<ObjectNode> adopt(ObjectNode orphan) {
        if (!canAdopt()) {
            return Optional.empty();
        }
        ObjectNode patch = NestedFields.newObject();
        ObjectNode metadata = patch.putObject("metadata").put("uid", ObjectMetaReader.uid(orphan));
        metadata.putArray("ownerReferences")
                .add(OwnerReference.controllerReference(owner).toJson());
        try {
            return Optional.of(writeThroughClient.patch(ObjectLocation.of(dependents, orphan), Patch.strategic(patch)));
        } catch (ApiException e) {
            if (e.isNotFound()) {
                return Optional.empty();
            }
            throw e;
        }
    }

    private void release(ObjectNode object) {
        ObjectNode patch = NestedFields.newObject();
        ObjectNode metadata = patch.putObject("metadata").put("uid", ObjectMetaReader.uid(object));
        metadata.putArray("ownerReferences")
                .addObject()
                .put("$patch", "delete")
                .put("uid", ObjectMetaReader.uid(owner));
        try {
            writeThroughClient.patch(ObjectLocation.of(dependents, object), Patch.strategic(patch));
        } catch (ApiException e) {
            // 422: it is another object of that name by now, or not ours any more.
            if (!e.isNotFound() && e.code() != 422) {
                throw e;
            }
        }
    }

    /** Reads the server, not the cache: an owner that is being deleted must not adopt objects. */
    private boolean canAdopt() {
        if (adoptionAllowed.isEmpty()) {
            adoptionAllowed = Optional.of(writeThroughClient
                    .client()
                    .find(ObjectLocation.of(ownerResource, owner))
                    .filter(fresh -> ObjectMetaReader.uid(fresh).equals(ObjectMetaReader.uid(owner))
                            && !ObjectMetaReader.isTerminating(fresh))
                    .isPresent());
        }
        return adoptionAllowed.get();
    }
}
