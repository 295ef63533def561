package dev.berth.kubernetes.election;

import dev.berth.kubernetes.time.ManualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletionStage;

/**
 * A Berth with a member Lease and a candidacy, on a machine of its own. Its content is {@code name=profile}: another
 * profile of the same name contradicts.
 */
final class Participant implements MemberObserver, ElectionObserver {
    final String identity;
    final String content;
    final Machine machine;
    final FakeMembers.Way way;
    final FakeLeases.Way leaseWay;
    final Members members;
    final LeaseElection election;
    final List<String> diary = new ArrayList<>();
    List<Member> known = List.of();
    boolean over;

    Participant(String identity, String content, FakeMembers server, FakeLeases leases, ManualTime world) {
        this.identity = identity;
        this.content = content;
        this.machine = new Machine(world);
        this.way = server.way(machine);
        ElectionSettings settings = ElectionSettings.of("kube-system", "berth", identity, Duration.ofSeconds(5));
        this.leaseWay = leases.named(settings.name()).way(machine);
        LeaseElection.Time time = new LeaseElection.Time(machine, machine.clocks());
        this.members = new Members(
                MemberSettings.of("kube-system", "berth", identity, Duration.ofSeconds(2)), content, way, time, this);
        this.election = new LeaseElection(settings, leaseWay, time, Optional::empty, this);
    }

    Participant start() {
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
        return new Stop(election.stop(), members.stop());
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
        if (known.isEmpty()) {
            election.start();
        }
        known = all;
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
        members.leads(true);
    }

    @Override
    public void lost(String why) {
        diary.add("lost");
        over = true;
        members.stop();
    }
}
