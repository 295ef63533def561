package dev.berth.embedded.admission.webhook;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.admission.Admission;
import dev.berth.embedded.admission.AdmissionRequest;
import dev.berth.embedded.admission.AdmissionRequest.Operation;
import dev.berth.embedded.patch.JsonPatch;
import dev.berth.embedded.patch.PatchException;
import dev.berth.embedded.rest.ApiFailure;
import dev.berth.embedded.rest.ApiStatus;
import dev.berth.embedded.rest.kind.Json;
import dev.berth.embedded.store.Meta;
import dev.berth.embedded.store.ObjectKey;
import dev.berth.embedded.store.ResourceId;
import dev.berth.embedded.store.Shelf;
import dev.berth.embedded.store.Store;
import dev.berth.embedded.store.Stored;
import dev.berth.embedded.tree.Trees;
import java.io.IOException;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Asks the webhooks that are configured at this moment. Mutating ones first, in the order of their names. */
public final class Webhooks implements Admission {

    private static final Logger LOG = LoggerFactory.getLogger(Webhooks.class);
    private static final ResourceId NAMESPACES = new ResourceId("", "namespaces");

    private final Configured mutating;
    private final Configured validating;
    private final Shelf namespaces;
    private final WebhookCaller caller;
    private final Supplier<String> uids;
    private final PatchedObjects patched = new PatchedObjects();

    public Webhooks(Store store, WebhookCaller caller, Supplier<String> uids) {
        this.mutating = new Configured(store.shelf(WebhookConfigurations.MUTATING));
        this.validating = new Configured(store.shelf(WebhookConfigurations.VALIDATING));
        this.namespaces = store.shelf(NAMESPACES);
        this.caller = caller;
        this.uids = uids;
    }

    /** Whether any webhook is configured, so that writes may have to wait. */
    public boolean isConfigured() {
        return !mutating.hooks().isEmpty() || !validating.hooks().isEmpty();
    }

    @Override
    public ObjectNode mutate(AdmissionRequest request) {
        if (WebhookConfigurations.concerns(request) || mutating.hooks().isEmpty()) {
            return request.theObject();
        }
        AdmissionRequest next = request;
        Map<Webhook, ObjectNode> left = new HashMap<>();
        for (Webhook hook : wanting(mutating, request)) {
            next = next.with(mutatedBy(hook, next));
            left.put(hook, next.theObject());
        }
        for (Webhook hook : wanting(mutating, request)) {
            boolean changedSince = !next.theObject().equals(left.get(hook));
            if (hook.conduct().reinvoked() && changedSince) {
                next = next.with(mutatedBy(hook, next));
            }
        }
        return next.theObject();
    }

    @Override
    public void validate(AdmissionRequest request) {
        if (WebhookConfigurations.concerns(request)) {
            WebhookConfigurations.check(request);
            return;
        }
        if (request.operation() == Operation.DELETE) {
            // What goes away cannot be changed, only kept.
            wanting(mutating, request).forEach(hook -> ask(hook, request));
        }
        wanting(validating, request).forEach(hook -> ask(hook, request));
    }

    private ObjectNode mutatedBy(Webhook hook, AdmissionRequest request) {
        ObjectNode before = request.theObject();
        Optional<JsonNode> response = ask(hook, request);
        if (response.isEmpty()) {
            return before;
        }
        try {
            Optional<String> patch = Reviews.patch(response.get());
            if (patch.isEmpty()) {
                return before;
            }
            JsonNode operations = Json.read(Base64.getDecoder().decode(patch.get()));
            return patched.read(request, JsonPatch.parse(operations).apply(before));
        } catch (IOException | IllegalArgumentException unreadable) {
            return unanswered(hook, String.valueOf(unreadable.getMessage()), before);
        } catch (PatchException refused) {
            return unanswered(hook, refused.refusal(), before);
        }
    }

    private ObjectNode unanswered(Webhook hook, String why, ObjectNode before) {
        missing(hook, why);
        return before;
    }

    /** What the webhook says to a write it lets in; empty when it could not be asked and may be missing. */
    private Optional<JsonNode> ask(Webhook hook, AdmissionRequest request) {
        if (request.circumstances().dryRun() && !hook.conduct().dryRunSafe()) {
            throw new ApiFailure(
                    ApiStatus.badRequest("admission webhook \"" + hook.name() + "\" does not support dry run"));
        }
        JsonNode response;
        try {
            String uid = uids.get();
            response = Reviews.response(uid, caller.call(hook.address(), Reviews.question(uid, request)));
        } catch (IOException failure) {
            missing(hook, String.valueOf(failure.getMessage()));
            return Optional.empty();
        }
        request.warnings().addAll(Trees.texts(response, "warnings"));
        if (!Trees.flag(response, "allowed")) {
            throw new ApiFailure(denial(hook, response.path("status")));
        }
        return Optional.of(response);
    }

    private static void missing(Webhook hook, String why) {
        if (!hook.conduct().mayBeMissing()) {
            throw new ApiFailure(ApiStatus.internal(
                    "failed calling webhook \"" + hook.name() + "\": failed to call webhook: " + why));
        }
        LOG.warn("webhook ({}) failed and may be missing: {}", hook.name(), why);
    }

    private static ApiStatus denial(Webhook hook, JsonNode status) {
        String denied = "admission webhook \"" + hook.name() + "\" denied the request";
        String message = Trees.text(status, "message");
        String reason = Trees.text(status, "reason");
        String words = message.isEmpty() ? reason : message;
        int code = Math.max(400, (int) Trees.number(status, "code"));
        ApiStatus denial = ApiStatus.plain(
                code, reason, words.isEmpty() ? denied + " without explanation" : denied + ": " + words);
        if (status.path("details").isObject()) {
            denial.tree().set("details", status.path("details"));
        }
        return denial;
    }

    private List<Webhook> wanting(Configured configured, AdmissionRequest request) {
        List<Webhook> all = configured.hooks();
        if (all.isEmpty()) {
            return all;
        }
        Optional<Map<String, String>> labels = namespaceLabels(request);
        return all.stream().filter(hook -> hook.wants(request, labels)).toList();
    }

    private Optional<Map<String, String>> namespaceLabels(AdmissionRequest request) {
        if (request.resource().storage().equals(NAMESPACES)) {
            return request.object().or(request::oldObject).map(Meta::labels);
        }
        String namespace = request.place().namespace();
        return namespace.isEmpty()
                ? Optional.empty()
                : namespaces.get(new ObjectKey("", namespace)).map(each -> Meta.labels(each.tree()));
    }

    /** The webhooks of one kind of configuration, read anew when the configurations have changed. */
    private static final class Configured {

        private final Shelf shelf;
        private volatile Known known = new Known(0, List.of());

        Configured(Shelf shelf) {
            this.shelf = shelf;
        }

        List<Webhook> hooks() {
            long change = shelf.lastChange();
            Known now = known;
            if (now.change() != change) {
                now = new Known(change, read());
                known = now;
            }
            return now.hooks();
        }

        private List<Webhook> read() {
            return shelf.snapshot().list("").stream()
                    .map(Stored::tree)
                    .flatMap(tree -> Trees.objects(tree, "webhooks").stream())
                    .map(Webhook::from)
                    .toList();
        }
    }

    private record Known(long change, List<Webhook> hooks) {}
}
