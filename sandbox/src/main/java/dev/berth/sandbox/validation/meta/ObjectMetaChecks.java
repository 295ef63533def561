package dev.berth.sandbox.validation.meta;

import static dev.berth.sandbox.unstructured.NestedFields.at;
import static dev.berth.sandbox.unstructured.NestedFields.flag;
import static dev.berth.sandbox.unstructured.NestedFields.has;
import static dev.berth.sandbox.unstructured.NestedFields.map;
import static dev.berth.sandbox.unstructured.NestedFields.nullSafeEquals;
import static dev.berth.sandbox.unstructured.NestedFields.number;
import static dev.berth.sandbox.unstructured.NestedFields.objects;
import static dev.berth.sandbox.unstructured.NestedFields.text;
import static dev.berth.sandbox.unstructured.NestedFields.texts;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.validation.field.FieldErrorList;
import dev.berth.sandbox.validation.field.FieldPath;
import dev.berth.sandbox.validation.field.GoFormat;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Checks the metadata of objects. */
public final class ObjectMetaChecks {
    /** The error message for a change of an immutable field. */
    public static final String IMMUTABLE = "field is immutable";

    private static final int ANNOTATION_BYTES = 256 * 1024;
    private static final FieldPath METADATA = FieldPath.of("metadata");
    private static final Set<String> STANDARD_FINALIZERS = Set.of("kubernetes", "orphan", "foregroundDeletion");

    private ObjectMetaChecks() {}

    /** Checks the metadata of a new object of a built-in kind. */
    public static void checkNew(
            ObjectNode object, boolean namespaced, Function<String, List<String>> nameCheck, FieldErrorList errors) {
        checkNew(at(object, "metadata"), namespaced, nameCheck, METADATA, errors);
        checkFinalizerNames(at(object, "metadata"), errors);
    }

    /** Checks the metadata of a new custom object, whose finalizer names need no domain. */
    public static void checkNewCustomObject(ObjectNode object, boolean namespaced, FieldErrorList errors) {
        checkNew(at(object, "metadata"), namespaced, NameChecks::dnsSubdomain, METADATA, errors);
    }

    /** Checks the metadata of an object that is embedded in another object. Its name is optional. */
    public static void checkEmbedded(JsonNode metadata, FieldPath path, FieldErrorList errors) {
        String name = text(metadata, "name");
        if (!name.isEmpty()) {
            errors.invalid(path.child("name"), name, NameChecks.pathSegment(name));
        }
        checkNamespace(
                text(metadata, "namespace"), !text(metadata, "namespace").isEmpty(), path.child("namespace"), errors);
        checkShared(metadata, path, errors);
    }

    /** Checks the metadata at the path as that of a new object. */
    static void checkNew(
            JsonNode metadata,
            boolean namespaced,
            Function<String, List<String>> nameCheck,
            FieldPath path,
            FieldErrorList errors) {
        String prefix = text(metadata, "generateName");
        if (!prefix.isEmpty()) {
            errors.invalid(
                    path.child("generateName"),
                    prefix,
                    NameChecks.forGenerateName(nameCheck).apply(prefix));
        }
        String name = text(metadata, "name");
        if (name.isEmpty()) {
            errors.required(path.child("name"), "name or generateName is required");
        } else {
            errors.invalid(path.child("name"), name, nameCheck.apply(name));
        }
        checkNamespace(text(metadata, "namespace"), namespaced, path.child("namespace"), errors);
        checkNotNegative(number(metadata, "generation"), path.child("generation"), errors);
        checkShared(metadata, path, errors);
    }

    private static void checkNamespace(String namespace, boolean namespaced, FieldPath path, FieldErrorList errors) {
        if (!namespaced) {
            if (!namespace.isEmpty()) {
                errors.forbidden(path, "not allowed on this type");
            }
        } else if (namespace.isEmpty()) {
            errors.required(path);
        } else {
            errors.invalid(path, namespace, NameChecks.dnsLabel(namespace));
        }
    }

    private static void checkShared(JsonNode metadata, FieldPath path, FieldErrorList errors) {
        LabelChecks.check(at(metadata, "labels"), path.child("labels"), errors);
        checkAnnotations(at(metadata, "annotations"), path.child("annotations"), errors);
        checkOwners(metadata, path.child("ownerReferences"), errors);
        checkFinalizers(metadata, path.child("finalizers"), errors);
    }

    public static void checkAnnotations(JsonNode annotations, FieldPath path, FieldErrorList errors) {
        long bytes = 0;
        for (Map.Entry<String, String> entry : map(annotations).entrySet()) {
            String key = entry.getKey();
            errors.invalid(path, key, NameChecks.qualifiedName(key.toLowerCase(Locale.ROOT)));
            bytes += key.getBytes(StandardCharsets.UTF_8).length;
            bytes += entry.getValue().getBytes(StandardCharsets.UTF_8).length;
        }
        if (bytes > ANNOTATION_BYTES) {
            errors.tooLong(path, ANNOTATION_BYTES);
        }
    }

