package dev.berth.sandbox.validation.pod;

import static dev.berth.sandbox.unstructured.NestedFields.at;
import static dev.berth.sandbox.unstructured.NestedFields.items;
import static dev.berth.sandbox.unstructured.NestedFields.object;
import static dev.berth.sandbox.unstructured.NestedFields.objects;
import static dev.berth.sandbox.unstructured.NestedFields.text;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.validation.field.FieldErrorList;
import dev.berth.sandbox.validation.field.FieldPath;
import dev.berth.sandbox.validation.meta.LabelChecks;
import dev.berth.sandbox.validation.meta.NameChecks;
import dev.berth.sandbox.validation.meta.ObjectMetaChecks;
import java.util.List;

/** Checks pods, pod templates and bindings. */
public final class PodChecks {
    static final FieldPath SPEC = FieldPath.of("spec");
    private static final String PADDED = "must not have leading or trailing whitespace";

    private PodChecks() {}

    /** Checks a new pod. */
    public static void create(ObjectNode pod, FieldErrorList errors) {
        content(pod, errors);
        if (!items(pod, "spec", "ephemeralContainers").isEmpty()) {
            errors.forbidden(SPEC.child("ephemeralContainers"), "cannot be set on create");
        }
        if (!text(pod, "spec", "nodeName").isEmpty()
                && !items(pod, "spec", "schedulingGates").isEmpty()) {
            errors.forbidden(SPEC.child("nodeName"), "cannot be set until all schedulingGates have been cleared");
        }
    }

    /** The checks that new and updated pods share. */
    static void content(ObjectNode pod, FieldErrorList errors) {
        ObjectNode spec = object(pod, "spec").orElseGet(pod::objectNode);
        PodSpecChecks.check(spec, text(pod, "metadata", "name"), SPEC, errors);
        for (String list : List.of("containers", "initContainers")) {
            SPEC.child(list).forEachIndexed(objects(spec, list), (container, here) -> padding(container, here, errors));
        }
        if (text(spec, "serviceAccountName").isEmpty()) {
            SPEC.child("volumes")
                    .forEachIndexed(objects(spec, "volumes"), (volume, here) -> tokens(volume, here, errors));
        }
    }

    /** A token is always one of an account. Pod templates may name the account later. */
    private static void tokens(ObjectNode volume, FieldPath path, FieldErrorList errors) {
        path.child("projected")
                .child("sources")
                .forEachIndexed(objects(volume, "projected", "sources"), (source, here) -> {
                    if (object(source, "serviceAccountToken").isPresent()) {
                        errors.forbidden(
                                here.child("serviceAccountToken"),
                                "must not be specified when serviceAccountName is not set");
                    }
                });
    }

    static void padding(ObjectNode container, FieldPath path, FieldErrorList errors) {
        String image = text(container, "image");
        if (!image.equals(image.strip())) {
            errors.invalid(path.child("image"), image, PADDED);
        }
    }

    /** Checks the pod template of a workload. */
    public static void template(ObjectNode template, FieldPath path, FieldErrorList errors) {
        LabelChecks.check(at(template, "metadata", "labels"), path.child("labels"), errors);
        ObjectMetaChecks.checkAnnotations(at(template, "metadata", "annotations"), path.child("annotations"), errors);
        ObjectNode spec = object(template, "spec").orElseGet(template::objectNode);
        PodSpecChecks.check(spec, "", path.child("spec"), errors);
        if (!items(spec, "ephemeralContainers").isEmpty()) {
            errors.forbidden(
                    path.child("spec").child("ephemeralContainers"),
                    "ephemeral containers not allowed in pod template");
        }
    }

    /** Checks a Binding of a pod to a node. */
    public static void binding(ObjectNode binding, FieldErrorList errors) {
        String kind = text(binding, "target", "kind");
        if (!kind.isEmpty() && !kind.equals("Node")) {
            errors.notSupported(FieldPath.of("target", "kind"), kind, List.of("Node", "<empty>"));
        }
        if (text(binding, "target", "name").isEmpty()) {
            errors.required(FieldPath.of("target", "name"));
        }
    }

    /** Checks an update of the status subresource. */
    public static void status(ObjectNode before, ObjectNode after, FieldErrorList errors) {
        PodStatusChecks.check(before, after, errors);
    }

    /** Checks an update of the main resource. */
    public static void update(ObjectNode before, ObjectNode after, FieldErrorList errors) {
        ObjectMetaChecks.checkNew(after, true, NameChecks::dnsSubdomain, errors);
        content(after, errors);
        new PodUpdateChecks(before, after, errors).check();
    }
}
