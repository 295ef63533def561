package dev.berth.kubernetes.leaderelection;

import dev.berth.kubernetes.api.ApiClient;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Who holds a Lease of another program.
 *
 * @param identity as the Lease names it
 * @param renewTime when it was renewed last, by the clock of its holder
 * @param leaseDuration how long it counts after that
 */
public record LeaseHolder(String identity, Instant renewTime, Duration leaseDuration) {

    /** Empty where there is no such Lease, no program holds it, or it cannot be read. */
    public static CompletableFuture<Optional<LeaseHolder>> read(
            ApiClient client, String namespace, String name, Duration timeout) {
        String path = "/apis/coordination.k8s.io/v1/namespaces/%s/leases/%s".formatted(namespace, name);
        return client.get(path, "application/json", timeout)
                .handle((response, failure) ->
                        ApiLeaseStore.parseResult(response, failure) instanceof LeaseStore.LeaseResult.Found found
                                ? from(found.lease())
                                : Optional.empty());
    }

    private static Optional<LeaseHolder> from(Lease lease) {
        return lease.renewTime()
                .filter(renewTime -> !lease.holderIdentity().isEmpty())
                .map(renewTime -> new LeaseHolder(lease.holderIdentity(), renewTime, lease.leaseDuration()));
    }
}
