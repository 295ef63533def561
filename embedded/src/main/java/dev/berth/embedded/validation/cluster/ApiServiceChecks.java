package dev.berth.embedded.validation.cluster;

import static dev.berth.embedded.tree.Trees.flag;
import static dev.berth.embedded.tree.Trees.has;
import static dev.berth.embedded.tree.Trees.number;
import static dev.berth.embedded.tree.Trees.text;

import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.validation.FieldErrors;
import dev.berth.embedded.validation.GoText;
import dev.berth.embedded.validation.Path;
import dev.berth.embedded.validation.meta.Names;
import java.util.List;

/** Who serves the versions of a group, and which of them clients prefer. */
public final class ApiServiceChecks {
    private static final Path SPEC = Path.of("spec");

    private ApiServiceChecks() {}

    public static void apiService(ObjectNode api, FieldErrors errors) {
        String group = text(api, "spec", "group");
        String version = text(api, "spec", "version");
        String name = text(api, "metadata", "name");
        String own = version + "." + group;
        if (Names.pathSegment(name).isEmpty() && !name.equals(own)) {
            errors.invalid(
                    Path.of("metadata", "name"), name, "must be `spec.version+\".\"+spec.group`: " + GoText.quote(own));
        }
        if (group.isEmpty() && !version.equals("v1")) {
            errors.required(SPEC.child("group"), "only v1 may have an empty group and it better be legacy kube");
        } else if (!group.isEmpty()) {
            errors.invalid(SPEC.child("group"), group, Names.subdomain(group));
        }
        errors.invalid(SPEC.child("version"), version, Names.oldLabel(version));
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

    private static void priority(ObjectNode api, String field, int most, FieldErrors errors) {
        long priority = number(api, "spec", field);
        if (priority <= 0 || priority > most) {
            errors.invalid(SPEC.child(field), priority, "must be positive and less than " + most);
        }
    }

    private static void service(ObjectNode api, FieldErrors errors) {
        Path path = SPEC.child("service");
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
