package dev.berth.sandbox.validation.cluster;

import static dev.berth.sandbox.unstructured.NestedFields.flag;
import static dev.berth.sandbox.unstructured.NestedFields.has;
import static dev.berth.sandbox.unstructured.NestedFields.number;
import static dev.berth.sandbox.unstructured.NestedFields.text;

import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.validation.field.FieldErrorList;
import dev.berth.sandbox.validation.field.FieldPath;
import dev.berth.sandbox.validation.field.GoFormat;
import dev.berth.sandbox.validation.meta.NameChecks;
import java.util.List;

/** Validates APIServices. */
public final class ApiServiceChecks {
    private static final FieldPath SPEC = FieldPath.of("spec");

    private ApiServiceChecks() {}

    public static void apiService(ObjectNode api, FieldErrorList errors) {
        String group = text(api, "spec", "group");
        String version = text(api, "spec", "version");
        String name = text(api, "metadata", "name");
        String expectedName = version + "." + group;
        if (NameChecks.pathSegment(name).isEmpty() && !name.equals(expectedName)) {
            errors.invalid(
                    FieldPath.of("metadata", "name"),
                    name,
                    "must be `spec.version+\".\"+spec.group`: " + GoFormat.quote(expectedName));
        }
        if (group.isEmpty() && !version.equals("v1")) {
            errors.required(SPEC.child("group"), "only v1 may have an empty group and it better be legacy kube");
        } else if (!group.isEmpty()) {
            errors.invalid(SPEC.child("group"), group, NameChecks.dnsSubdomain(group));
        }
        errors.invalid(SPEC.child("version"), version, NameChecks.dns1035Label(version));
        priority(api, "groupPriorityMinimum", 20000, errors);
        priority(api, "versionPriority", 1000, errors);
        boolean unverified = flag(api, "spec", "insecureSkipTLSVerify");
        if (has(api, "spec", "service")) {
            service(api, errors);
        } else if (unverified) {
            errors.invalid(
                    SPEC.child("insecureSkipTLSVerify"),
                    BooleanNode.TRUE,
                    "local APIServices may not have insecureSkipTLSVerify");
        }
        if (unverified && has(api, "spec", "caBundle") && has(api, "spec", "service")) {
            errors.invalid(
                    SPEC.child("insecureSkipTLSVerify"), BooleanNode.TRUE, "may not be true if caBundle is present");
        }
    }

    private static void priority(ObjectNode api, String field, int limit, FieldErrorList errors) {
        long priority = number(api, "spec", field);
        if (priority <= 0 || priority > limit) {
            errors.invalid(SPEC.child(field), priority, "must be positive and less than " + limit);
        }
    }

    private static void service(ObjectNode api, FieldErrorList errors) {
        FieldPath path = SPEC.child("service");
        for (String field : List.of("namespace", "name")) {
            if (text(api, "spec", "service", field).isEmpty()) {
                errors.required(path.child(field));
            }
        }
        long port = number(api, "spec", "service", "port");
        if (port < 1 || port > 65535) {
            errors.invalid(path.child("port"), port, "port is not valid: must be between 1 and 65535, inclusive");
        }
    }
}
