package dev.berth.testkit.contract;

import static org.assertj.core.api.Assumptions.assumeThat;

import dev.berth.testkit.controlplane.Access;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;

/** A part of the contract: each sentence gets the server and a namespace of its own. */
@Timeout(90)
public abstract class Contract {

    // One client a server: a handshake for every sentence would cost more than the sentence.
    private static final Map<Access, Api> CLIENTS = new ConcurrentHashMap<>();

    protected ApiServerUnderTest server;
    protected Api api;
    protected Scratch scratch;

    @BeforeEach
    final void enter(ApiServerUnderTest given) {
        server = given;
        api = CLIENTS.computeIfAbsent(given.access(), Api::new);
        scratch = new Scratch(api);
    }

    /**
     * Passes over a sentence that is not true of an older Kubernetes, in words.
     *
     * @param minor the older one, such as 1.32
     * @param instead what is true there
     */
    protected final void exceptIn(String minor, String instead) {
        String version = api.get("/version").expect(200).at("/gitVersion");
        assumeThat(version).as("Kubernetes %s: %s", minor, instead).doesNotStartWith("v" + minor + ".");
    }

    @AfterEach
    final void leave() {
        scratch.close();
    }
}
