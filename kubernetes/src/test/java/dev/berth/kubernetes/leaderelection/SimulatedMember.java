package dev.berth.kubernetes.leaderelection;

import dev.berth.kubernetes.time.ManualTimer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletionStage;

/**
 * A Berth with a member Lease and a candidacy, on a machine of its own. Its content is {@code name=profile}: another
 * profile of the same name contradicts. One that ends in {@code +http} listens for HTTP callers: a Berth that does not
 * listen lets it lead.
 */
final class SimulatedMember implements MemberRegistryListener, LeaderCallbacks {
    private static final String HTTP = "+http";

    final String identity;
    final String content;
    final SimulatedMachine machine;
    final FakeMemberServer.Connection connection;
    final FakeLeaseServer.Connection leaseWay;
    final MemberRegistry memberRegistry;
    private final LeaderElectionSettings settings;
    private final LeaderElector.ElectorTimeSources electorTimeSources;
    private LeaderElector election;
    private boolean serving;
    final List<String> diary = new ArrayList<>();
    final List<String> log = new ArrayList<>();
    List<Member> known = List.of();
    boolean over;
    /** When its way to the members' Leases was last cut or opened, or its machine last slept or woke. */
    Instant disturbed;

    SimulatedMember(
            String identity, String configuration, FakeMemberServer server, FakeLeaseServer leases, ManualTimer world) {
        this.identity = identity;
        this.content = configuration;
        this.disturbed = world.instant();
        this.machine = new SimulatedMachine(world);
        this.connection = server.connect(machine);
        this.settings = LeaderElectionSettings.of("kube-system", "berth", identity, Duration.ofSeconds(5));
        this.leaseWay = leases.named(settings.name()).connect(machine);
        LeaseErrorLog.LogSink logSink = new LeaseErrorLog.LogSink(log::add, log::add);
        this.electorTimeSources = new LeaderElector.ElectorTimeSources(machine, machine.clocks(), logSink);
        this.memberRegistry = new MemberRegistry(
                MemberRegistrySettings.of("kube-system", "berth", identity, Duration.ofSeconds(2)),
                configuration,
                connection,
                new MemberRegistry.RegistryTimeSources(
                        machine, machine.clocks(), () -> Optional.of(world.instant()), logSink),
                this);
        this.election = newElector();
    }

    private LeaderElector newElector() {
        return new LeaderElector(settings, leaseWay, electorTimeSources, Optional::empty, this);
    }

    SimulatedMember start() {
        election.observe();
        memberRegistry.start();
        return this;
    }

    /** Whether it would write something now. */
    boolean leads() {
        return !over && !machine.isAsleep() && election.holdsLeaseFor(Duration.ofMillis(1));
    }

    boolean reachesTheServer() {
        return !machine.isAsleep() && !connection.isCut() && !leaseWay.isCut();
    }

    /** As kill -9 does. */
    void kill() {
        over = true;
        machine.sleep();
    }

    /** Both are done when its Leases were let go, or could not be. */
    record StopResult(CompletionStage<Void> lease, CompletionStage<Void> member) {}

    StopResult stopResult() {
        over = true;
        CompletionStage<Void> member = memberRegistry.stop();
        return new StopResult(election.stop(), member);
    }

    /** Whether it is among the members, and stands for election. */
    boolean joined() {
        return !known.isEmpty();
    }

    boolean rejected() {
        return diary.stream().anyMatch(entry -> entry.startsWith("rejected"));
    }

    /** What it serves while it leads: of members that contradict each other the first. */
    Set<String> serves() {
        Set<String> served = new TreeSet<>(Set.of(content));
        for (Member member : known) {
            if (served.stream().noneMatch(mine -> inConflict(mine, member.configuration()))) {
                served.add(member.configuration());
            }
        }
        return served;
    }

    static boolean inConflict(String one, String other) {
        return name(one).equals(name(other)) && !one.equals(other);
    }

    private static String name(String configuration) {
        return configuration.substring(0, configuration.indexOf('='));
    }

    @Override
    public Optional<String> findConflict(Member other) {
        return inConflict(content, other.configuration()) ? Optional.of("contradicts " + other) : Optional.empty();
    }

    @Override
    public void onMembersChanged(List<Member> all) {
        boolean first = known.isEmpty();
        known = all;
        if (first) {
            election.start();
        }
        startServing();
    }

    @Override
    public void onJoinBlocked(String reason) {
        diary.add("cannot join: " + reason);
    }

    @Override
    public void onRejected(String reason) {
        diary.add("rejected: " + reason);
        over = true;
        election.stop();
    }

    @Override
    public void onStartedLeading(Optional<String> resumeVersion) {
        diary.add("leads");
        memberRegistry.onStartedLeading().thenRun(() -> {
            serving = true;
            startServing();
        });
    }

    private void startServing() {
        Optional<Member> better = preferredMember("");
        if (serving && !over && better.isPresent()) {
            diary.add("lets %s lead".formatted(better.get()));
            serving = false;
            memberRegistry.onStoppedLeading();
            election.stop().thenRun(() -> {
                if (!over) {
                    election = newElector();
                    election.start();
                }
            });
        }
    }

    private Optional<Member> preferredMember(String before) {
        return known.stream()
                .filter(member -> member.alive() && !member.identity().equals(before))
                .filter(member -> member.configuration().endsWith(HTTP) && !content.endsWith(HTTP))
                .findFirst();
    }

    @Override
    public boolean shouldYield(String before) {
        return preferredMember(before).isPresent();
    }

    @Override
    public void onStoppedLeading(String reason) {
        diary.add("lost");
        over = true;
        memberRegistry.stop();
    }
}
