package dev.berth.kubernetes.election;

import dev.berth.kubernetes.time.ManualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** One who stands for election on a machine of its own, and keeps a diary. */
final class Candidate implements ElectionObserver {
    final Machine machine;
    final FakeLeases.Way way;
    final LeaseElection election;
    final List<String> diary = new ArrayList<>();
    final List<String> log = new ArrayList<>();
    /** What it knows of the process that it waits for. */
    String standing = "";

    Optional<String> durable = Optional.empty();
    /** Whether it leaves a free Lease to another. */
    boolean defers;

    Candidate(String name, FakeLeases leases, ManualTime world) {
        this.machine = new Machine(world);
        this.way = leases.way(machine);
        this.election = new LeaseElection(
                ElectionSettings.of("kube-system", "berth", name, Duration.ofSeconds(5)),
                way,
                new LeaseElection.Time(machine, machine.clocks(), new LeaseTrouble.Lines(log::add, log::add)),
                () -> durable,
                this);
    }

    void start() {
        election.start();
    }

    /** Whether its process has ended: nobody stands again who lost. */
    boolean lost() {
        return diary.stream().anyMatch(entry -> entry.startsWith("lost: "));
    }

    /** Whether it would write something now. One that sleeps does nothing. */
    boolean leads() {
        return !machine.asleep() && election.covers(Duration.ofMillis(1));
    }

    @Override
    public void leading(Optional<String> durableVersion) {
        diary.add("leading after " + durableVersion.orElse("nothing"));
    }

    @Override
    public void lost(String why) {
        diary.add("lost: " + why);
    }

    @Override
    public void standsBy(String holder, boolean renews, Optional<Instant> renewed) {
        standing = renews ? holder + " leads" : "%s renewed last at %s".formatted(holder, renewed.orElseThrow());
    }

    @Override
    public void leaseFails(String problem, String why) {
        standing = problem + ": " + why;
    }

    @Override
    public void leaseWorks() {
        standing = "not known yet who leads";
    }

    @Override
    public boolean defers(String before) {
        return defers;
    }

    @Override
    public void otherLeads(String identity) {
        diary.add("other: " + identity);
    }
}
