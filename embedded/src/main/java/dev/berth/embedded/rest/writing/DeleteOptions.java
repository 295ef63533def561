package dev.berth.embedded.rest.writing;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.rest.ApiFailure;
import dev.berth.embedded.rest.ApiStatus;
import dev.berth.embedded.rest.Query;
import dev.berth.embedded.rest.Request;
import dev.berth.embedded.rest.target.WriteOptions;
import dev.berth.embedded.rest.wire.BodyReader;
import dev.berth.embedded.schema.GroupVersionKind;
import dev.berth.embedded.tree.Trees;
import dev.berth.embedded.validation.FieldError;
import dev.berth.embedded.validation.GoText;
import dev.berth.embedded.validation.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** The options of a deletion, from the body or, where there is none, from the query. */
public record DeleteOptions(ObjectNode tree) {

    private static final GroupVersionKind KIND = new GroupVersionKind("meta.k8s.io", "v1", "DeleteOptions");
    private static final List<String> POLICIES = List.of("Foreground", "Background", "Orphan", "nil");

    public DeleteOptions {
        List<FieldError> errors = new ArrayList<>();
        JsonNode policy = tree.path("propagationPolicy");
        if (policy.isTextual() && tree.path("orphanDependents").isBoolean()) {
            errors.add(FieldError.invalid(
                    Path.of("propagationPolicy"),
                    policy,
                    "orphanDependents and deletionPropagation cannot be both set"));
        }
        if (policy.isTextual() && !POLICIES.subList(0, 3).contains(policy.textValue())) {
            errors.add(
                    FieldError.notSupported(Path.of("propagationPolicy"), GoText.node(policy.textValue()), POLICIES));
        }
        errors.addAll(WriteOptions.faultsOfDryRun(Trees.texts(tree, "dryRun")));
        if (!errors.isEmpty()) {
            throw new ApiFailure(ApiStatus.invalid("meta.k8s.io", "DeleteOptions", "", errors));
        }
    }

    /** The options with which the server itself deletes. */
    public static DeleteOptions none() {
        return new DeleteOptions(JsonNodeFactory.instance.objectNode());
    }

    static DeleteOptions of(Request request, BodyReader bodies) {
        if (request.body().length > 0) {
            return new DeleteOptions(bodies.read(request, KIND, new ArrayList<>()));
        }
        Query query = request.query();
        ObjectNode tree = JsonNodeFactory.instance.objectNode();
        tree.put("kind", "DeleteOptions").put("apiVersion", "meta.k8s.io/v1");
        seconds(query).ifPresent(seconds -> tree.put("gracePeriodSeconds", seconds));
        if (!query.text("propagationPolicy").isEmpty()) {
            tree.put("propagationPolicy", query.text("propagationPolicy"));
        }
        query.optionalFlag("orphanDependents").ifPresent(flag -> tree.put("orphanDependents", flag));
        if (query.has("dryRun")) {
            query.all("dryRun").forEach(tree.putArray("dryRun")::add);
        }
        return new DeleteOptions(tree);
    }

    public boolean dryRun() {
        return !Trees.texts(tree, "dryRun").isEmpty();
    }

    /** The grace asked for; below zero counts as one second. */
    OptionalLong graceSeconds() {
        JsonNode seconds = tree.path("gracePeriodSeconds");
        if (!seconds.isNumber()) {
            return OptionalLong.empty();
        }
        return OptionalLong.of(seconds.longValue() < 0 ? 1 : seconds.longValue());
    }

    Optional<String> wantedUid() {
        return text("uid");
    }

    Optional<String> wantedVersion() {
        return text("resourceVersion");
    }

    Optional<Boolean> orphanDependents() {
        JsonNode flag = tree.path("orphanDependents");
        return flag.isBoolean() ? Optional.of(flag.booleanValue()) : Optional.empty();
    }

    Optional<String> propagationPolicy() {
        JsonNode policy = tree.path("propagationPolicy");
        return policy.isTextual() ? Optional.of(policy.textValue()) : Optional.empty();
    }

    private Optional<String> text(String precondition) {
        JsonNode value = tree.path("preconditions").path(precondition);
        return value.isTextual() ? Optional.of(value.textValue()) : Optional.empty();
    }

    private static OptionalLong seconds(Query query) {
        String text = query.text("gracePeriodSeconds");
        if (text.isEmpty()) {
            return OptionalLong.empty();
        }
        try {
            return OptionalLong.of(Long.parseLong(text));
        } catch (NumberFormatException malformed) {
            throw new ApiFailure(
                    ApiStatus.badRequest("gracePeriodSeconds (" + text + ") is not a whole number"), malformed);
        }
    }
}
