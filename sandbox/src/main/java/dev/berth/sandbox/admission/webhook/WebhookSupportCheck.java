package dev.berth.sandbox.admission.webhook;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.admission.AdmissionRequest;
import dev.berth.sandbox.admission.AdmissionRequest.Operation;
import dev.berth.sandbox.apierrors.ApiStatus;
import dev.berth.sandbox.apierrors.ApiStatusException;
import dev.berth.sandbox.storage.GroupResource;
import dev.berth.sandbox.unstructured.NestedFields;
import dev.berth.sandbox.unstructured.ObjectMetaReader;
import dev.berth.sandbox.validation.field.FieldError;
import dev.berth.sandbox.validation.field.FieldPath;
import dev.berth.sandbox.validation.field.GoFormat;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;

/** Rejects configurations that this server does not support, instead of ignoring a part of them. */
final class WebhookSupportCheck {

    static final GroupResource MUTATING =
            new GroupResource("admissionregistration.k8s.io", "mutatingwebhookconfigurations");
    static final GroupResource VALIDATING =
            new GroupResource("admissionregistration.k8s.io", "validatingwebhookconfigurations");

    private WebhookSupportCheck() {}

    /** Whether the write is to a webhook configuration. No webhook is called for it: a broken webhook must stay deletable. */
    static boolean isWebhookConfiguration(AdmissionRequest request) {
        GroupResource storage = request.resource().storage();
        return storage.equals(MUTATING) || storage.equals(VALIDATING);
    }

    static void check(AdmissionRequest request) {
        if (request.operation() == Operation.DELETE) {
            return;
        }
        List<FieldError> errors = new ArrayList<>();
        List<ObjectNode> hooks = NestedFields.objects(request.requireObject(), "webhooks");
        for (int i = 0; i < hooks.size(); i++) {
            check(hooks.get(i), FieldPath.of("webhooks").index(i), errors);
        }
        if (!errors.isEmpty()) {
            throw new ApiStatusException(ApiStatus.invalid(
                    request.kind().group(),
                    request.kind().kind(),
                    ObjectMetaReader.name(request.requireObject()),
                    errors));
        }
    }

    private static void check(ObjectNode hook, FieldPath path, List<FieldError> errors) {
        if (!NestedFields.items(hook, "matchConditions").isEmpty()) {
            errors.add(FieldError.forbidden(
                    path.child("matchConditions"),
                    "this server does not evaluate CEL expressions; use rules and selectors"));
        }
        if (NestedFields.has(hook, "clientConfig", "service")) {
            errors.add(FieldError.forbidden(
                    path.child("clientConfig").child("service"),
                    "this server has no cluster network to reach services by; use url"));
            return;
        }
        String url = NestedFields.text(hook, "clientConfig", "url");
        if (!isSupportedUrl(url)) {
            errors.add(FieldError.invalid(
                    path.child("clientConfig").child("url"),
                    GoFormat.node(url),
                    "must be an https URL with a host, such as https://127.0.0.1:8443/validate"));
        }
    }

    private static boolean isSupportedUrl(String url) {
        try {
            URI uri = URI.create(url);
            return "https".equals(uri.getScheme()) && uri.getHost() != null;
        } catch (IllegalArgumentException malformed) {
            return false;
        }
    }
}
