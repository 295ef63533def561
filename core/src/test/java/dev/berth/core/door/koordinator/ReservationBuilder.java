package dev.berth.core.door.koordinator;

import dev.berth.core.cluster.LabelSelector;
import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodSpec;
import dev.berth.core.cluster.Taint;
import dev.berth.core.cluster.Toleration;
import dev.berth.core.door.koordinator.preallocation.PreAllocation;
import dev.berth.core.hold.Owner;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.testing.Amounts;
import dev.berth.core.testing.PodBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/** Reservations for the pods labelled {@code app=web}, unless said otherwise; the UID is the name. */
public final class ReservationBuilder {
    private final String name;
    private PodBuilder template;
    private String unsupported = "";
    private final List<Owner> owners = new ArrayList<>();
    private final List<Taint> taints = new ArrayList<>();
    private final List<TimedToleration> timedTolerations = new ArrayList<>();
    private Labels labels = Labels.NONE;
    private boolean allocateOnce = true;
    private ReservationAllocation allocation = ReservationAllocation.ALIGNED;
    private boolean unschedulable;
    private boolean terminating;
    private String schedulerName = KoordinatorScene.SCHEDULER;
    private Instant created = Instant.EPOCH;
    private int priority = Integer.MAX_VALUE;
    private boolean mayPreempt = true;
    private String problem = "";
    private boolean templateReadable;
    private boolean sizeKnown = true;
    private Optional<Instant> end = Optional.empty();
    private Optional<PreAllocation> preAllocation = Optional.empty();
    private FieldWarnings fieldWarnings = FieldWarnings.NONE;
    private ReservationStatus status = ReservationStatus.ABSENT;

    private ReservationBuilder(String name) {
        this.name = name;
        this.template = PodBuilder.aPod(name);
    }

    public static ReservationBuilder aReservation(String name) {
        return new ReservationBuilder(name);
    }

    public ReservationBuilder requesting(String... amounts) {
        template = template.asking(amounts);
        return this;
    }

    /** A label of the template, or of the Reservation, which overlays it. */
    public ReservationBuilder withTemplateLabel(String key, String value) {
        template = template.labelled(key, value);
        return this;
    }

    public ReservationBuilder requestingHostPort(int port) {
        template = template.withHostPort(port);
        return this;
    }

    public ReservationBuilder onNode(String node) {
        template = template.on(node);
        return this;
    }

    /** The template mounts a claim of its namespace. */
    public ReservationBuilder mounting(String claim) {
        template = template.mounting(claim);
        return this;
    }

    /** The template has an ephemeral volume of this storage class. */
    public ReservationBuilder mountingEphemeralOfClass(String storageClass) {
        template = template.mountingEphemeralOfClass(storageClass);
        return this;
    }

    /** More of the template's specification. */
    public ReservationBuilder withTemplate(UnaryOperator<PodSpec.Builder> more) {
        template = template.withSpec(more);
        return this;
    }

    /** The template gets the toleration, with {@code tolerationSeconds}. */
    public ReservationBuilder toleratingFor(Toleration toleration, Duration time) {
        timedTolerations.add(new TimedToleration(toleration, time));
        List<Toleration> all =
                timedTolerations.stream().map(TimedToleration::toleration).toList();
        return withTemplate(spec -> spec.tolerations(all));
    }

    public ReservationBuilder forOwner(Owner owner) {
        owners.add(owner);
        return this;
    }

    public ReservationBuilder allocateOnce() {
        allocateOnce = true;
        return this;
    }

    public ReservationBuilder shared() {
        allocateOnce = false;
        return this;
    }

    public ReservationBuilder restricted() {
        allocation = new ReservationAllocation(true, Set.of(), allocation.innerReserved());
        return this;
    }

    /** Restricted, with the annotation that restricts only some resources. */
    public ReservationBuilder restrictedTo(String... resources) {
        allocation = new ReservationAllocation(
                true,
                Arrays.stream(resources).map(ResourceName::new).collect(Collectors.toSet()),
                allocation.innerReserved());
        return this;
    }

