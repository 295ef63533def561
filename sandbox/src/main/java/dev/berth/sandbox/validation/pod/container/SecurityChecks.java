package dev.berth.sandbox.validation.pod.container;

import static dev.berth.sandbox.unstructured.NestedFields.flag;
import static dev.berth.sandbox.unstructured.NestedFields.has;
import static dev.berth.sandbox.unstructured.NestedFields.items;
import static dev.berth.sandbox.unstructured.NestedFields.number;
import static dev.berth.sandbox.unstructured.NestedFields.object;
import static dev.berth.sandbox.unstructured.NestedFields.objects;
import static dev.berth.sandbox.unstructured.NestedFields.text;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.validation.field.FieldErrorList;
import dev.berth.sandbox.validation.field.FieldPath;
import dev.berth.sandbox.validation.field.GoFormat;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/** Who the processes of a pod are, and what they may do. */
public final class SecurityChecks {
    private static final String SYSCTL = "[a-z0-9]([-_a-z0-9]*[a-z0-9])?";
    private static final String SYSCTL_NAME = "(" + SYSCTL + "[\\./])*" + SYSCTL;
    private static final Pattern SYSCTL_FORM = Pattern.compile(SYSCTL_NAME);

    private SecurityChecks() {}

    /** The context of the whole pod. */
    public static void pod(ObjectNode spec, FieldPath path, FieldErrorList errors) {
        object(spec, "securityContext").ifPresent(context -> {
            for (String field : List.of("fsGroup", "runAsUser", "runAsGroup")) {
                identity(number(context, field), path.child(field), errors);
            }
            path.child("supplementalGroups")
                    .forEachIndexed(
                            items(context, "supplementalGroups"),
                            (group, here) -> identity(group.longValue(), here, errors));
            shared(spec, path, errors);
            sysctls(objects(context, "sysctls"), path.child("sysctls"), errors);
            errors.requireSupportedOrEmpty(
                    path.child("fsGroupChangePolicy"),
                    text(context, "fsGroupChangePolicy"),
                    List.of("Always", "OnRootMismatch"));
            profile(context, path, errors);
            errors.requireSupportedOrEmpty(
                    path.child("supplementalGroupsPolicy"),
                    text(context, "supplementalGroupsPolicy"),
                    List.of("Merge", "Strict"));
        });
    }

    private static void shared(ObjectNode spec, FieldPath path, FieldErrorList errors) {
        if (flag(spec, "shareProcessNamespace") && flag(spec, "hostPID")) {
            errors.invalid(
                    path.child("shareProcessNamespace"),
                    BooleanNode.TRUE,
                    "ShareProcessNamespace and HostPID cannot both be enabled");
        }
    }

    private static void identity(long id, FieldPath path, FieldErrorList errors) {
        if (id < 0 || id > Integer.MAX_VALUE) {
            errors.invalid(path, id, "must be between 0 and 2147483647, inclusive");
        }
    }

    private static void sysctls(List<ObjectNode> sysctls, FieldPath path, FieldErrorList errors) {
        Set<String> seen = new HashSet<>();
        path.forEachIndexed(sysctls, (sysctl, here) -> {
            String name = text(sysctl, "name");
            if (name.isEmpty()) {
                errors.required(here.child("name"));
            } else if (name.length() > 253 || !SYSCTL_FORM.matcher(name).matches()) {
                errors.invalid(
                        here.child("name"),
                        name,
                        "must have at most 253 characters and match regex ^" + SYSCTL_NAME + "$");
            } else if (!seen.add(name)) {
                errors.duplicate(here.child("name"), name);
            }
        });
    }

    private static void profile(ObjectNode context, FieldPath path, FieldErrorList errors) {
        object(context, "seccompProfile").ifPresent(profile -> {
            FieldPath here = path.child("seccompProfile");
            String type = text(profile, "type");
            boolean local = type.equals("Localhost");
            if (local && text(profile, "localhostProfile").isEmpty()) {
                errors.required(here.child("localhostProfile"), "must be set when seccomp type is Localhost");
            } else if (!local && has(profile, "localhostProfile")) {
                errors.invalid(
                        here.child("localhostProfile"),
                        text(profile, "localhostProfile"),
                        "can only be set when seccomp type is Localhost");
            }
            if (type.isEmpty()) {
                errors.required(here.child("type"), "type is required when seccompProfile is set");
            } else {
                errors.requireSupportedOrEmpty(
                        here.child("type"), type, List.of("Localhost", "RuntimeDefault", "Unconfined"));
            }
        });
    }

    static void container(ObjectNode context, FieldPath path, FieldErrorList errors) {
        for (String field : List.of("runAsUser", "runAsGroup")) {
            identity(number(context, field), path.child(field), errors);
        }
        errors.requireSupportedOrEmpty(
                path.child("procMount"), text(context, "procMount"), List.of("Default", "Unmasked"));
        profile(context, path, errors);
        boolean contained = has(context, "allowPrivilegeEscalation") && !flag(context, "allowPrivilegeEscalation");
        if (contained && flag(context, "privileged")) {
            errors.invalid(
                    path, printed(context), "cannot set `allowPrivilegeEscalation` to false and `privileged` to true");
        }
        boolean admin = items(context, "capabilities", "add").stream()
                .anyMatch(capability -> capability.asText().equals("CAP_SYS_ADMIN"));
        if (contained && admin) {
            errors.invalid(
                    path,
                    printed(context),
                    "cannot set `allowPrivilegeEscalation` to false and `capabilities.Add` CAP_SYS_ADMIN");
        }
    }

    private static JsonNode printed(ObjectNode context) {
        return GoFormat.goStruct(
                context,
                List.of(),
                "Capabilities",
                "Privileged",
                "SELinuxOptions",
                "WindowsOptions",
                "RunAsUser",
                "RunAsGroup",
                "RunAsNonRoot",
                "ReadOnlyRootFilesystem",
                "AllowPrivilegeEscalation",
                "ProcMount",
                "SeccompProfile",
                "AppArmorProfile");
    }
}
