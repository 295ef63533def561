package dev.berth.embedded;

import dev.berth.embedded.admission.AdmissionChain;
import dev.berth.embedded.admission.webhook.HttpsWebhookCaller;
import dev.berth.embedded.admission.webhook.WebhookCaller;
import dev.berth.embedded.admission.webhook.Webhooks;
import dev.berth.embedded.rest.Answer;
import dev.berth.embedded.rest.ApiFailure;
import dev.berth.embedded.rest.ApiStatus;
import dev.berth.embedded.rest.Request;
import dev.berth.embedded.rest.Response;
import dev.berth.embedded.rest.discovery.Discovery;
import dev.berth.embedded.rest.discovery.OpenApi;
import dev.berth.embedded.rest.discovery.Priorities;
import dev.berth.embedded.rest.discovery.ServerFacts;
import dev.berth.embedded.rest.extra.KindExtras;
import dev.berth.embedded.rest.kind.Catalog;
import dev.berth.embedded.rest.kind.Kinds;
import dev.berth.embedded.rest.subresource.Subresources;
import dev.berth.embedded.rest.target.Backend;
import dev.berth.embedded.rest.target.Births;
import dev.berth.embedded.rest.target.Route;
import dev.berth.embedded.rest.target.Target;
import dev.berth.embedded.rest.verb.Verbs;
import dev.berth.embedded.rest.wire.BodyReader;
import dev.berth.embedded.rest.wire.Format;
import dev.berth.embedded.rest.wire.Presenter;
import dev.berth.embedded.schema.Additions;
import dev.berth.embedded.schema.BuiltInSchemas;
import dev.berth.embedded.store.Store;
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
public final class ApiServer {

    private static final Logger LOG = LoggerFactory.getLogger(ApiServer.class);

    private final Store store;
    private final Kinds kinds;
    private final Presenter presenter;
    private final Discovery discovery;
    private final OpenApi openApi;
    private final Webhooks webhooks;
    private final Verbs verbs;
    private final Subresources subresources;

    /** A server with the objects every cluster begins with, keeping so many changes of each resource for watches. */
    public ApiServer(InstantSource clock, RandomGenerator random, int historyLimit) {
        this(clock, random, historyLimit, new HttpsWebhookCaller());
    }

    /** The same, reaching admission webhooks in a way of one's own. */
    public ApiServer(InstantSource clock, RandomGenerator random, int historyLimit, WebhookCaller caller) {
        this(clock, random, historyLimit, caller, Additions.NONE);
    }

    /** The same, with more than Kubernetes knows. */
    public ApiServer(
            InstantSource clock, RandomGenerator random, int historyLimit, WebhookCaller caller, Additions additions) {
        this.store = new Store(historyLimit);
        BuiltInSchemas schemas = BuiltInSchemas.with(additions.fields());
        this.kinds = new Kinds(schemas, additions.groups(), store);
        this.presenter = new Presenter(clock);
        this.discovery = new Discovery(new Priorities(store));
        this.openApi = new OpenApi(schemas, kinds.catalog());
        Births births = new Births(clock, random);
        this.webhooks = new Webhooks(store, caller, births::uid);
        Backend backend = new Backend(
                store,
                births,
                AdmissionChain.of(store, webhooks),
                new KindExtras(store, births, kinds.catalog()),
                new BodyReader(schemas),
                presenter);
        this.verbs = new Verbs(backend);
        this.subresources = new Subresources(backend);
        Bootstrap.run(this);
    }

    /** Forgets how the present came about, as compaction does: watches and pages from before now are too old. */
    public void forgetHistory() {
        store.forgetHistory();
    }

    /** Answers a request. Refusals are answers too; nothing is thrown for what a client did. */
    public Response handle(Request request) {
        try {
            return dispatch(request);
        } catch (ApiFailure refusal) {
            return refused(request, refusal.status());
        } catch (RuntimeException fault) {
            LOG.error("request ({}) failed", request, fault);
            return refused(request, ApiStatus.internal("the server failed on this request; its log says why"));
        }
    }

    /** The answer by which a request is refused, in the form it accepts. */
    public Answer refused(Request request, ApiStatus status) {
        return presenter.tree(status.code(), Format.forStatus(request), status.tree());
    }

    /** Whether the answer may have to wait for somebody outside, so that the caller's thread should not be a busy one. */
    public boolean mayWait(Request request) {
        return !request.method().equals("GET") && webhooks.isConfigured();
    }

    private Response dispatch(Request request) {
        Catalog catalog = kinds.catalog();
        Optional<Target> target = Route.find(catalog, request.path());
        if (target.isEmpty()) {
            return elsewhere(catalog, request);
        }
        return target.get().subresource().isEmpty()
                ? verbs.handle(target.get(), request)
                : subresources.handle(target.get(), request);
    }

    private Response elsewhere(Catalog catalog, Request request) {
        Optional<Answer> answer = ServerFacts.handle(request)
                .or(() -> discovery.handle(catalog, request))
                .or(() -> openApi.handle(catalog, request));
        if (answer.isPresent()) {
            return answer.get();
        }
        if (request.path().startsWith("/api/") || request.path().startsWith("/apis/")) {
            throw new ApiFailure(ApiStatus.noSuchResource());
        }
        return Answer.text(404, "404 page not found\n");
    }
}
