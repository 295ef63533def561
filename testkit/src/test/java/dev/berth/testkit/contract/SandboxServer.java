package dev.berth.testkit.contract;

import dev.berth.sandbox.SandboxApiServer;
import dev.berth.sandbox.client.DynamicClient;
import dev.berth.sandbox.client.eventloop.EventLoopThread;
import dev.berth.sandbox.client.eventloop.LoopEnvironment;
import dev.berth.sandbox.client.eventloop.WakeSignal;
import dev.berth.sandbox.client.transport.HttpTransport;
import dev.berth.sandbox.client.transport.RestConfig;
import dev.berth.sandbox.controller.ControllerManager;
import dev.berth.testkit.controlplane.ApiServerAccess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.time.InstantSource;
import java.util.Random;

/** A sandbox API server with its controllers. It ends with the JVM, as its threads do. */
final class SandboxServer implements ApiServerUnderTest {
    private final SandboxApiServer server;
    private final DynamicClient client;
    private final EventLoopThread controllers;

    SandboxServer() {
        InstantSource clock = InstantSource.system();
        try {
            server = SandboxApiServer.start(SandboxApiServer.Options.of(clock, new Random()));
        } catch (IOException e) {
            throw new UncheckedIOException("the embedded server does not start", e);
        }
        client = new DynamicClient(new HttpTransport(RestConfig.withoutCredentials(URI.create(server.url()))
                .withCaCertificate(server.caCertificatePem())
                .withToken(server.token())));
        LoopEnvironment environment = new LoopEnvironment(client, clock, new Random(), new WakeSignal());
        controllers = EventLoopThread.start("controllers", new ControllerManager(environment), environment);
        Runtime.getRuntime().addShutdownHook(new Thread(this::close, "embedded-server-end"));
    }

    private void close() {
        controllers.close();
        client.close();
        server.close();
    }

    @Override
    public ApiServerAccess access() {
        return new ApiServerAccess(URI.create(server.url()), server.caCertificatePem(), server.token());
    }

    @Override
    public void compact(String version) {
        server.api().compact();
    }
}
