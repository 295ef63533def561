package dev.berth.testkit.contract;

import dev.berth.embedded.EmbeddedApiServer;
import dev.berth.embedded.client.ApiClient;
import dev.berth.embedded.client.mirror.Bell;
import dev.berth.embedded.client.mirror.Environment;
import dev.berth.embedded.client.mirror.StepperThread;
import dev.berth.embedded.client.transport.HttpTransport;
import dev.berth.embedded.client.transport.ServerAccess;
import dev.berth.embedded.workload.WorkloadControllers;
import dev.berth.testkit.controlplane.Access;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.time.InstantSource;
import java.util.Random;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** Gives the contract the embedded server, one for all its sentences. */
public final class EmbeddedServer implements ParameterResolver {

    private static final class Only {
        static final Running SERVER = new Running();
    }

    /** A server with its controllers. It ends with the JVM, as its threads do. */
    private static final class Running implements ApiServerUnderTest {

        private final EmbeddedApiServer server;
        private final ApiClient client;
        private final StepperThread controllers;

        Running() {
            InstantSource clock = InstantSource.system();
            try {
                server = EmbeddedApiServer.start(EmbeddedApiServer.Options.of(clock, new Random()));
            } catch (IOException e) {
                throw new UncheckedIOException("the embedded server does not start", e);
            }
            client = new ApiClient(new HttpTransport(ServerAccess.plain(URI.create(server.url()))
                    .trusting(server.authorityPem())
                    .withToken(server.token())));
            Environment environment = new Environment(client, clock, new Random(), new Bell());
            controllers = StepperThread.start("controllers", new WorkloadControllers(environment), environment);
            Runtime.getRuntime().addShutdownHook(new Thread(this::close, "embedded-server-end"));
        }

        private void close() {
            controllers.close();
            client.close();
            server.close();
        }

        @Override
        public Access access() {
            return new Access(URI.create(server.url()), server.authorityPem(), server.token());
        }

        @Override
        public void forget(String version) {
            server.api().forgetHistory();
        }
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext test) {
        return parameter.getParameter().getType() == ApiServerUnderTest.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext test) {
        return Only.SERVER;
    }
}
