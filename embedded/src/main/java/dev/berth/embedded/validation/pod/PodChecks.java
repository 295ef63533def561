package dev.berth.embedded.validation.pod;

import static dev.berth.embedded.tree.Trees.at;
import static dev.berth.embedded.tree.Trees.child;
import static dev.berth.embedded.tree.Trees.has;
import static dev.berth.embedded.tree.Trees.items;
import static dev.berth.embedded.tree.Trees.object;
import static dev.berth.embedded.tree.Trees.objects;
import static dev.berth.embedded.tree.Trees.text;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.validation.FieldErrors;
import dev.berth.embedded.validation.Path;
import dev.berth.embedded.validation.meta.Labels;
import dev.berth.embedded.validation.meta.Names;
import dev.berth.embedded.validation.meta.ObjectMeta;
import java.util.List;

/** Pods, their templates, and what binds them to nodes. */
public final class PodChecks {
    static final Path SPEC = Path.of("spec");
    private static final String PADDED = "must not have leading or trailing whitespace";

    private PodChecks() {}

    /** A pod that is to be created. */
    public static void create(ObjectNode pod, FieldErrors errors) {
        content(pod, errors);
        if (!items(pod, "spec", "ephemeralContainers").isEmpty()) {
            errors.forbidden(SPEC.child("ephemeralContainers"), "cannot be set on create");
        }
        if (!text(pod, "spec", "nodeName").isEmpty()
                && !items(pod, "spec", "schedulingGates").isEmpty()) {
            errors.forbidden(SPEC.child("nodeName"), "cannot be set until all schedulingGates have been cleared");
        }
    }

    /** What a pod must not contain, new or not. */
    static void content(ObjectNode pod, FieldErrors errors) {
        ObjectNode spec = object(pod, "spec").orElseGet(pod::objectNode);
        PodSpecChecks.check(spec, text(pod, "metadata", "name"), SPEC, errors);
        if (text(spec, "serviceAccountName").isEmpty()) {
            tokens(spec, errors);
        }
        for (String list : List.of("containers", "initContainers")) {
            SPEC.child(list).each(objects(spec, list), (container, here) -> padding(container, here, errors));
        }
    }

    private static void tokens(ObjectNode spec, FieldErrors errors) {
        SPEC.child("volumes")
                .each(
                        objects(spec, "volumes"),
                        (volume, here) -> here.child("projected")
                                .child("sources")
                                .each(objects(volume, "projected", "sources"), (source, at) -> {
                                    if (has(source, "serviceAccountToken")) {
                                        errors.forbidden(
                                                at.child("serviceAccountToken"),
                                                "must not be specified when serviceAccountName is not set");
                                    }
                                }));
    }

    static void padding(ObjectNode container, Path path, FieldErrors errors) {
        String image = text(container, "image");
        if (!image.equals(image.strip())) {
            errors.invalid(path.child("image"), image, PADDED);
        }
    }

    /** A pod template inside a workload. */
    public static void template(ObjectNode template, Path path, FieldErrors errors) {
        Labels.check(at(template, "metadata", "labels"), path.child("labels"), errors);
        ObjectMeta.checkAnnotations(at(template, "metadata", "annotations"), path.child("annotations"), errors);
        ObjectNode spec = object(template, "spec").orElseGet(template::objectNode);
        PodSpecChecks.check(spec, "", path.child("spec"), errors);
        if (!items(spec, "ephemeralContainers").isEmpty()) {
            errors.forbidden(
                    path.child("spec").child("ephemeralContainers"),
                    "ephemeral containers not allowed in pod template");
        }
    }

    /** The kind PodTemplate. */
    public static void podTemplate(ObjectNode object, FieldErrors errors) {
        template(child(object, "template"), Path.of("template"), errors);
    }

    /** What binds a pod to a node. */
    public static void binding(ObjectNode binding, FieldErrors errors) {
        String kind = text(binding, "target", "kind");
        if (!kind.isEmpty() && !kind.equals("Node")) {
            errors.notSupported(Path.of("target", "kind"), kind, List.of("Node", "<empty>"));
        }
        if (text(binding, "target", "name").isEmpty()) {
            errors.required(Path.of("target", "name"));
        }
    }

    /** A change of a pod's status. */
    public static void status(ObjectNode before, ObjectNode after, FieldErrors errors) {
        PodStatusChecks.check(before, after, errors);
    }

    /** A change of a pod, through the main resource. */
    public static void update(ObjectNode before, ObjectNode after, FieldErrors errors) {
        ObjectMeta.checkNew(after, true, Names::subdomain, errors);
        content(after, errors);
        new PodUpdateChecks(before, after, errors).check();
    }
}
