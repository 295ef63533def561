package dev.berth.kubernetes.election;

import dev.berth.kubernetes.api.ApiClient;
import dev.berth.kubernetes.election.LeaseStore.Reply;
import dev.berth.kubernetes.election.MemberStore.Listed;
import dev.berth.kubernetes.time.Clocks;
import dev.berth.kubernetes.time.Clocks.Moment;
import dev.berth.kubernetes.time.Timer;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps this Berth's own Lease among those of all Berths of the cluster, and knows the others. A Lease without a holder
 * does not count. A Lease with one counts until it has not changed for its duration, counted by this process's ticker from
 * when a change was seen. One that this process has not seen to change is judged by its renewTime, which members write by
 * the API server's clock: a Berth that restarts must not count from its own start. The leader removes Leases that no longer
 * count.
 *
 * <p>A Berth that contradicts a member does not join. The member may be dead although its Lease still counts: so the
 * Berth waits until the Lease is renewed, and is rejected, or ends, and joins. Two that join at the same moment do not
 * see each other before: then the one with the higher slot leaves.
 *
 * <p>Single-threaded: everything happens on the timer's thread.
 */
public final class Members {
    private static final Logger LOG = LoggerFactory.getLogger(Members.class);

    /** Two members may differ by so much in what they take for the API server's time. */
    private static final Duration CLOCK_MARGIN = Duration.ofSeconds(5);

    private final MemberSettings settings;
    private final List<String> slots;
    private final String content;
    private final MemberStore store;
    private final Timer timer;
    private final Clocks clocks;
    private final Supplier<Optional<Instant>> serverTime;
    private final MemberObserver observer;
    private final Map<String, Sight> sights = new HashMap<>();
    private Optional<Lease> own = Optional.empty();
    private Optional<Moment> renewed = Optional.empty();
    private Optional<Moment> listed = Optional.empty();
    /** When this Berth last took the lead. */
    private Optional<Moment> tookLead = Optional.empty();

    private List<Member> told = List.of();
    /** Why this Berth cannot join, as the observer was told. */
    private String obstacle = "";

    private final LeaseTrouble listing;
    private final LeaseTrouble writing;
    private CompletableFuture<Void> nextLook = new CompletableFuture<>();
    private boolean asking;
    private boolean stopped;
    private Runnable afterAnswer = () -> {};
    private volatile boolean leading;
    private Timer.Task next = Timer.Task.NONE;

    /**
     * A Lease as this process saw it.
     *
     * @param changed when it was first seen, or last seen to change
     * @param alive whether it changed while this process looked without a break
     */
    private record Sight(Lease lease, Moment changed, boolean alive) {
        private Sight again(Lease now, Moment at, boolean watched) {
            boolean same = now.mark().equals(lease.mark());
            return new Sight(now, same ? changed : at, watched && (alive || !same));
        }

        private boolean ended() {
            return lease.holder().isEmpty();
        }
    }

    /**
     * What tells the time.
     *
     * @param server the API server's clock; empty while it is not known
     * @param log where failures are told
     */
    record Time(Timer timer, Clocks clocks, Supplier<Optional<Instant>> server, LeaseTrouble.Lines log) {}

    Members(MemberSettings settings, String content, MemberStore store, Time time, MemberObserver observer) {
        this.settings = settings;
        this.slots = settings.slots();
        this.content = content;
        this.store = store;
        this.timer = time.timer();
        this.clocks = time.clocks();
        this.serverTime = time.server();
        this.listing = new LeaseTrouble(time.log());
        this.writing = new LeaseTrouble(time.log());
        this.observer = observer;
    }

    /**
     * The members at the API server.
     *
     * @param serverTime the API server's clock; empty while it is not known
     */
    public static Members at(
            ApiClient client,
            MemberSettings settings,
            String content,
            Clocks clocks,
            Supplier<Optional<Instant>> serverTime,
            MemberObserver observer) {
        return new Members(
                settings,
                content,
                new ApiMemberStore(client, settings),
                new Time(Timer.on(client.callThread()), clocks, serverTime, LeaseTrouble.Lines.of(LOG)),
                observer);
    }

    public void start() {
        timer.after(Duration.ZERO, this::look);
    }

    /**
     * This Berth leads: from now on it looks more often, and removes the Leases that no longer count. Members have to
     * prove that they are alive once more: the leader before may have died with others. On the timer's thread.
     *
     * @return ends when the members were listed once more, or could not be, and the observer was told
     */
    public CompletionStage<Void> tookLead() {
        leading = true;
        tookLead = Optional.of(clocks.now());
        CompletableFuture<Void> looked = new CompletableFuture<>();
        nextLook = looked;
        look();
        return looked;
    }

