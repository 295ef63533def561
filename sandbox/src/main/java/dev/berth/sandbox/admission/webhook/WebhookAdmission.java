package dev.berth.sandbox.admission.webhook;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.admission.AdmissionPlugin;
import dev.berth.sandbox.admission.AdmissionRequest;
import dev.berth.sandbox.admission.AdmissionRequest.Operation;
import dev.berth.sandbox.apierrors.ApiStatus;
import dev.berth.sandbox.apierrors.ApiStatusException;
import dev.berth.sandbox.patch.JsonPatch;
import dev.berth.sandbox.patch.PatchException;
import dev.berth.sandbox.storage.GroupResource;
import dev.berth.sandbox.storage.ResourceStorage;
import dev.berth.sandbox.storage.StorageKey;
import dev.berth.sandbox.storage.Store;
import dev.berth.sandbox.storage.StoredObject;
import dev.berth.sandbox.unstructured.JsonText;
import dev.berth.sandbox.unstructured.NestedFields;
import dev.berth.sandbox.unstructured.ObjectMetaReader;
import java.io.IOException;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Calls the configured webhooks: first the mutating ones, in the order of their names. */
public final class WebhookAdmission implements AdmissionPlugin {

    private static final Logger LOG = LoggerFactory.getLogger(WebhookAdmission.class);
    private static final GroupResource NAMESPACES = new GroupResource("", "namespaces");

    private final WebhookSource mutating;
    private final WebhookSource validating;
    private final ResourceStorage namespaces;
    private final WebhookClient client;
    private final Supplier<String> uids;
    private final MutatedObjectDecoder decoder = new MutatedObjectDecoder();

    public WebhookAdmission(Store store, WebhookClient caller, Supplier<String> uids) {
        this.mutating = new WebhookSource(store.resource(WebhookSupportCheck.MUTATING));
        this.validating = new WebhookSource(store.resource(WebhookSupportCheck.VALIDATING));
        this.namespaces = store.resource(NAMESPACES);
        this.client = caller;
        this.uids = uids;
    }

    /** Whether any webhook is configured, so that writes may have to wait. */
    public boolean isConfigured() {
        return !mutating.hooks().isEmpty() || !validating.hooks().isEmpty();
    }

    @Override
    public ObjectNode mutate(AdmissionRequest request) {
        if (WebhookSupportCheck.isWebhookConfiguration(request)
                || mutating.hooks().isEmpty()) {
            return request.requireObject();
        }
        AdmissionRequest next = request;
        Map<Webhook, ObjectNode> left = new HashMap<>();
        for (Webhook hook : matchingWebhooks(mutating, request)) {
            next = next.withObject(applyMutation(hook, next));
            left.put(hook, next.requireObject());
        }
        for (Webhook hook : matchingWebhooks(mutating, request)) {
            boolean changedSince = !next.requireObject().equals(left.get(hook));
            if (hook.callPolicy().reinvokedIfNeeded() && changedSince) {
                next = next.withObject(applyMutation(hook, next));
            }
        }
        return next.requireObject();
    }

    @Override
    public void validate(AdmissionRequest request) {
        if (WebhookSupportCheck.isWebhookConfiguration(request)) {
            WebhookSupportCheck.check(request);
            return;
        }
        if (request.operation() == Operation.DELETE) {
            // A deletion cannot be mutated, only rejected.
            matchingWebhooks(mutating, request).forEach(hook -> callWebhook(hook, request));
        }
        matchingWebhooks(validating, request).forEach(hook -> callWebhook(hook, request));
    }

    private ObjectNode applyMutation(Webhook hook, AdmissionRequest request) {
        ObjectNode before = request.requireObject();
        Optional<JsonNode> response = callWebhook(hook, request);
        if (response.isEmpty()) {
            return before;
        }
        try {
            Optional<String> patch = AdmissionReviews.patch(response.get());
            if (patch.isEmpty()) {
                return before;
            }
            JsonNode operations = JsonText.read(Base64.getDecoder().decode(patch.get()));
            return decoder.decode(request, JsonPatch.parse(operations).apply(before));
        } catch (IOException | IllegalArgumentException unreadable) {
            return handleFailure(hook, String.valueOf(unreadable.getMessage()), before);
        } catch (PatchException refused) {
            return handleFailure(hook, refused.message(), before);
        }
    }

