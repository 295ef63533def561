package dev.berth.embedded.rest.subresource;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.admission.AdmissionRequest;
import dev.berth.embedded.rest.Answer;
import dev.berth.embedded.rest.ApiFailure;
import dev.berth.embedded.rest.ApiStatus;
import dev.berth.embedded.rest.Request;
import dev.berth.embedded.rest.target.Asking;
import dev.berth.embedded.rest.target.Backend;
import dev.berth.embedded.rest.target.Target;
import dev.berth.embedded.rest.target.WriteOptions;
import dev.berth.embedded.rest.wire.Format;
import dev.berth.embedded.rest.writing.DeleteOptions;
import dev.berth.embedded.rest.writing.Deletion;
import dev.berth.embedded.schema.GroupVersionKind;
import dev.berth.embedded.store.Meta;
import dev.berth.embedded.store.Stored;
import dev.berth.embedded.tree.Trees;
import java.util.ArrayList;
import java.util.Set;

/** Deletes a pod if the budgets that protect it allow that. */
final class Eviction {

    private static final GroupVersionKind KIND = new GroupVersionKind("policy", "v1", "Eviction");
    private static final Set<String> UNPROTECTED = Set.of("Succeeded", "Failed", "Pending");

    private final Backend backend;
    private final Deletion deletion;
    private final Budgets budgets;

    Eviction(Backend backend) {
        this.backend = backend;
        this.deletion = new Deletion(backend);
        this.budgets = new Budgets(backend);
    }

    Answer evict(Target target, Request request) {
        Format format = Format.negotiate(request, true);
        Asking asking =
                new Asking(request.user(), WriteOptions.of(request.query(), "CreateOptions"), new ArrayList<>());
        ObjectNode sent = backend.bodies().read(request, KIND, asking.warnings());
        AdmissionRequest admission = asking.admission(AdmissionRequest.Operation.CREATE, target);
        ObjectNode eviction = backend.admission().mutate(admission.with(sent));
        if (!Meta.name(eviction).equals(target.name())) {
            throw new ApiFailure(ApiStatus.badRequest("name in URL does not match name in Eviction object"));
        }
        backend.admission().validate(admission.with(eviction));
        DeleteOptions options = options(eviction, asking.options().dryRun());
        Stored pod = backend.present(target);
        if (!isUnprotected(pod.tree())) {
            budgets.spend(pod, options.dryRun());
        }
        Target itself = new Target(target.kind(), target.namespace(), target.name(), "");
        if (!options.dryRun()) {
            mark(itself, options);
        }
        // The server itself deletes here: admission had its say about the eviction.
        deletion.deleteUnasked(itself, options);
        return backend.presenter()
                .tree(201, format, ApiStatus.success().put("code", 201))
                .warning(asking.warnings());
    }

    private static DeleteOptions options(ObjectNode eviction, boolean dryRun) {
        ObjectNode options = eviction.path("deleteOptions") instanceof ObjectNode given
                ? given.deepCopy()
                : JsonNodeFactory.instance.objectNode();
        if (dryRun && options.path("dryRun").isEmpty()) {
            options.putArray("dryRun").add("All");
        }
        return new DeleteOptions(options);
    }

    /** A pod that does not run, or already leaves, counts for no budget. */
    private static boolean isUnprotected(ObjectNode pod) {
        return UNPROTECTED.contains(Trees.text(pod, "status", "phase"))
                || Meta.deletionTimestamp(pod).isPresent();
    }

    /** Says on the pod why it goes. */
    private void mark(Target target, DeleteOptions options) {
        while (true) {
            Stored present = backend.present(target);
            deletion.checkPreconditions(target, present, options);
            ObjectNode own = Meta.shallowCopy(present.tree());
            own.set("status", present.tree().path("status").deepCopy());
            ObjectNode condition = JsonNodeFactory.instance.objectNode();
            condition.put("type", "DisruptionTarget").put("status", "True").putNull("lastProbeTime");
            condition.put("lastTransitionTime", Meta.time(backend.births().now()));
            condition.put("reason", "EvictionByEvictionAPI").put("message", "Eviction API: evicting");
            Conditions.put(Trees.child(own, "status"), condition);
            if (backend.shelf(target).replace(present, own).isPresent()) {
                return;
            }
        }
    }
}