    /** This Berth leads no longer. From any thread. */
    public void gaveUpLead() {
        leading = false;
    }

    /** Ends the membership: the names of this Berth are not served any more, unless by another member. */
    public CompletionStage<Void> stop() {
        CompletableFuture<Void> done = new CompletableFuture<>();
        timer.after(Duration.ZERO, () -> {
            stopped = true;
            next.cancel();
            if (asking) {
                // A write under way may make a Lease ours, or change ours once more.
                afterAnswer = () -> end(done);
            } else {
                end(done);
            }
        });
        return done;
    }

    private void end(CompletableFuture<Void> done) {
        if (own.isEmpty()) {
            done.complete(null);
            return;
        }
        store.update(renewal(own.get(), clocks.now()).ended()).thenAccept(reply -> done.complete(null));
    }

    private void look() {
        if (stopped) {
            return;
        }
        next.cancel();
        next = timer.after(leading || own.isEmpty() ? settings.lookPeriod() : settings.renewPeriod(), this::look);
        if (!asking) {
            asking = true;
            store.list().thenAccept(found -> {
                answered();
                if (!stopped) {
                    seen(found);
                    nextLook.complete(null);
                }
            });
        }
    }

    private void seen(Listed answer) {
        if (answer instanceof Listed.Failed failed) {
            inTrouble(
                    listing,
                    "the members' leases in namespace %s cannot be listed: %s"
                            .formatted(settings.namespace(), failed.why()));
            return;
        }
        listing.isOver("the members' leases in namespace %s can be listed again".formatted(settings.namespace()));
        Moment now = clocks.now();
        remember(((Listed.Found) answer).leases(), now);
        // Also one whose creation was answered by an error, or by nothing.
        own = bySlot().map(Sight::lease)
                .filter(lease -> lease.holder().equals(settings.identity()))
                .findFirst();
        if (!contradicted(now)) {
            if (own.isEmpty()) {
                join(now);
            } else {
                obstacle = "";
                renew(now);
                tell(now);
                removeExpired(now);
            }
        }
    }

    private void remember(List<Lease> leases, Moment now) {
        Set<String> names = leases.stream().map(Lease::name).collect(Collectors.toSet());
        sights.keySet().retainAll(names);
        // A change that is seen after a break may be as old as the break.
        Duration pause = settings.renewPeriod().multipliedBy(2);
        boolean watched =
                listed.filter(at -> now.atMostSince(at).compareTo(pause) <= 0).isPresent();
        listed = Optional.of(now);
        for (Lease lease : leases) {
            if (slots.contains(lease.name())) {
                Sight before = sights.get(lease.name());
                sights.put(
                        lease.name(),
                        before == null ? new Sight(lease, now, watched) : before.again(lease, now, watched));
            }
        }
    }

    /** Says whether to wait, or to leave: a running member contradicts this one. */
    private boolean contradicted(Moment now) {
        for (Sight sight : counting(now)) {
            Member other = member(sight);
            Optional<String> why =
                    other.identity().equals(settings.identity()) ? Optional.empty() : observer.contradiction(other);
            if (why.isEmpty() || own.filter(lease -> slot(lease) < other.slot()).isPresent()) {
                continue;
            }
            if (sight.alive()) {
                leave(why.get());
                return true;
            }
            if (own.isEmpty()) {
                cannotJoin("%s. Berth waits until the lease of %s shows whether it still runs, until %s at the latest"
                        .formatted(why.get(), other, end(sight)));
                return true;
            }
        }
        return false;
    }

    private void leave(String why) {
        stopped = true;
        next.cancel();
        own.ifPresent(store::delete);
        own = Optional.empty();
        observer.rejected(why);
    }

    private void join(Moment now) {
        Optional<Lease> place = freeLease(now);
        if (place.isEmpty()) {
            cannotJoin("all %d leases of members are taken (%s/%s to %s). End a Berth"
                    .formatted(slots.size(), settings.namespace(), slots.get(0), slots.get(slots.size() - 1)));
            return;
        }
        Lease ours = renewal(place.get(), now);
        CompletionStage<Reply> written = ours.version().isEmpty() ? store.create(ours) : store.update(ours);
        asking = true;
        written.thenAccept(reply -> {
            own(reply, now);
            answered();
            if (own.isPresent()) {
                look();
            }
        });
    }

