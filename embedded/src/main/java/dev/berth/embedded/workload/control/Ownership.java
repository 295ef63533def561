package dev.berth.embedded.workload.control;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.client.Address;
import dev.berth.embedded.client.ApiException;
import dev.berth.embedded.client.Patch;
import dev.berth.embedded.client.Resource;
import dev.berth.embedded.client.object.Json;
import dev.berth.embedded.client.object.LabelSelector;
import dev.berth.embedded.client.object.Meta;
import dev.berth.embedded.client.object.OwnerReference;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** Which objects a controller's object owns: adopts orphans that match its selector, releases what no longer does. */
public final class Ownership {
    private final Writes writes;
    private final Resource ownerResource;
    private final ObjectNode owner;
    private final Resource dependents;
    private final Predicate<ObjectNode> matches;
    private Optional<Boolean> mayAdopt = Optional.empty();

    public Ownership(
            Writes writes,
            Resource ownerResource,
            ObjectNode owner,
            Resource dependents,
            Predicate<ObjectNode> matches) {
        this.writes = writes;
        this.ownerResource = ownerResource;
        this.owner = owner;
        this.dependents = dependents;
        this.matches = matches;
    }

    /** Selects by {@code spec.selector} of the owner; an empty selector matches nothing. */
    public static Predicate<ObjectNode> bySelector(ObjectNode owner) {
        LabelSelector selector = LabelSelector.of(Json.at(owner, "spec", "selector"));
        return object -> !selector.empty() && selector.matches(Meta.labels(object));
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
        Optional<OwnerReference> controller = Meta.controllerOf(candidate);
        if (controller.isPresent()) {
            if (!controller.get().uid().equals(Meta.uid(owner))) {
                return Optional.empty();
            }
            if (matches.test(candidate)) {
                return Optional.of(candidate);
            }
            if (!Meta.terminating(owner)) {
                release(candidate);
            }
            return Optional.empty();
        }
        boolean wanted = !Meta.terminating(owner) && !Meta.terminating(candidate) && matches.test(candidate);
        return wanted ? adopt(candidate) : Optional.empty();
    }

    private Optional<ObjectNode> adopt(ObjectNode orphan) {
        if (!mayAdopt()) {
            return Optional.empty();
        }
        ObjectNode patch = Json.object();
        ObjectNode metadata = patch.putObject("metadata").put("uid", Meta.uid(orphan));
        metadata.putArray("ownerReferences")
                .add(OwnerReference.controlledBy(owner).toJson());
        try {
            return Optional.of(writes.patch(Address.of(dependents, orphan), Patch.strategic(patch)));
        } catch (ApiException e) {
            if (e.notFound()) {
                return Optional.empty();
            }
            throw e;
        }
    }

    private void release(ObjectNode object) {
        ObjectNode patch = Json.object();
        ObjectNode metadata = patch.putObject("metadata").put("uid", Meta.uid(object));
        metadata.putArray("ownerReferences").addObject().put("$patch", "delete").put("uid", Meta.uid(owner));
        try {
            writes.patch(Address.of(dependents, object), Patch.strategic(patch));
        } catch (ApiException e) {
            // 422: it is another object of that name by now, or not ours any more.
            if (!e.notFound() && e.code() != 422) {
                throw e;
            }
        }
    }

    /** Asks the server, not the mirror: who is being deleted must not take in what its deletion would then take along. */
    private boolean mayAdopt() {
        if (mayAdopt.isEmpty()) {
            mayAdopt = Optional.of(writes.client()
                    .find(Address.of(ownerResource, owner))
                    .filter(fresh -> Meta.uid(fresh).equals(Meta.uid(owner)) && !Meta.terminating(fresh))
                    .isPresent());
        }
        return mayAdopt.get();
    }
}