    private static void checkOwners(JsonNode metadata, FieldPath path, FieldErrorList errors) {
        String controller = "";
        for (ObjectNode owner : objects(metadata, "ownerReferences")) {
            checkOwner(owner, path, errors);
            if (flag(owner, "controller")) {
                String current = text(owner, "kind") + "/" + text(owner, "name");
                if (controller.isEmpty()) {
                    controller = current;
                } else {
                    errors.invalid(
                            path,
                            at(metadata, "ownerReferences"),
                            "Only one reference can have Controller set to true. Found \"true\" in references for "
                                    + controller + " and " + current);
                }
            }
        }
    }

    private static void checkOwner(ObjectNode owner, FieldPath path, FieldErrorList errors) {
        String apiVersion = text(owner, "apiVersion");
        if (apiVersion.substring(apiVersion.indexOf('/') + 1).isEmpty()) {
            errors.invalid(path.child("apiVersion"), apiVersion, "version must not be empty");
        }
        for (String field : List.of("kind", "name", "uid")) {
            if (text(owner, field).isEmpty()) {
                errors.invalid(path.child(field), "", "must not be empty");
            }
        }
        if (apiVersion.equals("v1") && text(owner, "kind").equals("Event")) {
            errors.invalid(path, owner, "/v1, Kind=Event is disallowed from being an owner");
        }
    }

    private static void checkFinalizers(JsonNode metadata, FieldPath path, FieldErrorList errors) {
        List<String> finalizers = texts(metadata, "finalizers");
        finalizers.forEach(finalizer -> errors.invalid(path, finalizer, NameChecks.qualifiedName(finalizer)));
        if (finalizers.contains("orphan") && finalizers.contains("foregroundDeletion")) {
            errors.invalid(
                    path, at(metadata, "finalizers"), "finalizer orphan and foregroundDeletion cannot be both set");
        }
    }

    /** A finalizer of a built-in kind must have a standard name or a domain prefix. */
    private static void checkFinalizerNames(JsonNode metadata, FieldErrorList errors) {
        List<String> finalizers = texts(metadata, "finalizers");
        for (int i = 0; i < finalizers.size(); i++) {
            checkFinalizerName(finalizers.get(i), METADATA.child("finalizers").index(i), errors);
        }
    }

    /** Checks that a finalizer has a standard name or a domain prefix. Does not check the syntax of the name. */
    public static void checkFinalizerName(String finalizer, FieldPath path, FieldErrorList errors) {
        if (!finalizer.contains("/") && !STANDARD_FINALIZERS.contains(finalizer)) {
            errors.invalid(path, finalizer, "name is neither a standard finalizer name nor is it fully qualified");
        }
    }

    /** Checks the metadata of an updated object of a built-in kind. */
    public static void checkUpdate(ObjectNode before, ObjectNode after, FieldErrorList errors) {
        checkUpdateOfAnyKind(before, after, errors);
        checkFinalizerNames(at(after, "metadata"), errors);
    }

    /** Checks the metadata of an updated object of any kind. Runs before the checks of the kind. */
    public static void checkUpdateOfAnyKind(
            ObjectNode before, ObjectNode after, boolean namespaced, FieldErrorList errors) {
        checkNew(at(after, "metadata"), namespaced, NameChecks::pathSegment, METADATA, errors);
        checkUpdateOfAnyKind(before, after, errors);
    }

    private static void checkUpdateOfAnyKind(ObjectNode before, ObjectNode after, FieldErrorList errors) {
        JsonNode old = at(before, "metadata");
        JsonNode metadata = at(after, "metadata");
        if (has(old, "deletionTimestamp")) {
            checkNoNewFinalizers(texts(old, "finalizers"), texts(metadata, "finalizers"), errors);
        }
        if (text(metadata, "resourceVersion").isEmpty()) {
            errors.invalid(METADATA.child("resourceVersion"), "", "must be specified for an update");
        }
        if (number(metadata, "generation") < number(old, "generation")) {
            errors.invalid(METADATA.child("generation"), number(metadata, "generation"), "must not be decremented");
        }
        for (String field : List.of(
                "name", "namespace", "uid", "creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds")) {
            checkUnchanged(at(old, field), at(metadata, field), METADATA.child(field), errors);
        }
        checkShared(metadata, METADATA, errors);
    }

    private static void checkNoNewFinalizers(List<String> old, List<String> finalizers, FieldErrorList errors) {
        String added = finalizers.stream()
                .filter(finalizer -> !old.contains(finalizer))
                .distinct()
                .sorted()
                .map(GoFormat::quote)
                .collect(Collectors.joining(", "));
        if (!added.isEmpty()) {
            errors.forbidden(
                    METADATA.child("finalizers"),
                    "no new finalizers can be added if the object is being deleted, found new finalizers []string{"
                            + added + "}");
        }
    }

    /** Checks that an update does not change the field. */
    public static void checkUnchanged(JsonNode before, JsonNode after, FieldPath path, FieldErrorList errors) {
        if (!nullSafeEquals(before, after)) {
            errors.invalid(path, after.isMissingNode() ? GoFormat.NULL : after, IMMUTABLE);
        }
    }

    public static void checkNotNegative(long value, FieldPath path, FieldErrorList errors) {
        if (value < 0) {
            errors.invalid(path, value, "must be greater than or equal to 0");
        }
    }
}