    /** That of a member that ended first, then a new one, then one that no longer counts: its holder may come back. */
    private Optional<Lease> freeLease(Moment now) {
        Optional<Lease> ended = bySlot().filter(Sight::ended).map(Sight::lease).findFirst();
        Optional<Lease> fresh = slots.stream()
                .filter(slot -> !sights.containsKey(slot))
                .findFirst()
                .map(slot -> Lease.fresh(settings.namespace(), slot));
        Optional<Lease> expired =
                bySlot().filter(sight -> !counts(sight, now)).map(Sight::lease).findFirst();
        return ended.or(() -> fresh).or(() -> expired);
    }

    private void renew(Moment now) {
        if (renewed.filter(at -> now.since(at).compareTo(settings.renewPeriod()) < 0)
                .isEmpty()) {
            asking = true;
            store.update(renewal(own.orElseThrow(), now)).thenAccept(reply -> {
                own(reply, now);
                answered();
            });
        }
    }

    private void answered() {
        asking = false;
        if (stopped) {
            afterAnswer.run();
        }
    }

    /** Other members compare the time of a renewal with the API server's clock. */
    private Lease renewal(Lease lease, Moment now) {
        return lease.member(settings, content, serverTime.get().orElse(now.day()));
    }

    private void own(Reply reply, Moment sent) {
        if (reply instanceof Reply.Found found) {
            own = Optional.of(found.lease());
            renewed = Optional.of(sent);
            sights.put(found.lease().name(), new Sight(found.lease(), clocks.now(), true));
            writing.isOver("its member lease in namespace %s can be written again".formatted(settings.namespace()));
        } else if (reply instanceof Reply.Failed failed) {
            inTrouble(
                    writing,
                    "its member lease in namespace %s cannot be written: %s"
                            .formatted(settings.namespace(), failed.why()));
        }
        // Another Berth was faster, or removed it: the next list shows it.
    }

    private void tell(Moment now) {
        List<Member> members = counting(now).stream().map(this::member).toList();
        if (!members.equals(told)) {
            told = members;
            observer.members(members);
        }
    }

    private void removeExpired(Moment now) {
        if (leading) {
            bySlot().filter(sight -> !counts(sight, now)).map(Sight::lease).forEach(lease -> {
                LOG.info("removing the Lease {}: the Berth that held it has ended", lease.name());
                store.delete(lease);
            });
        }
    }

    private List<Sight> counting(Moment now) {
        return bySlot().filter(sight -> counts(sight, now)).collect(Collectors.toCollection(ArrayList::new));
    }

    private boolean counts(Sight sight, Moment now) {
        Lease lease = sight.lease();
        return !sight.ended()
                && now.since(sight.changed()).compareTo(lease.duration()) < 0
                && (sight.alive() || !over(lease));
    }

    /** When it stops to count, unless its holder renews it. */
    private Instant end(Sight sight) {
        Duration lasts = sight.lease().duration();
        Instant bySight = sight.changed().day().plus(lasts);
        return sight.lease()
                .renewed()
                .map(renewed -> renewed.plus(lasts).plus(CLOCK_MARGIN))
                .filter(bySight::isAfter)
                .orElse(bySight)
                .truncatedTo(ChronoUnit.SECONDS);
    }

    /** By the API server's clock. A renewal in the future proves nothing: the next one shows whether the member runs. */
    private boolean over(Lease lease) {
        Optional<Duration> age =
                serverTime.get().flatMap(now -> lease.renewed().map(renewed -> Duration.between(renewed, now)));
        return age.filter(it -> it.compareTo(lease.duration().plus(CLOCK_MARGIN)) > 0
                        || it.plus(CLOCK_MARGIN).isNegative())
                .isPresent();
    }

    private boolean alive(Sight sight) {
        return sight.alive()
                && tookLead.filter(at -> sight.changed().since(at).isNegative()).isEmpty();
    }

    private Stream<Sight> bySlot() {
        return slots.stream().filter(sights::containsKey).map(sights::get);
    }

    private Member member(Sight sight) {
        Lease lease = sight.lease();
        return new Member(lease.name(), slot(lease), lease.holder(), lease.memberContent(), alive(sight));
    }

    private int slot(Lease lease) {
        return slots.indexOf(lease.name());
    }

    private void inTrouble(LeaseTrouble trouble, String why) {
        if (own.isEmpty()) {
            cannotJoin(why);
        } else {
            trouble.is(why);
        }
    }

    /** Said once, until something else is the matter. */
    private void cannotJoin(String why) {
        if (!why.equals(obstacle)) {
            obstacle = why;
            observer.cannotJoin(why);
        }
    }
}
