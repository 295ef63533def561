package dev.berth.sandbox.endpoints.handlers.write;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.apierrors.ApiStatus;
import dev.berth.sandbox.apierrors.ApiStatusException;
import dev.berth.sandbox.endpoints.QueryParameters;
import dev.berth.sandbox.endpoints.RestRequest;
import dev.berth.sandbox.endpoints.request.WriteOptions;
import dev.berth.sandbox.endpoints.serializer.RequestBodyDecoder;
import dev.berth.sandbox.schema.GroupVersionKind;
import dev.berth.sandbox.unstructured.NestedFields;
import dev.berth.sandbox.validation.field.FieldError;
import dev.berth.sandbox.validation.field.FieldPath;
import dev.berth.sandbox.validation.field.GoFormat;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** The options of a deletion, from the body or, if it is empty, from the query. */
public record DeletionOptions(ObjectNode tree) {

    private static final GroupVersionKind KIND = new GroupVersionKind("meta.k8s.io", "v1", "DeleteOptions");
    private static final List<String> POLICIES = List.of("Foreground", "Background", "Orphan", "nil");

    public DeletionOptions {
        List<FieldError> errors = new ArrayList<>();
        JsonNode policy = tree.path("propagationPolicy");
        if (policy.isTextual() && tree.path("orphanDependents").isBoolean()) {
            errors.add(FieldError.invalid(
                    FieldPath.of("propagationPolicy"),
                    policy,
                    "orphanDependents and deletionPropagation cannot be both set"));
        }
        if (policy.isTextual() && !POLICIES.subList(0, 3).contains(policy.textValue())) {
            errors.add(FieldError.notSupported(
                    FieldPath.of("propagationPolicy"), GoFormat.node(policy.textValue()), POLICIES));
        }
        errors.addAll(WriteOptions.validateDryRun(NestedFields.texts(tree, "dryRun")));
        if (!errors.isEmpty()) {
            throw new ApiStatusException(ApiStatus.invalid("meta.k8s.io", "DeleteOptions", "", errors));
        }
    }

    static DeletionOptions of(RestRequest request, RequestBodyDecoder bodies) {
        if (request.body().length > 0) {
            return new DeletionOptions(bodies.decode(request, KIND, new ArrayList<>()));
        }
        QueryParameters queryParameters = request.queryParameters();
        ObjectNode tree = JsonNodeFactory.instance.objectNode();
        tree.put("kind", "DeleteOptions").put("apiVersion", "meta.k8s.io/v1");
        seconds(queryParameters).ifPresent(seconds -> tree.put("gracePeriodSeconds", seconds));
        if (!queryParameters.first("propagationPolicy").isEmpty()) {
            tree.put("propagationPolicy", queryParameters.first("propagationPolicy"));
        }
        queryParameters.optionalFlag("orphanDependents").ifPresent(flag -> tree.put("orphanDependents", flag));
        if (queryParameters.has("dryRun")) {
            queryParameters.getAll("dryRun").forEach(tree.putArray("dryRun")::add);
        }
        return new DeletionOptions(tree);
    }

    public boolean dryRun() {
        return !NestedFields.texts(tree, "dryRun").isEmpty();
    }

    /** The requested grace period; a negative one counts as one second. */
    OptionalLong gracePeriodSeconds() {
        JsonNode seconds = tree.path("gracePeriodSeconds");
        if (!seconds.isNumber()) {
            return OptionalLong.empty();
        }
        return OptionalLong.of(seconds.longValue() < 0 ? 1 : seconds.longValue());
    }

    Optional<String> uidPrecondition() {
        return text("uid");
    }

    Optional<String> resourceVersionPrecondition() {
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

    private static OptionalLong seconds(QueryParameters queryParameters) {
        String text = queryParameters.first("gracePeriodSeconds");
        if (text.isEmpty()) {
            return OptionalLong.empty();
        }
        try {
            return OptionalLong.of(Long.parseLong(text));
        } catch (NumberFormatException malformed) {
            throw new ApiStatusException(
                    ApiStatus.badRequest("gracePeriodSeconds (" + text + ") is not a whole number"), malformed);
        }
    }
}
