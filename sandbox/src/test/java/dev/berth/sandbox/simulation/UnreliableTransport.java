package dev.berth.sandbox.simulation;

import dev.berth.sandbox.client.transport.ClientRequest;
import dev.berth.sandbox.client.transport.ClientResponse;
import dev.berth.sandbox.client.transport.Transport;
import dev.berth.sandbox.client.transport.UnreachableException;
import dev.berth.sandbox.client.transport.WatchEvent;
import dev.berth.sandbox.client.transport.WatchStream;
import dev.berth.sandbox.unstructured.NestedFields;
import java.io.IOException;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * A bad line to a good server: calls get lost before they arrive or their answers after, the server is overloaded now and
 * then, watches bring their news late, break and are forgotten. All by a seed, and only while it is told to shake.
 */
final class UnreliableTransport implements Transport {
    private final Transport line;
    private final SplittableRandom random;
    private boolean shaking = true;

    UnreliableTransport(Transport line, long seed) {
        this.line = line;
        this.random = new SplittableRandom(seed);
    }

    void stopFailing() {
        shaking = false;
    }

    private boolean chance(int perMille) {
        return shaking && random.nextInt(1_000) < perMille;
    }

    @Override
    public ClientResponse send(ClientRequest clientRequest) {
        if (chance(40)) {
            throw new UnreachableException("lost on the way", new IOException("lost"));
        }
        if (chance(40)) {
            return new ClientResponse(
                    503,
                    NestedFields.newObject()
                            .put("kind", "Status")
                            .put("code", 503)
                            .put("message", "overloaded"));
        }
        ClientResponse clientResponse = line.send(clientRequest);
        if (chance(40)) {
            throw new UnreachableException("the answer was lost", new IOException("lost"));
        }
        return clientResponse;
    }

    @Override
    public WatchStream watch(ClientRequest clientRequest, Runnable arrived) {
        if (chance(50)) {
            return new Broken();
        }
        WatchStream stream = line.watch(clientRequest, arrived);
        return new WatchStream() {
            @Override
            public Optional<WatchEvent> poll() {
                if (chance(600)) {
                    return Optional.empty();
                }
                if (chance(1)) {
                    throw new UnreachableException("the watch broke", new IOException("reset"));
                }
                return stream.poll();
            }

            @Override
            public boolean ended() {
                return stream.ended();
            }

            @Override
            public void close() {
                stream.close();
            }
        };
    }

    @Override
    public void close() {
        line.close();
    }

    /** A watch from a version that the server has forgotten. */
    private static final class Broken implements WatchStream {
        private boolean told;

        @Override
        public Optional<WatchEvent> poll() {
            if (told) {
                return Optional.empty();
            }
            told = true;
            return Optional.of(new WatchEvent(
                    WatchEvent.Type.ERROR,
                    NestedFields.newObject()
                            .put("kind", "Status")
                            .put("code", 410)
                            .put("reason", "Expired")));
        }

        @Override
        public boolean ended() {
            return told;
        }

        @Override
        public void close() {
            told = true;
        }
    }
}