    /** Part of the reservation that no owner may use. */
    public ReservationBuilder keepingFromOwners(String... amounts) {
        allocation = new ReservationAllocation(
                allocation.restricted(), allocation.restrictedResources(), Amounts.amounts(amounts));
        return this;
    }

    public ReservationBuilder ofPriority(int value) {
        priority = value;
        return this;
    }

    /** Its template has the preemptionPolicy Never. */
    public ReservationBuilder neverPreempting() {
        mayPreempt = false;
        return this;
    }

    public ReservationBuilder tainted(String key, String value) {
        taints.add(new Taint(key, value, Taint.TaintEffect.NO_SCHEDULE));
        return this;
    }

    /** A label of the Reservation itself. */
    public ReservationBuilder labelled(String key, String value) {
        labels = labels.with(key, value);
        return this;
    }

    public ReservationBuilder unschedulable(boolean value) {
        unschedulable = value;
        return this;
    }

    public ReservationBuilder terminating() {
        terminating = true;
        return this;
    }

    public ReservationBuilder scheduledBy(String scheduler) {
        schedulerName = scheduler;
        return this;
    }

    public ReservationBuilder createdAt(Instant instant) {
        created = instant;
        return this;
    }

    public ReservationBuilder until(Instant instant) {
        end = Optional.of(instant);
        return this;
    }

    public ReservationBuilder preAllocating(PreAllocation.Mode mode, boolean multiple) {
        preAllocation = Optional.of(new PreAllocation(mode, multiple, false));
        return this;
    }

    /** It takes over at least one running pod. */
    public ReservationBuilder requiringPreAllocation() {
        preAllocation = preAllocation.map(it -> new PreAllocation(it.mode(), it.multiple(), true));
        return this;
    }

    public ReservationBuilder malformed(String why) {
        problem = why;
        return this;
    }

    /** The template makes sense, and the rest does not. */
    public ReservationBuilder malformedExceptTemplate(String why) {
        templateReadable = true;
        return malformed(why);
    }

    /** The annotation that requests another size is malformed. */
    public ReservationBuilder malformedResizeAnnotation(String why) {
        sizeKnown = false;
        return malformedExceptTemplate(why);
    }

    /** The first ones by their paths. */
    public ReservationBuilder withUnknownFields(int count, String... first) {
        fieldWarnings = new FieldWarnings(new UnknownFields(List.of(first), count), fieldWarnings.others());
        return this;
    }

    public ReservationBuilder withWarning(String reason, String message) {
        List<FieldWarnings.FieldWarning> all = new ArrayList<>(fieldWarnings.others());
        all.add(new FieldWarnings.FieldWarning(reason, message));
        fieldWarnings = new FieldWarnings(fieldWarnings.unknownFields(), all);
        return this;
    }

    /** It asks for something that Berth does not support. */
    public ReservationBuilder unsupported(String message) {
        unsupported = message;
        return this;
    }

    public ReservationBuilder withStatus(ReservationStatus value) {
        status = value;
        return this;
    }

    public Reservation build(String version) {
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
                fieldWarnings,
                unsupported,
                status,
                "");
    }

    private ReservationSpec spec() {
        Pod pod = template.build();
        LabelSelector web = LabelSelector.of(Labels.of("app", "web"));
        List<Owner> usual = List.of(Owner.ofLabels(web));
        return new ReservationSpec(
                new ReservationSpec.Template(
                        pod.namespace(),
                        pod.labels(),
                        pod.spec(),
                        pod.nodeName(),
                        schedulerName,
                        priority,
                        mayPreempt,
                        timedTolerations,
                        pod.volumes(),
                        sizeKnown),
                owners.isEmpty() ? usual : owners,
                allocateOnce,
                allocation,
                end,
                unschedulable,
                taints,
                labels,
                preAllocation);
    }
}
