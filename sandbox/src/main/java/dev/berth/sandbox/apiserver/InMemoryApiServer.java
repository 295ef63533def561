package dev.berth.sandbox.apiserver;

import dev.berth.sandbox.admission.AdmissionChain;
import dev.berth.sandbox.admission.webhook.HttpsWebhookClient;
import dev.berth.sandbox.admission.webhook.WebhookAdmission;
import dev.berth.sandbox.admission.webhook.WebhookClient;
import dev.berth.sandbox.apierrors.ApiStatus;
import dev.berth.sandbox.apierrors.ApiStatusException;
import dev.berth.sandbox.endpoints.BodyResponse;
import dev.berth.sandbox.endpoints.RestRequest;
import dev.berth.sandbox.endpoints.RestResponse;
import dev.berth.sandbox.endpoints.discovery.DiscoveryHandler;
import dev.berth.sandbox.endpoints.discovery.GroupPriorities;
import dev.berth.sandbox.endpoints.discovery.OpenApiHandler;
import dev.berth.sandbox.endpoints.discovery.VersionAndHealthHandler;
import dev.berth.sandbox.endpoints.handlers.ResourceHandler;
import dev.berth.sandbox.endpoints.hooks.KindStorageHooks;
import dev.berth.sandbox.endpoints.request.HandlerContext;
import dev.berth.sandbox.endpoints.request.RequestInfo;
import dev.berth.sandbox.endpoints.request.RequestInfoResolver;
import dev.berth.sandbox.endpoints.request.SystemFieldGenerator;
import dev.berth.sandbox.endpoints.serializer.RequestBodyDecoder;
import dev.berth.sandbox.endpoints.serializer.ResponseFormat;
import dev.berth.sandbox.endpoints.serializer.ResponseWriter;
import dev.berth.sandbox.endpoints.subresource.SubresourceHandler;
import dev.berth.sandbox.registry.KindRegistry;
import dev.berth.sandbox.registry.ServedKinds;
import dev.berth.sandbox.schema.BuiltInSchemas;
import dev.berth.sandbox.schema.SchemaExtensions;
import dev.berth.sandbox.storage.Store;
import java.time.InstantSource;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The API server without threads and network: a request goes in, an answer or a watch comes out, on the caller's thread.
 * Time and chance are given from outside, so the same requests in the same order give the same history. Safe for use by
 * several threads.
 */
public final class InMemoryApiServer {

    private static final Logger LOG = LoggerFactory.getLogger(InMemoryApiServer.class);

    private final Store store;
    private final KindRegistry kindRegistry;
    private final ResponseWriter responseWriter;
    private final DiscoveryHandler discoveryHandler;
    private final OpenApiHandler openApiHandler;
    private final WebhookAdmission webhookAdmission;
    private final ResourceHandler resourceHandler;
    private final SubresourceHandler subresourceHandler;

    /** A server with the objects every cluster begins with, keeping so many changes of each resource for watches. */
    public InMemoryApiServer(InstantSource clock, RandomGenerator random, int historyLimit) {
        this(clock, random, historyLimit, new HttpsWebhookClient());
    }

    /** The same, reaching admission webhooks in a way of one's own. */
    public InMemoryApiServer(InstantSource clock, RandomGenerator random, int historyLimit, WebhookClient caller) {
        this(clock, random, historyLimit, caller, SchemaExtensions.NONE);
    }

    /** The same, with more than Kubernetes knows. */
    public InMemoryApiServer(
            InstantSource clock,
            RandomGenerator random,
            int historyLimit,
            WebhookClient caller,
            SchemaExtensions schemaExtensions) {
        this.store = new Store(historyLimit);
        BuiltInSchemas schemas = BuiltInSchemas.with(schemaExtensions.fields());
        this.kindRegistry = new KindRegistry(schemas, schemaExtensions.groups(), store);
        this.responseWriter = new ResponseWriter(clock);
        this.discoveryHandler = new DiscoveryHandler(new GroupPriorities(store));
        this.openApiHandler = new OpenApiHandler(schemas, kindRegistry.current());
        SystemFieldGenerator systemFieldGenerator = new SystemFieldGenerator(clock, random);
        this.webhookAdmission = new WebhookAdmission(store, caller, systemFieldGenerator::newUid);
        HandlerContext handlerContext = new HandlerContext(
                store,
                systemFieldGenerator,
                AdmissionChain.of(store, webhookAdmission),
                new KindStorageHooks(store, systemFieldGenerator, kindRegistry.current()),
                new RequestBodyDecoder(schemas),
                responseWriter);
        this.resourceHandler = new ResourceHandler(handlerContext);
        this.subresourceHandler = new SubresourceHandler(handlerContext);
        BootstrapObjects.createAll(this);
    }

    /** Forgets how the present came about, as compaction does: watches and pages from before now are too old. */
    public void compact() {
        store.compact();
    }

    /** Answers a request. Refusals are answers too; nothing is thrown for what a client did. */
    public RestResponse handle(RestRequest request) {
        try {
            return dispatch(request);
        } catch (ApiStatusException refusal) {
            return statusResponse(request, refusal.status());
        } catch (RuntimeException fault) {
            LOG.error("request ({}) failed", request, fault);
            return statusResponse(request, ApiStatus.internal("the server failed on this request; its log says why"));
        }
    }

    /** The error response in the format that the request accepts. */
    public BodyResponse statusResponse(RestRequest request, ApiStatus status) {
        return responseWriter.tree(status.code(), ResponseFormat.forStatus(request), status.tree());
    }

    /** Whether the response may wait for a webhook. Such a request must not run on a network thread. */
    public boolean mayBlock(RestRequest request) {
        return !request.method().equals("GET") && webhookAdmission.isConfigured();
    }

    private RestResponse dispatch(RestRequest request) {
        ServedKinds servedKinds = kindRegistry.current();
        Optional<RequestInfo> requestInfo = RequestInfoResolver.find(servedKinds, request.path());
        if (requestInfo.isEmpty()) {
            return handleNonResource(servedKinds, request);
        }
        return requestInfo.get().subresource().isEmpty()
                ? resourceHandler.handle(requestInfo.get(), request)
                : subresourceHandler.handle(requestInfo.get(), request);
    }

    private RestResponse handleNonResource(ServedKinds servedKinds, RestRequest request) {
        Optional<BodyResponse> bodyResponse = VersionAndHealthHandler.handle(request)
                .or(() -> discoveryHandler.handle(servedKinds, request))
                .or(() -> openApiHandler.handle(servedKinds, request));
        if (bodyResponse.isPresent()) {
            return bodyResponse.get();
        }
        if (request.path().startsWith("/api/") || request.path().startsWith("/apis/")) {
            throw new ApiStatusException(ApiStatus.noSuchResource());
        }
        return BodyResponse.text(404, "404 page not found\n");
    }
}
