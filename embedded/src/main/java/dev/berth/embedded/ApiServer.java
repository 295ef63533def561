package dev.berth.embedded;

import dev.berth.embedded.admission.Admission;
import dev.berth.embedded.rest.Answer;
import dev.berth.embedded.rest.ApiFailure;
import dev.berth.embedded.rest.ApiStatus;
import dev.berth.embedded.rest.Request;
import dev.berth.embedded.rest.Response;
import dev.berth.embedded.rest.kind.Kinds;
import dev.berth.embedded.rest.subresource.Subresources;
import dev.berth.embedded.rest.verb.Backend;
import dev.berth.embedded.rest.verb.Births;
import dev.berth.embedded.rest.verb.Extras;
import dev.berth.embedded.rest.verb.Route;
import dev.berth.embedded.rest.verb.Target;
import dev.berth.embedded.rest.verb.Verbs;
import dev.berth.embedded.rest.wire.BodyReader;
import dev.berth.embedded.rest.wire.Codec;
import dev.berth.embedded.rest.wire.Format;
import dev.berth.embedded.rest.wire.Presenter;
import dev.berth.embedded.schema.BuiltInSchemas;
import dev.berth.embedded.store.Store;
import java.time.InstantSource;
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
    private final Verbs verbs;
    private final Subresources subresources;

    public ApiServer(InstantSource clock, RandomGenerator random, int historyLimit) {
        this.store = new Store(historyLimit);
        this.kinds = new Kinds(BuiltInSchemas.load(), store);
        Codec codec = new Codec();
        this.presenter = new Presenter(clock, codec);
        Backend backend = new Backend(
                store,
                new Births(clock, random),
                Admission.EVERYTHING,
                Extras.NONE,
                new BodyReader(BuiltInSchemas.load()),
                presenter,
                codec);
        this.verbs = new Verbs(backend);
        this.subresources = new Subresources(backend);
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

    private Response dispatch(Request request) {
        Target target = Route.find(kinds.catalog(), request.path())
                .orElseThrow(() -> new ApiFailure(ApiStatus.noSuchResource()));
        return target.subresource().isEmpty() ? verbs.handle(target, request) : subresources.handle(target, request);
    }

    private Answer refused(Request request, ApiStatus status) {
        return presenter.tree(status.code(), Format.forStatus(request), status.tree());
    }
}
