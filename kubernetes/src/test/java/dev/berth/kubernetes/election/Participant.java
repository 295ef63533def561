package dev.berth.kubernetes.election;

import dev.berth.kubernetes.time.ManualTime;
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
final class Participant implements MemberObserver, ElectionObserver {
    private static final String HTTP = "+http";

    final String identity;
    final String content;
    final Machine machine;
    final FakeMembers.Way way;
    final FakeLeases.Way leaseWay;
    final Members members;
    private final ElectionSettings settings;
    private final LeaseElection.Time time;
    private LeaseElection election;
    private boolean serving;
    final List<String> diary = new ArrayList<>();
    final List<String> log = new ArrayList<>();
    List<Member> known = List.of();
    boolean over;
    /** When its way to the members' Leases was last cut or opened, or its machine last slept or woke. */
    Instant disturbed;

    Participant(String identity, String content, FakeMembers server, FakeLeases leases, ManualTime world) {
        this.identity = identity;
        this.content = content;
        this.disturbed = world.instant();
        this.machine = new Machine(world);
        this.way = server.way(machine);
        this.settings = ElectionSettings.of("kube-system", "berth", identity, Duration.ofSeconds(5));
        this.leaseWay = leases.named(settings.name()).way(machine);
        LeaseTrouble.Lines lines = new LeaseTrouble.Lines(log::add, log::add);
        this.time = new LeaseElection.Time(machine, machine.clocks(), lines);
        this.members = new Members(
                MemberSettings.of("kube-system", "berth", identity, Duration.ofSeconds(2)),
                content,
                way,
                new Members.Time(machine, machine.clocks(), () -> Optional.of(world.instant()), lines),
                this);
        this.election = standing();
    }

    private LeaseElection standing() {
        return new LeaseElection(settings, leaseWay, time, Optional::empty, this);
    }

    Participant start() {
        election.watch();
        members.start();
        return this;
    }

    /** Whether it would write something now. */
    boolean leads() {
        return !over && !machine.asleep() && election.covers(Duration.ofMillis(1));
    }

    boolean reachesTheServer() {
        return !machine.asleep() && !way.isCut() && !leaseWay.isCut();
    }

    /** As kill -9 does. */
    void kill() {
        over = true;
        machine.sleep();
    }

    /** Both are done when its Leases were let go, or could not be. */
    record Stop(CompletionStage<Void> lease, CompletionStage<Void> member) {}

    Stop stop() {
        over = true;
        CompletionStage<Void> member = members.stop();
        return new Stop(election.stop(), member);
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
            if (served.stream().noneMatch(mine -> contradict(mine, member.content()))) {
                served.add(member.content());
            }
        }
        return served;
    }

    static boolean contradict(String one, String other) {
        return name(one).equals(name(other)) && !one.equals(other);
    }

    private static String name(String content) {
        return content.substring(0, content.indexOf('='));
    }

    @Override
    public Optional<String> contradiction(Member other) {
        return contradict(content, other.content()) ? Optional.of("contradicts " + other) : Optional.empty();
    }

    @Override
    public void members(List<Member> all) {
        boolean first = known.isEmpty();
        known = all;
        if (first) {
            election.start();
        }
        serve();
    }

    @Override
    public void cannotJoin(String why) {
        diary.add("cannot join: " + why);
    }

    @Override
    public void rejected(String why) {
        diary.add("rejected: " + why);
        over = true;
        election.stop();
    }

    @Override
    public void leading(Optional<String> durableVersion) {
        diary.add("leads");
        members.tookLead().thenRun(() -> {
            serving = true;
            serve();
        });
    }

    private void serve() {
        Optional<Member> better = better("");
        if (serving && !over && better.isPresent()) {
            diary.add("lets %s lead".formatted(better.get()));
            serving = false;
            members.gaveUpLead();
            election.stop().thenRun(() -> {
                if (!over) {
                    election = standing();
                    election.start();
                }
            });
        }
    }

    private Optional<Member> better(String before) {
        return known.stream()
                .filter(member -> member.alive() && !member.identity().equals(before))
                .filter(member -> member.content().endsWith(HTTP) && !content.endsWith(HTTP))
                .findFirst();
    }

    @Override
    public boolean defers(String before) {
        return better(before).isPresent();
    }

    @Override
    public void lost(String why) {
        diary.add("lost");
        over = true;
        members.stop();
    }
}