    private ObjectNode handleFailure(Webhook hook, String why, ObjectNode before) {
        applyFailurePolicy(hook, why);
        return before;
    }

    /** The response of a webhook that allows the write; empty when the call failed and the failure is ignored. */
    private Optional<JsonNode> callWebhook(Webhook hook, AdmissionRequest request) {
        if (request.requestAttributes().dryRun() && !hook.callPolicy().supportsDryRun()) {
            throw new ApiStatusException(
                    ApiStatus.badRequest("admission webhook \"" + hook.name() + "\" does not support dry run"));
        }
        JsonNode response;
        try {
            String uid = uids.get();
            response = AdmissionReviews.response(
                    uid, client.call(hook.address(), AdmissionReviews.newRequest(uid, request)));
        } catch (IOException failure) {
            applyFailurePolicy(hook, String.valueOf(failure.getMessage()));
            return Optional.empty();
        }
        request.warnings().addAll(NestedFields.texts(response, "warnings"));
        if (!NestedFields.flag(response, "allowed")) {
            throw new ApiStatusException(denial(hook, response.path("status")));
        }
        return Optional.of(response);
    }

    private static void applyFailurePolicy(Webhook hook, String why) {
        if (!hook.callPolicy().ignoresFailure()) {
            throw new ApiStatusException(ApiStatus.internal(
                    "failed calling webhook \"" + hook.name() + "\": failed to call webhook: " + why));
        }
        LOG.warn("webhook ({}) failed and may be missing: {}", hook.name(), why);
    }

    private static ApiStatus denial(Webhook hook, JsonNode status) {
        String denied = "admission webhook \"" + hook.name() + "\" denied the request";
        String message = NestedFields.text(status, "message");
        String reason = NestedFields.text(status, "reason");
        String words = message.isEmpty() ? reason : message;
        int code = Math.max(400, (int) NestedFields.number(status, "code"));
        ApiStatus denial = ApiStatus.plain(
                code, reason, words.isEmpty() ? denied + " without explanation" : denied + ": " + words);
        if (status.path("details").isObject()) {
            denial.tree().set("details", status.path("details"));
        }
        return denial;
    }

    private List<Webhook> matchingWebhooks(WebhookSource webhookSource, AdmissionRequest request) {
        List<Webhook> all = webhookSource.hooks();
        if (all.isEmpty()) {
            return all;
        }
        Optional<Map<String, String>> labels = namespaceLabels(request);
        return all.stream().filter(hook -> hook.matches(request, labels)).toList();
    }

    private Optional<Map<String, String>> namespaceLabels(AdmissionRequest request) {
        if (request.resource().storage().equals(NAMESPACES)) {
            return request.object().or(request::oldObject).map(ObjectMetaReader::labels);
        }
        String namespace = request.targetName().namespace();
        return namespace.isEmpty()
                ? Optional.empty()
                : namespaces.get(new StorageKey("", namespace)).map(each -> ObjectMetaReader.labels(each.tree()));
    }

    /** The webhooks of one kind of configuration. They are read again when a configuration has changed. */
    private static final class WebhookSource {

        private final ResourceStorage resourceStorage;
        private volatile CachedWebhooks cached = new CachedWebhooks(0, List.of());

        WebhookSource(ResourceStorage resourceStorage) {
            this.resourceStorage = resourceStorage;
        }

        List<Webhook> hooks() {
            long change = resourceStorage.lastRevision();
            CachedWebhooks now = cached;
            if (now.change() != change) {
                now = new CachedWebhooks(change, read());
                cached = now;
            }
            return now.hooks();
        }

        private List<Webhook> read() {
            return resourceStorage.snapshot().list("").stream()
                    .map(StoredObject::tree)
                    .flatMap(tree -> NestedFields.objects(tree, "webhooks").stream())
                    .map(Webhook::from)
                    .toList();
        }
    }

    private record CachedWebhooks(long change, List<Webhook> hooks) {}
}
