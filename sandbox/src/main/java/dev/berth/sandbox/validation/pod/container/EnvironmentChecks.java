package dev.berth.sandbox.validation.pod.container;

import static dev.berth.sandbox.unstructured.NestedFields.at;
import static dev.berth.sandbox.unstructured.NestedFields.has;
import static dev.berth.sandbox.unstructured.NestedFields.object;
import static dev.berth.sandbox.unstructured.NestedFields.objects;
import static dev.berth.sandbox.unstructured.NestedFields.text;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.validation.field.FieldErrorList;
import dev.berth.sandbox.validation.field.FieldPath;
import dev.berth.sandbox.validation.meta.NameChecks;
import dev.berth.sandbox.validation.storage.FilePathChecks;
import java.util.List;

/** The environment of a container. */
final class EnvironmentChecks {
    private static final List<String> SOURCES =
            List.of("fieldRef", "resourceFieldRef", "configMapKeyRef", "secretKeyRef", "fileKeyRef");

    private final FieldErrorList errors;

    EnvironmentChecks(FieldErrorList errors) {
        this.errors = errors;
    }

    void check(ObjectNode container, FieldPath path) {
        path.child("env").forEachIndexed(objects(container, "env"), (variable, here) -> {
            String name = text(variable, "name");
            if (name.isEmpty()) {
                errors.required(here.child("name"));
            } else {
                errors.invalid(here.child("name"), name, NameChecks.envVarName(name));
            }
            object(variable, "valueFrom").ifPresent(from -> source(variable, from, here.child("valueFrom")));
        });
        path.child("envFrom")
                .forEachIndexed(objects(container, "envFrom"), (from, here) -> bulk(from, path.child("envFrom"), here));
    }

    private void source(ObjectNode variable, ObjectNode from, FieldPath path) {
        object(from, "fieldRef")
                .ifPresent(ref ->
                        DownwardApiChecks.field(ref, DownwardApiChecks.ENVIRONMENT, path.child("fieldRef"), errors));
        object(from, "resourceFieldRef")
                .ifPresent(ref -> DownwardApiChecks.resource(ref, false, path.child("resourceFieldRef"), errors));
        for (String kind : List.of("configMapKeyRef", "secretKeyRef")) {
            object(from, kind).ifPresent(ref -> key(ref, path.child(kind)));
        }
        object(from, "fileKeyRef").ifPresent(ref -> file(ref, path.child("fileKeyRef")));
        long sources = SOURCES.stream().filter(source -> has(from, source)).count();
        if (sources == 0) {
            errors.invalid(
                    path,
                    "",
                    "must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` "
                            + "or `fileKeyRef`");
        } else if (!text(variable, "value").isEmpty()) {
            errors.invalid(path, "", "may not be specified when `value` is not empty");
        } else if (sources > 1) {
            errors.invalid(path, "", "may not have more than one field specified at a time");
        }
    }

    private void key(ObjectNode ref, FieldPath path) {
        errors.invalid(path.child("name"), text(ref, "name"), NameChecks.dnsSubdomain(text(ref, "name")));
        String key = text(ref, "key");
        if (key.isEmpty()) {
            errors.required(path.child("key"));
        } else {
            errors.invalid(path.child("key"), key, NameChecks.configKey(key));
        }
    }

    private void file(ObjectNode ref, FieldPath path) {
        for (String field : List.of("key", "volumeName", "path")) {
            if (text(ref, field).isEmpty()) {
                errors.required(path.child(field));
            }
        }
        FilePathChecks.checkNoBacksteps(text(ref, "path"), path.child("path"), errors);
    }

    private void bulk(ObjectNode from, FieldPath list, FieldPath here) {
        String prefix = text(from, "prefix");
        if (!prefix.isEmpty()) {
            errors.invalid(here.child("prefix"), prefix, NameChecks.envVarName(prefix));
        }
        int sources = 0;
        for (String kind : List.of("configMapRef", "secretRef")) {
            JsonNode ref = at(from, kind);
            if (!ref.isMissingNode()) {
                sources++;
                String name = text(ref, "name");
                if (name.isEmpty()) {
                    errors.required(here.child(kind).child("name"));
                } else {
                    errors.invalid(here.child(kind).child("name"), name, NameChecks.dnsSubdomain(name));
                }
            }
        }
        if (sources == 0) {
            errors.invalid(list, "", "must specify one of: `configMapRef` or `secretRef`");
        } else if (sources > 1) {
            errors.invalid(list, "", "may not have more than one field specified at a time");
        }
    }
}
