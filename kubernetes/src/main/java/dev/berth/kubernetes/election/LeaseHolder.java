package dev.berth.kubernetes.election;

import dev.berth.kubernetes.api.ApiClient;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Who holds a Lease of another program.
 *
 * @param identity as the Lease names it
 * @param renewed when it was renewed last, by the clock of its holder
 * @param lasts how long it counts after that
 */
public record LeaseHolder(String identity, Instant renewed, Duration lasts) {

    /** Empty where there is no such Lease, no program holds it, or it cannot be read. */
    public static CompletableFuture<Optional<LeaseHolder>> read(
            ApiClient client, String namespace, String name, Duration timeout) {
        String path = "/apis/coordination.k8s.io/v1/namespaces/%s/leases/%s".formatted(namespace, name);
        return client.get(path, "application/json", timeout)
                .handle((response, failure) ->
                        ApiLeaseStore.reply(response, failure) instanceof LeaseStore.Reply.Found found
                                ? of(found.lease())
                                : Optional.empty());
    }

    private static Optional<LeaseHolder> of(Lease lease) {
        return lease.renewed()
                .filter(renewed -> !lease.holder().isEmpty())
                .map(renewed -> new LeaseHolder(lease.holder(), renewed, lease.duration()));
    }
}
