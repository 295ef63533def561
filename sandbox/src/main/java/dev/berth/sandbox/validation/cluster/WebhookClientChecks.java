package dev.berth.sandbox.validation.cluster;

import static dev.berth.sandbox.unstructured.NestedFields.has;
import static dev.berth.sandbox.unstructured.NestedFields.number;
import static dev.berth.sandbox.unstructured.NestedFields.object;
import static dev.berth.sandbox.unstructured.NestedFields.text;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.validation.field.FieldErrorList;
import dev.berth.sandbox.validation.field.FieldPath;
import dev.berth.sandbox.validation.meta.NameChecks;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;

/** Checks the client configuration of a webhook: a URL or a service. */
public final class WebhookClientChecks {
    private static final String FORM = "; desired format: https://host[/path]";

    private WebhookClientChecks() {}

    /** Checks the {@code clientConfig} of the holder. */
    public static void client(ObjectNode holder, FieldPath path, FieldErrorList errors) {
        boolean url = has(holder, "clientConfig", "url");
        boolean service = has(holder, "clientConfig", "service");
        if (url == service) {
            errors.required(path, "exactly one of url or service is required");
        } else if (url) {
            url(text(holder, "clientConfig", "url"), path.child("url"), errors);
        } else {
            object(holder, "clientConfig", "service").ifPresent(found -> service(found, path.child("service"), errors));
        }
    }

    private static void url(String text, FieldPath path, FieldErrorList errors) {
        URI url;
        try {
            url = new URI(text);
        } catch (URISyntaxException e) {
            errors.required(path, "url must be a valid URL: parse \"" + text + "\": " + e.getReason() + FORM);
            return;
        }
        String scheme = url.getScheme() == null ? "" : url.getScheme();
        if (!scheme.equals("https")) {
            errors.invalid(path, scheme, "'https' is the only allowed URL scheme" + FORM);
        }
        if (url.getRawAuthority() == null) {
            errors.invalid(path, "", "host must be specified" + FORM);
        }
        if (url.getRawUserInfo() != null) {
            errors.invalid(path, url.getRawUserInfo(), "user information is not permitted in the URL");
        }
        if (url.getRawFragment() != null) {
            errors.invalid(path, url.getRawFragment(), "fragments are not permitted in the URL");
        }
        if (url.getRawQuery() != null) {
            errors.invalid(path, url.getRawQuery(), "query parameters are not permitted in the URL");
        }
    }

    private static void service(ObjectNode service, FieldPath path, FieldErrorList errors) {
        for (String field : List.of("name", "namespace")) {
            if (text(service, field).isEmpty()) {
                errors.required(path.child(field));
            }
        }
        long port = number(service, "port");
        if (port < 1 || port > 65535) {
            errors.invalid(path.child("port"), port, "port is not valid: must be between 1 and 65535, inclusive");
        }
        String target = text(service, "path");
        if (!target.isEmpty() && !target.equals("/")) {
            path(target, path.child("path"), errors);
        }
    }

    private static void path(String target, FieldPath path, FieldErrorList errors) {
        if (target.equals("//")) {
            errors.invalid(path, target, "segment[0] may not be empty");
            return;
        }
        if (!target.startsWith("/")) {
            errors.invalid(path, target, "must start with a '/'");
        }
        String rest = target.substring(1);
        String[] steps = (rest.endsWith("/") ? rest.substring(0, rest.length() - 1) : rest).split("/", -1);
        for (int i = 0; i < steps.length; i++) {
            String where = "segment[" + i + "]";
            if (steps[i].isEmpty()) {
                errors.invalid(path, target, where + " may not be empty");
            } else {
                for (String message : NameChecks.dnsSubdomain(steps[i])) {
                    errors.invalid(path, target, where + ": " + message);
                }
            }
        }
    }
}
