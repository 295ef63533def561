package dev.berth.kubernetes.leaderelection;

import dev.berth.kubernetes.time.ManualTimer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A candidate on a machine of its own that records its history. */
final class SimulatedCandidate implements LeaderCallbacks {
    final SimulatedMachine machine;
    final FakeLeaseServer.Connection connection;
    final LeaderElector election;
    final List<String> callbackLog = new ArrayList<>();
    final List<String> log = new ArrayList<>();
    /** What it knows of the process that it waits for. */
    String reportedStandby = "";

    Optional<String> resumeVersion = Optional.empty();
    /** Whether it leaves a free Lease to another. */
    boolean yields;

    SimulatedCandidate(String name, FakeLeaseServer leases, ManualTimer world) {
        this.machine = new SimulatedMachine(world);
        this.connection = leases.connect(machine);
        this.election = new LeaderElector(
                LeaderElectionSettings.of("kube-system", "berth", name, Duration.ofSeconds(5)),
                connection,
                new LeaderElector.ElectorTimeSources(
                        machine, machine.clocks(), new LeaseErrorLog.LogSink(log::add, log::add)),
                () -> resumeVersion,
                this);
    }

    void start() {
        election.start();
    }

    /** Whether its process has ended: a candidate that lost leadership does not try again. */
    boolean lost() {
        return callbackLog.stream().anyMatch(entry -> entry.startsWith("lost: "));
    }

    /** Whether it would write something now. One that sleeps does nothing. */
    boolean leads() {
        return !machine.isAsleep() && election.holdsLeaseFor(Duration.ofMillis(1));
    }

    @Override
    public void onStartedLeading(Optional<String> resumeVersion) {
        callbackLog.add("leading after " + resumeVersion.orElse("nothing"));
    }

    @Override
    public void onStoppedLeading(String reason) {
        callbackLog.add("lost: " + reason);
    }

    @Override
    public void onStandby(String holder, boolean isRenewing, Optional<Instant> renewTime) {
        reportedStandby =
                isRenewing ? holder + " leads" : "%s renewed last at %s".formatted(holder, renewTime.orElseThrow());
    }

    @Override
    public void onLeaseError(String problem, String reason) {
        reportedStandby = problem + ": " + reason;
    }

    @Override
    public void onLeaseRecovered() {
        reportedStandby = "not known yet who leads";
    }

    @Override
    public boolean shouldYield(String before) {
        return yields;
    }

    @Override
    public void onNewLeader(String identity) {
        callbackLog.add("other: " + identity);
    }
}
