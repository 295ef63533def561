package dev.berth.embedded.admission.webhook;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.admission.AdmissionRequest;
import dev.berth.embedded.admission.AdmissionRequest.Operation;
import dev.berth.embedded.rest.ApiFailure;
import dev.berth.embedded.rest.ApiStatus;
import dev.berth.embedded.store.Meta;
import dev.berth.embedded.store.ResourceId;
import dev.berth.embedded.tree.Trees;
import dev.berth.embedded.validation.FieldError;
import dev.berth.embedded.validation.GoText;
import dev.berth.embedded.validation.Path;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;

/** Refuses configurations that this server could not act upon, rather than ignore a part of them. */
final class WebhookConfigurations {

    static final ResourceId MUTATING = new ResourceId("admissionregistration.k8s.io", "mutatingwebhookconfigurations");
    static final ResourceId VALIDATING =
            new ResourceId("admissionregistration.k8s.io", "validatingwebhookconfigurations");

    private WebhookConfigurations() {}

    /** Whether a write is about the webhooks themselves: nobody is asked about those, lest nobody can be rid of one. */
    static boolean concerns(AdmissionRequest request) {
        ResourceId storage = request.resource().storage();
        return storage.equals(MUTATING) || storage.equals(VALIDATING);
    }

    static void check(AdmissionRequest request) {
        if (request.operation() == Operation.DELETE) {
            return;
        }
        List<FieldError> errors = new ArrayList<>();
        List<ObjectNode> hooks = Trees.objects(request.theObject(), "webhooks");
        for (int i = 0; i < hooks.size(); i++) {
            check(hooks.get(i), Path.of("webhooks").index(i), errors);
        }
        if (!errors.isEmpty()) {
            throw new ApiFailure(ApiStatus.invalid(
                    request.kind().group(), request.kind().kind(), Meta.name(request.theObject()), errors));
        }
    }

    private static void check(ObjectNode hook, Path path, List<FieldError> errors) {
        if (!Trees.items(hook, "matchConditions").isEmpty()) {
            errors.add(FieldError.forbidden(
                    path.child("matchConditions"),
                    "this server does not evaluate CEL expressions; use rules and selectors"));
        }
        if (Trees.has(hook, "clientConfig", "service")) {
            errors.add(FieldError.forbidden(
                    path.child("clientConfig").child("service"),
                    "this server has no cluster network to reach services by; use url"));
            return;
        }
        String url = Trees.text(hook, "clientConfig", "url");
        if (!isUsable(url)) {
            errors.add(FieldError.invalid(
                    path.child("clientConfig").child("url"),
                    GoText.node(url),
                    "must be an https URL with a host, such as https://127.0.0.1:8443/validate"));
        }
    }

    private static boolean isUsable(String url) {
        try {
            URI uri = URI.create(url);
            return "https".equals(uri.getScheme()) && uri.getHost() != null;
        } catch (IllegalArgumentException malformed) {
            return false;
        }
    }
}
