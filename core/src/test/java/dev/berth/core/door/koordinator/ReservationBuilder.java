package dev.berth.core.door.koordinator;

import dev.berth.core.cluster.LabelSelector;
import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodSpec;
import dev.berth.core.cluster.Taint;
import dev.berth.core.hold.Owner;
import dev.berth.core.testing.PodBuilder;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** Reservations for the pods labelled {@code app=web}, unless said otherwise; the UID is the name. */
final class ReservationBuilder {
    private final String name;
    private PodBuilder template;
    private final List<Owner> owners = new ArrayList<>();
    private final List<Taint> taints = new ArrayList<>();
    private boolean allocateOnce = true;
    private boolean restricted;
    private boolean unschedulable;
    private boolean terminating;
    private String schedulerName = KoordinatorScene.SCHEDULER;
    private Instant created = Instant.EPOCH;
    private String problem = "";
    private boolean templateReadable;
    private Optional<Instant> end = Optional.empty();
    private UnknownFields unknownFields = UnknownFields.NONE;
    private ReservationStatus status = ReservationStatus.ABSENT;

    private ReservationBuilder(String name) {
        this.name = name;
        this.template = PodBuilder.aPod(name);
    }

    static ReservationBuilder aReservation(String name) {
        return new ReservationBuilder(name);
    }

    ReservationBuilder requesting(String... amounts) {
        template = template.asking(amounts);
        return this;
    }

    ReservationBuilder requestingHostPort(int port) {
        template = template.withHostPort(port);
        return this;
    }

    ReservationBuilder onNode(String node) {
        template = template.on(node);
        return this;
    }

    /** More of the template's specification. */
    ReservationBuilder withTemplate(UnaryOperator<PodSpec.Builder> more) {
        template = template.withSpec(more);
        return this;
    }

    ReservationBuilder forOwner(Owner owner) {
        owners.add(owner);
        return this;
    }

    ReservationBuilder allocateOnce() {
        allocateOnce = true;
        return this;
    }

    ReservationBuilder shared() {
        allocateOnce = false;
        return this;
    }

    ReservationBuilder restricted() {
        restricted = true;
        return this;
    }

    ReservationBuilder tainted(String key, String value) {
        taints.add(new Taint(key, value, Taint.TaintEffect.NO_SCHEDULE));
        return this;
    }

    ReservationBuilder unschedulable(boolean value) {
        unschedulable = value;
        return this;
    }

    ReservationBuilder terminating() {
        terminating = true;
        return this;
    }

    ReservationBuilder scheduledBy(String scheduler) {
        schedulerName = scheduler;
        return this;
    }

    ReservationBuilder createdAt(Instant instant) {
        created = instant;
        return this;
    }

    ReservationBuilder until(Instant instant) {
        end = Optional.of(instant);
        return this;
    }

    ReservationBuilder malformed(String why) {
        problem = why;
        return this;
    }

    /** The template makes sense, and the rest does not. */
    ReservationBuilder malformedExceptTemplate(String why) {
        templateReadable = true;
        return malformed(why);
    }

    /** The first ones by their paths. */
    ReservationBuilder withUnknownFields(int count, String... first) {
        unknownFields = new UnknownFields(List.of(first), count);
        return this;
    }

    ReservationBuilder withStatus(ReservationStatus value) {
        status = value;
        return this;
    }

    Reservation build(String version) {
        return new Reservation(
                name,
                name,
                version,
                created,
                terminating,
                schedulerName,
                problem.isEmpty() ? Optional.of(spec()) : Optional.empty(),
                problem,
                problem.isEmpty() || templateReadable ? Optional.of(spec().template()) : Optional.empty(),
                unknownFields,
                status);
    }

    private ReservationSpec spec() {
        Pod pod = template.build();
        LabelSelector web = LabelSelector.of(Labels.of("app", "web"));
        List<Owner> usual = List.of(Owner.ofLabels(web));
        return new ReservationSpec(
                new ReservationSpec.Template(
                        "default", Labels.NONE, pod.spec(), pod.nodeName(), schedulerName, Integer.MAX_VALUE),
                owners.isEmpty() ? usual : owners,
                allocateOnce,
                restricted,
                end,
                unschedulable,
                taints);
    }
}
