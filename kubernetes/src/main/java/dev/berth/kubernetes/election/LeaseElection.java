package dev.berth.kubernetes.election;

import dev.berth.engine.Leadership;
import dev.berth.kubernetes.api.ApiClient;
import dev.berth.kubernetes.election.LeaseStore.Reply;
import dev.berth.kubernetes.time.Clocks;
import dev.berth.kubernetes.time.Clocks.Moment;
import dev.berth.kubernetes.time.Timer;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stands for election by holding a Lease, as kube-scheduler does: whoever writes its name into it leads until it has
 * not renewed it for the lease's duration. Time is counted from before a renewal was sent, for one's own lease, and from
 * when a change was seen, for others': then no two can be sure to lead at once, whatever their clocks show. It is counted
 * by the ticker, as a clock that is put forward would end a lease that lives. A leader whose clock says more than its
 * ticker may have slept: for its own lease it counts by whichever says more.
 *
 * <p>Single-threaded but for {@link #covers}: everything happens on the timer's thread.
 */
public final class LeaseElection implements Leadership {
    private static final Logger LOG = LoggerFactory.getLogger(LeaseElection.class);
    private static final int RELEASE_TRIES = 3;
    /** A candidate that runs looks at the Lease once in a retry period, and a leader renews it as often. */
    private static final int RETRIES_AHEAD = 3;

    private final ElectionSettings settings;
    private final LeaseStore store;
    private final Timer timer;
    private final Clocks clocks;
    private final Supplier<Optional<String>> durableVersion;
    private final ElectionObserver observer;
    private Optional<Lease> known = Optional.empty();
    private String mark = "";
    private Optional<Moment> changed = Optional.empty();
    /** Whether the Lease was seen to change: one that was only found may be of a process that has ended. */
    private boolean seenToChange;

    private String lastHolder = "";
    private String otherLeader = "";
    /** What the observer was last told about the holder that this process waits for. */
    private String standing = "";

    private String trouble = "";
    private final LeaseTrouble log;
    private boolean leading;
    /** Whether this process may take the Lease: else it only counts how long the Lease has not changed. */
    private boolean candidate;

    private boolean stopped;
    private boolean asking;
    private boolean askedAgain;
    /** What becomes of an answer that comes after the end. */
    private Consumer<Reply> afterAnswer = reply -> {};

    private Timer.Task next = Timer.Task.NONE;
    private Timer.Task surrender = Timer.Task.NONE;
    private Timer.Task beginning = Timer.Task.NONE;
    /** What is surely ours, as anybody may read it. */
    private volatile Optional<Term> term = Optional.empty();

    private volatile boolean stopping;

    /**
     * A time of leading.
     *
     * @param grace how long after it was won nothing is written yet
     * @param renewed when the latest renewal was sent
     */
    private record Term(Moment won, Duration grace, Moment renewed, Duration lasts) {
        private Term renewed(Moment sent) {
            return new Term(won, grace, sent, lasts);
        }

        private boolean covers(Duration write, Moment now) {
            return now.since(won).compareTo(grace) >= 0
                    && now.atMostSince(renewed).plus(write).compareTo(lasts) < 0;
        }
    }

    LeaseElection(
            ElectionSettings settings,
            LeaseStore store,
            Time time,
            Supplier<Optional<String>> durableVersion,
            ElectionObserver observer) {
        this.log = new LeaseTrouble(time.log());
        this.settings = settings;
        this.store = store;
        this.timer = time.timer();
        this.clocks = time.clocks();
        this.durableVersion = durableVersion;
        this.observer = observer;
    }

    record Time(Timer timer, Clocks clocks, LeaseTrouble.Lines log) {}

    /**
     * An election at the API server.
     *
     * @param durableVersion asked at each renewal; what it gives is there for a successor
     */
    public static LeaseElection at(
            ApiClient client,
            ElectionSettings settings,
            Clocks clocks,
            Supplier<Optional<String>> durableVersion,
            ElectionObserver observer) {
        return new LeaseElection(
                settings,
                new ApiLeaseStore(client, settings),
                new Time(Timer.on(client.callThread()), clocks, LeaseTrouble.Lines.of(LOG)),
                durableVersion,
                observer);
    }

    /** Looks at the Lease without standing for election, so that its end is not waited for after everything else. */
    public void watch() {
        timer.after(Duration.ZERO, this::look);
    }

    public void start() {
        timer.after(Duration.ZERO, () -> {
            candidate = true;
            next.cancel();
            look();
        });
    }

    @Override
    public boolean covers(Duration write) {
        Optional<Term> sure = term;
        return !stopping && sure.isPresent() && sure.get().covers(write, clocks.now());
    }

    /**
     * Ends the candidacy and lets go of the lease where it bears our name, so that a successor need not wait. To be
     * called when all writes have ended.
     *
     * @return done when the lease has been let go, or could not be
     */
    public CompletionStage<Void> stop() {
        stopping = true;
        CompletableFuture<Void> done = new CompletableFuture<>();
        timer.after(Duration.ZERO, () -> {
            stopped = true;
            next.cancel();
            surrender.cancel();
            beginning.cancel();
            leading = false;
            term = Optional.empty();
            if (known.filter(this::ours).isPresent() || !asking) {
                known.ifPresentOrElse(lease -> letGo(lease, RELEASE_TRIES, done), () -> done.complete(null));
            } else {
                // The request under way may make the lease ours.
                afterAnswer = reply -> letGo(reply, RELEASE_TRIES, done);
            }
        });
        return done;
    }

    private boolean ours(Lease lease) {
        return lease.holder().equals(settings.identity());
    }

    private void letGo(Reply reply, int tries, CompletableFuture<Void> done) {
        if (reply instanceof Reply.Found found) {
            letGo(found.lease(), tries, done);
        } else if (reply instanceof Reply.Failed && tries > 0) {
            // It may have been written though no answer came.
            store.read().thenAccept(again -> letGo(again, tries - 1, done));
        } else {
            done.complete(null);
        }
    }

    /** A renewal may be under way: then the lease has changed once more, and is read before it is let go. */
    private void letGo(Lease lease, int tries, CompletableFuture<Void> done) {
        if (tries == 0 || !ours(lease)) {
            done.complete(null);
            return;
        }
        Lease free = lease.with(durableVersion.get()).letGo(clocks.now().day());
        store.update(free).thenAccept(reply -> {
            if (reply instanceof Reply.Changed) {
                store.read().thenAccept(again -> letGo(again, tries - 1, done));
            } else {
                done.complete(null);
            }
        });
    }

    private void look() {
        if (stopped) {
            return;
        }
        next = timer.after(settings.retryPeriod(), this::look);
        if (asking) {
            return;
        }
        askedAgain = false;
        // After a failure it is read first: it may have been deleted, or written though no answer came.
        if (leading && known.isPresent() && trouble.isEmpty()) {
            write(known.get());
        } else {
            ask(store.read(), this::read);
        }
    }

    /** One request at a time: an answer that is late must not be taken for that of the next. */
    private void ask(CompletionStage<Reply> request, Consumer<Reply> then) {
        asking = true;
        request.thenAccept(reply -> {
            asking = false;
            if (stopped) {
                afterAnswer.accept(reply);
            } else {
                then.accept(reply);
            }
        });
    }

    private void read(Reply reply) {
        if (reply instanceof Reply.Found found) {
            seen(found.lease());
        } else if (!candidate) {
            // Whoever waits to join says what is the matter.
            return;
        } else if (reply instanceof Reply.Missing) {
            Lease fresh = Lease.fresh(settings.namespace(), settings.name());
            Moment sent = clocks.now();
            Lease ours = fresh.heldBy(settings.identity(), settings.leaseDuration(), sent.day())
                    .with(durableVersion.get());
            ask(store.create(ours), created -> written(created, sent, fresh));
        } else if (reply instanceof Reply.Failed failed) {
            inTrouble("read", failed.why());
        }
    }

    private void inTrouble(String verb, String why) {
        trouble = why;
        String problem = "lease (%s/%s) cannot be %s".formatted(settings.namespace(), settings.name(), verb);
        if (log.is("%s: %s".formatted(problem, why)) && !leading) {
            standing = "";
            observer.leaseFails(problem, why);
        }
    }

    private void outOfTrouble() {
        trouble = "";
        String over = "lease (%s/%s) can be read and written again".formatted(settings.namespace(), settings.name());
        if (log.isOver(over) && !leading) {
            observer.leaseWorks();
        }
    }

    private void seen(Lease lease) {
        known = Optional.of(lease);
        Moment now = clocks.now();
        if (!lease.mark().equals(mark)) {
            seenToChange = !mark.isEmpty();
            mark = lease.mark();
            changed = Optional.of(now);
        }
        if (!candidate) {
            return;
        }
        String holder = lease.holder();
        boolean mine = ours(lease);
        if (leading && !mine) {
            lose("%s holds the lease".formatted(holder.isEmpty() ? "nobody" : holder));
            return;
        }
        boolean over = now.since(changed.orElse(now)).compareTo(lease.duration()) >= 0;
        boolean free = holder.isEmpty() || over;
        if (mine || (free && !defers(lease, now))) {
            // Out of trouble only when it has written: a Lease that can be read may still be forbidden to write.
            write(lease);
            return;
        }
        outOfTrouble();
        if (!free) {
            standBy(lease, now.since(changed.orElse(now)));
        }
    }

    private void standBy(Lease lease, Duration unchanged) {
        lastHolder = lease.holder();
        boolean renews =
                seenToChange && unchanged.compareTo(settings.retryPeriod().multipliedBy(RETRIES_AHEAD)) < 0;
        String now = lastHolder + (renews ? " renews" : " is silent");
        if (!now.equals(standing)) {
            standing = now;
            observer.standsBy(lastHolder, renews, lease.renewed());
        }
        if (renews && !lastHolder.equals(otherLeader)) {
            otherLeader = lastHolder;
            observer.otherLeads(lastHolder);
        }
    }

    /** A free Lease is left to a candidate that goes first, but not for long: that one may have ended. */
    private boolean defers(Lease lease, Moment now) {
        boolean letGo = lease.holder().isEmpty();
        Duration free = now.since(changed.orElse(now)).minus(letGo ? Duration.ZERO : lease.duration());
        return free.compareTo(settings.retryPeriod().multipliedBy(RETRIES_AHEAD)) < 0
                && observer.defers(letGo ? lastHolder : lease.holder());
    }

    private void write(Lease from) {
        Moment sent = clocks.now();
        Lease ours = from.heldBy(settings.identity(), settings.leaseDuration(), sent.day());
        // A predecessor's is kept until it has been heard of.
        Lease said = leading ? ours.with(durableVersion.get()) : ours;
        ask(store.update(said), reply -> written(reply, sent, from));
    }

    private void written(Reply reply, Moment sent, Lease from) {
        if (reply instanceof Reply.Found found) {
            known = Optional.of(found.lease());
            mark = found.lease().mark();
            changed = Optional.of(clocks.now());
            won(sent, from);
        } else if (reply instanceof Reply.Failed failed) {
            inTrouble("written", failed.why());
        } else {
            // Somebody was faster, or took it away. Once is enough: a server that says so for ever must not be flooded.
            trouble = "others write it each time";
            if (!askedAgain) {
                askedAgain = true;
                ask(store.read(), this::read);
            }
        }
    }

    private void won(Moment sent, Lease from) {
        Moment now = clocks.now();
        outOfTrouble();
        surrender.cancel();
        Duration left = settings.renewDeadline().minus(now.since(sent));
        surrender = timer.after(
                left.isNegative() ? Duration.ZERO : left,
                () -> lose("it could not be renewed for %d ms%s"
                        .formatted(
                                settings.renewDeadline().toMillis(),
                                trouble.isEmpty() ? "" : ", at last because: " + trouble)));
        if (leading) {
            term = term.map(before -> before.renewed(sent));
            return;
        }
        leading = true;
        lastHolder = "";
        otherLeader = "";
        // One that let go, or was this very process, has no writes under way; any other may have some for a while.
        boolean unsure = !from.holder().isEmpty() && !from.holder().equals(settings.identity());
        Duration wait = unsure ? settings.grace() : Duration.ZERO;
        term = Optional.of(new Term(now, wait, sent, settings.leaseDuration()));
        LOG.debug("{} has lease {}/{}", settings.identity(), settings.namespace(), settings.name());
        // What it then lists contains the last writes of whoever led before.
        beginning = timer.after(wait, () -> observer.leading(from.durableVersion()));
    }

    private void lose(String why) {
        if (!leading) {
            return;
        }
        leading = false;
        // What it believes of the cluster may be wrong from now on: it must not lead once more on that.
        stopped = true;
        term = Optional.empty();
        next.cancel();
        surrender.cancel();
        beginning.cancel();
        LOG.warn("{} leads no longer: {}", settings.identity(), why);
        observer.lost(why);
    }
}
