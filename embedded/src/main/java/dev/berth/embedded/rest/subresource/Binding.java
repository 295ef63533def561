package dev.berth.embedded.rest.subresource;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.admission.AdmissionRequest;
import dev.berth.embedded.rest.Answer;
import dev.berth.embedded.rest.ApiFailure;
import dev.berth.embedded.rest.ApiStatus;
import dev.berth.embedded.rest.Request;
import dev.berth.embedded.rest.target.Asking;
import dev.berth.embedded.rest.target.Backend;
import dev.berth.embedded.rest.target.StorageWords;
import dev.berth.embedded.rest.target.Target;
import dev.berth.embedded.rest.target.WriteOptions;
import dev.berth.embedded.rest.wire.Format;
import dev.berth.embedded.schema.GroupVersionKind;
import dev.berth.embedded.store.Meta;
import dev.berth.embedded.store.ResourceId;
import dev.berth.embedded.store.Stored;
import dev.berth.embedded.tree.Trees;
import dev.berth.embedded.validation.FieldError;
import dev.berth.embedded.validation.Validation;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Puts a pod on a node: node name, condition, and the annotations and labels of the binding's metadata in one write. A
 * bound, leaving or gated pod is refused.
 */
public final class Binding {

    private static final GroupVersionKind KIND = new GroupVersionKind("", "v1", "Binding");
    private static final ResourceId REFUSED_ON = new ResourceId("", "pods/binding");

    private final Backend backend;

    public Binding(Backend backend) {
        this.backend = backend;
    }

    /** Handles a binding sent to the pod of the target, or, where that has no name, to the pod the binding names. */
    public Answer bind(Target target, Request request) {
        Format format = Format.negotiate(request, true);
        Asking asking =
                new Asking(request.user(), WriteOptions.of(request.query(), "CreateOptions"), new ArrayList<>());
        ObjectNode sent = backend.bodies().read(request, KIND, asking.warnings());
        Target pod = target.name().isEmpty() ? target.named(Meta.name(sent)) : target;
        settle(pod, sent);
        AdmissionRequest admission = asking.admission(AdmissionRequest.Operation.CREATE, pod);
        ObjectNode binding = backend.admission().mutate(admission.with(sent));
        check(pod, binding);
        backend.admission().validate(admission.with(binding));
        assign(pod, binding, asking.options().dryRun());
        ObjectNode success = ApiStatus.success().put("code", 201);
        return backend.presenter().tree(201, format, success).warning(asking.warnings());
    }

    private static void settle(Target pod, ObjectNode binding) {
        String namespace = Meta.namespace(binding);
        if (namespace.isEmpty()) {
            Meta.of(binding).put("namespace", pod.namespace());
        } else if (!namespace.equals(pod.namespace())) {
            throw new ApiFailure(ApiStatus.badRequest(
                    "the namespace of the provided object does not match the namespace sent on the request"));
        }
    }

    private static void check(Target pod, ObjectNode binding) {
        if (!Meta.name(binding).equals(pod.name())) {
            throw new ApiFailure(ApiStatus.badRequest("name in URL does not match name in Binding object"));
        }
        List<FieldError> errors = Validation.onCreate(KIND.group(), KIND.version(), KIND.kind(), binding);
        if (!errors.isEmpty()) {
            String all = errors.stream().map(FieldError::toString).distinct().collect(Collectors.joining(", "));
            throw new ApiFailure(ApiStatus.unexplained(errors.size() > 1 ? "[" + all + "]" : all));
        }
    }

    private void assign(Target pod, ObjectNode binding, boolean dryRun) {
        while (true) {
            Stored present = backend.present(pod);
            StorageWords.checkPreconditions(pod, present.tree(), Meta.uid(binding), Meta.resourceVersion(binding));
            refuseUnbindable(pod.name(), present.tree());
            ObjectNode bound = bound(present.tree(), binding);
            if (dryRun || backend.shelf(pod).replace(present, bound).isPresent()) {
                return;
            }
        }
    }

    private static void refuseUnbindable(String name, ObjectNode pod) {
        if (Meta.deletionTimestamp(pod).isPresent()) {
            throw conflict(name, "pod " + name + " is being deleted, cannot be assigned to a host");
        }
        String node = Trees.text(pod, "spec", "nodeName");
        if (!node.isEmpty()) {
            throw conflict(name, "pod " + name + " is already assigned to node \"" + node + "\"");
        }
        if (!pod.path("spec").path("schedulingGates").isEmpty()) {
            throw conflict(name, "pod " + name + " has non-empty .spec.schedulingGates");
        }
    }

    private static ApiFailure conflict(String name, String why) {
        return new ApiFailure(ApiStatus.conflict(REFUSED_ON, name, why));
    }

    /** The pod on its node. Shares with the present pod all that stays; this is the busiest write of a cluster. */
    private ObjectNode bound(ObjectNode pod, ObjectNode binding) {
        ObjectNode own = Meta.shallowCopy(pod);
        ObjectNode metadata = Meta.of(own);
        merge(metadata, "annotations", binding.path("metadata").path("annotations"));
        merge(metadata, "labels", binding.path("metadata").path("labels"));
        ObjectNode spec = copy(own, "spec");
        spec.put("nodeName", Trees.text(binding, "target", "name"));
        ObjectNode status = copy(own, "status");
        status.remove("nominatedNodeName");
        Conditions.put(status, scheduled());
        return own;
    }

    private static void merge(ObjectNode metadata, String field, JsonNode added) {
        if (added.isEmpty()) {
            return;
        }
        ObjectNode merged = copy(metadata, field);
        added.properties().forEach(entry -> merged.set(entry.getKey(), entry.getValue()));
    }

    private static ObjectNode copy(ObjectNode parent, String field) {
        JsonNode old = parent.get(field);
        ObjectNode copy = parent.putObject(field);
        if (old instanceof ObjectNode object) {
            copy.setAll(object);
        }
        return copy;
    }

    private ObjectNode scheduled() {
        ObjectNode scheduled = JsonNodeFactory.instance.objectNode();
        scheduled.put("type", "PodScheduled").put("status", "True").putNull("lastProbeTime");
        return scheduled.put("lastTransitionTime", Meta.time(backend.births().now()));
    }
}
