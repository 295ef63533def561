package dev.berth.testkit.contract;

import static org.assertj.core.api.Assumptions.assumeThat;

import dev.berth.testkit.controlplane.ApiServerAccess;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;

/** A part of the contract: each sentence gets the server and a namespace of its own. */
@Timeout(90)
public abstract class ApiServerContract {

    // One client a server: a handshake for every sentence would cost more than the sentence.
    private static final Map<ApiServerAccess, HttpApi> CLIENTS = new ConcurrentHashMap<>();

    protected ApiServerUnderTest server;
    protected HttpApi api;
    protected TestNamespace testNamespace;

    @BeforeEach
    final void createNamespace(ApiServerUnderTest given) {
        server = given;
        api = CLIENTS.computeIfAbsent(given.access(), HttpApi::new);
        testNamespace = new TestNamespace(api);
    }

    /**
     * Skips a test that does not apply to an older Kubernetes.
     *
     * @param minor the older version, such as 1.32
     * @param instead what is true there
     */
    protected final void skipOn(String minor, String instead) {
        String version = api.get("/version").expect(200).at("/gitVersion");
        assumeThat(version).as("Kubernetes %s: %s", minor, instead).doesNotStartWith("v" + minor + ".");
    }

    @AfterEach
    final void deleteNamespace() {
        testNamespace.close();
    }
}
