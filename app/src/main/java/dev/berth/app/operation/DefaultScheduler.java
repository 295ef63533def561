package dev.berth.app.operation;

import dev.berth.http.operation.Check.Finding;
import dev.berth.kubernetes.api.ApiClient;
import dev.berth.kubernetes.election.LeaseHolder;
import dev.berth.kubernetes.time.Timer;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether a kube-scheduler runs while Berth serves {@code default-scheduler}: both would bind the pods that name no
 * scheduler, without knowing of each other's decisions. Goes by the Lease that kube-scheduler renews. It may serve other
 * names only, which nothing in a cluster tells, so this is a warning. Safe from any thread.
 */
public final class DefaultScheduler {
    private static final Logger LOG = LoggerFactory.getLogger(DefaultScheduler.class);
    private static final String NAME = "default-scheduler";
    private static final String NAMESPACE = "kube-system";
    private static final String LEASE = "kube-scheduler";
    private static final Duration WITHIN = Duration.ofSeconds(5);
    private static final Duration LOOK_EVERY = Duration.ofSeconds(30);
    private static final Duration FRESH_FOR = Duration.ofSeconds(5);
    private static final Duration ANSWER_WITHIN = Duration.ofSeconds(2);
    /** The holder's clock may differ from the API server's by so much. */
    private static final Duration SKEW = Duration.ofSeconds(10);

    private final ApiClient client;
    private final Supplier<Set<String>> served;
    private final InstantSource clock;
    private volatile Instant looked = Instant.MIN;
    private volatile CompletableFuture<Void> latest = CompletableFuture.completedFuture(null);
    private volatile Optional<String> complaint = Optional.empty();

    /**
     * Looks at nothing yet.
     *
     * @param served the schedulers' names that Berth serves now
     * @param clock the API server's
     */
    public DefaultScheduler(ApiClient client, Supplier<Set<String>> served, InstantSource clock) {
        this.client = client;
        this.served = served;
        this.clock = clock;
    }

    /** Looks now and every half minute, also when /readyz is not called: a kube-scheduler may start at any time. */
    public void start(Timer timer) {
        look();
        timer.after(LOOK_EVERY, () -> start(timer));
    }

    /**
     * Reads the Lease, and logs a warning when it is first found to be renewed. Does not wait for the answer.
     *
     * @return ends when the answer is known
     */
    public CompletionStage<Void> look() {
        looked = clock.instant();
        CompletableFuture<Void> answer = read();
        latest = answer;
        return answer;
    }

    private CompletableFuture<Void> read() {
        if (served.get().contains(NAME)) {
            return LeaseHolder.read(client, NAMESPACE, LEASE, WITHIN).thenAccept(this::found);
        }
        complaint = Optional.empty();
        return CompletableFuture.completedFuture(null);
    }

    private void found(Optional<LeaseHolder> holder) {
        Optional<String> now = holder.filter(
                        it -> it.renewed().plus(it.lasts()).plus(SKEW).isAfter(clock.instant()))
                .map(it ->
                        ("%s renews Lease %s/%s: a kube-scheduler runs beside Berth. If it serves %s, both bind the same"
                                        + " pods. Stop kube-scheduler, or remove %4$s from schedulerNames in Berth's configuration")
                                .formatted(it.identity(), NAMESPACE, LEASE, NAME));
        boolean news = now.isPresent() && !now.equals(complaint);
        complaint = now;
        if (news) {
            LOG.warn("{}", now.get());
        }
    }

    /** What is true now, or a moment ago. Where the API server does not answer soon, what was found last. */
    Finding finding() throws InterruptedException {
        Instant now = clock.instant();
        if (now.isBefore(looked) || !now.isBefore(looked.plus(FRESH_FOR))) {
            look();
        }
        try {
            latest.get(ANSWER_WITHIN.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException unanswered) {
            LOG.debug("Lease {}/{} was not read", NAMESPACE, LEASE, unanswered);
        }
        return Finding.well(complaint.orElse(""));
    }
}
