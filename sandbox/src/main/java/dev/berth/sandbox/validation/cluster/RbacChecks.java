package dev.berth.sandbox.validation.cluster;

import static dev.berth.sandbox.unstructured.NestedFields.at;
import static dev.berth.sandbox.unstructured.NestedFields.has;
import static dev.berth.sandbox.unstructured.NestedFields.items;
import static dev.berth.sandbox.unstructured.NestedFields.nullSafeEquals;
import static dev.berth.sandbox.unstructured.NestedFields.objects;
import static dev.berth.sandbox.unstructured.NestedFields.text;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.validation.field.FieldErrorList;
import dev.berth.sandbox.validation.field.FieldPath;
import dev.berth.sandbox.validation.field.GoFormat;
import dev.berth.sandbox.validation.meta.LabelChecks;
import dev.berth.sandbox.validation.meta.NameChecks;
import java.util.List;

/** Validates Roles, ClusterRoles and their bindings. */
public final class RbacChecks {
    private static final String GROUP = "rbac.authorization.k8s.io";
    private static final FieldPath ROLE = FieldPath.of("roleRef");

    private RbacChecks() {}

    public static void role(ObjectNode role, FieldErrorList errors) {
        rules(role, true, errors);
    }

    public static void clusterRole(ObjectNode role, FieldErrorList errors) {
        rules(role, false, errors);
        if (has(role, "aggregationRule")) {
            FieldPath path = FieldPath.of("aggregationRule", "clusterRoleSelectors");
            List<ObjectNode> selectors = objects(role, "aggregationRule", "clusterRoleSelectors");
            if (selectors.isEmpty()) {
                errors.required(path, "at least one clusterRoleSelector required if aggregationRule is non-nil");
            }
            for (int i = 0; i < selectors.size(); i++) {
                LabelChecks.checkSelector(selectors.get(i), path.index(i), errors);
            }
        }
    }

    private static void rules(ObjectNode role, boolean namespaced, FieldErrorList errors) {
        List<ObjectNode> rules = objects(role, "rules");
        for (int i = 0; i < rules.size(); i++) {
            rule(rules.get(i), namespaced, FieldPath.of("rules").index(i), errors);
        }
    }

    private static void rule(ObjectNode rule, boolean namespaced, FieldPath path, FieldErrorList errors) {
        if (items(rule, "verbs").isEmpty()) {
            errors.required(path.child("verbs"), "verbs must contain at least one value");
        }
        boolean regular = !items(rule, "apiGroups").isEmpty()
                || !items(rule, "resources").isEmpty()
                || !items(rule, "resourceNames").isEmpty();
        if (!items(rule, "nonResourceURLs").isEmpty()) {
            FieldPath urls = path.child("nonResourceURLs");
            if (namespaced) {
                errors.invalid(urls, at(rule, "nonResourceURLs"), "namespaced rules cannot apply to non-resource URLs");
            }
            if (regular) {
                errors.invalid(
                        urls,
                        at(rule, "nonResourceURLs"),
                        "rules cannot apply to both regular resources and non-resource URLs");
            }
            return;
        }
        if (items(rule, "apiGroups").isEmpty()) {
            errors.required(path.child("apiGroups"), "resource rules must supply at least one api group");
        }
        if (items(rule, "resources").isEmpty()) {
            errors.required(path.child("resources"), "resource rules must supply at least one resource");
        }
    }

    public static void roleBinding(ObjectNode binding, FieldErrorList errors) {
        binding(binding, true, List.of("Role", "ClusterRole"), errors);
    }

    public static void clusterRoleBinding(ObjectNode binding, FieldErrorList errors) {
        binding(binding, false, List.of("ClusterRole"), errors);
    }

    private static void binding(ObjectNode binding, boolean namespaced, List<String> kinds, FieldErrorList errors) {
        String group = text(binding, "roleRef", "apiGroup");
        if (!group.equals(GROUP)) {
            errors.notSupported(ROLE.child("apiGroup"), group, List.of(GROUP));
        }
        String kind = text(binding, "roleRef", "kind");
        if (!kinds.contains(kind)) {
            errors.notSupported(ROLE.child("kind"), kind, kinds);
        }
        String name = text(binding, "roleRef", "name");
        if (name.isEmpty()) {
            errors.required(ROLE.child("name"));
        } else {
            errors.invalid(ROLE.child("name"), name, NameChecks.pathSegment(name));
        }
        List<ObjectNode> subjects = objects(binding, "subjects");
        for (int i = 0; i < subjects.size(); i++) {
            subject(subjects.get(i), namespaced, FieldPath.of("subjects").index(i), errors);
        }
    }

    private static void subject(ObjectNode subject, boolean namespaced, FieldPath path, FieldErrorList errors) {
        String name = text(subject, "name");
        String group = text(subject, "apiGroup");
        if (name.isEmpty()) {
            errors.required(path.child("name"));
        }
        switch (text(subject, "kind")) {
            case "ServiceAccount" -> {
                if (!name.isEmpty()) {
                    errors.invalid(path.child("name"), name, NameChecks.dnsSubdomain(name));
                }
                if (!group.isEmpty()) {
                    errors.notSupported(path.child("apiGroup"), group, List.of(""));
                }
                if (!namespaced && text(subject, "namespace").isEmpty()) {
                    errors.required(path.child("namespace"));
                }
            }
            case "User", "Group" -> {
                if (!group.equals(GROUP)) {
                    errors.notSupported(path.child("apiGroup"), group, List.of(GROUP));
                }
            }
            default ->
                errors.notSupported(
                        path.child("kind"), text(subject, "kind"), List.of("ServiceAccount", "User", "Group"));
        }
    }

    public static void bindingUpdate(ObjectNode before, ObjectNode after, FieldErrorList errors) {
        if (!nullSafeEquals(at(before, "roleRef"), at(after, "roleRef"))) {
            errors.invalid(
                    ROLE,
                    GoFormat.goStruct(at(after, "roleRef"), List.of("APIGroup", "Kind", "Name")),
                    "cannot change roleRef");
        }
    }
}
