package dev.berth.core.testing;

import dev.berth.core.cluster.ControllerRef;
import dev.berth.core.cluster.HostPort;
import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodPhase;
import dev.berth.core.cluster.PodSpec;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.cluster.PodVolumes;
import dev.berth.core.cluster.ReservationConstraints;
import dev.berth.core.door.godel.GodelAnnotations;
import dev.berth.core.hold.Claim;
import dev.berth.core.resource.Resources;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * Builds a pod: {@code aPod("web-0").asking("3 cpu").ownedBy("ReplicaSet/web").on("n1").build()}. By default its UID is
 * its name, and its namespace is {@code default} unless the name contains one.
 */
public final class PodBuilder {
    private final String namespace;
    private final String name;
    private String uid;
    private Resources requests = Resources.NONE;
    private Optional<Resources> scoring = Optional.empty();
    private final List<HostPort> ports = new ArrayList<>();
    private final List<PodVolumes.PersistentVolumeClaimRef> claims = new ArrayList<>();
    private final List<PodVolumes.Disk> disks = new ArrayList<>();
    private final List<String> templateClasses = new ArrayList<>();
    private UnaryOperator<PodSpec.Builder> spec = UnaryOperator.identity();
    private UnaryOperator<Pod.Builder> rest = UnaryOperator.identity();
    private Labels labels = Labels.NONE;
    private Labels annotations = Labels.NONE;

    private PodBuilder(String namespace, String name) {
        this.namespace = namespace;
        this.name = name;
        this.uid = name;
    }

    public static PodBuilder aPod(String name) {
        int slash = name.indexOf('/');
        return slash < 0
                ? new PodBuilder("default", name)
                : new PodBuilder(name.substring(0, slash), name.substring(slash + 1));
    }

    public PodBuilder uid(String value) {
        uid = value;
        return this;
    }

    /** Its requests, such as {@code "500m cpu"}. By default scores count the same. */
    public PodBuilder asking(String... amounts) {
        return asking(Amounts.amounts(amounts));
    }

    public PodBuilder asking(Resources amounts) {
        requests = amounts;
        return this;
    }

    public PodBuilder scoredAs(String... amounts) {
        scoring = Optional.of(Amounts.amounts(amounts));
        return this;
    }

    /** A port of the node by TCP on every address. */
    public PodBuilder withHostPort(int port) {
        ports.add(new HostPort("TCP", HostPort.ANY_ADDRESS, port));
        return this;
    }

    public PodBuilder labelled(String key, String value) {
        labels = labels.with(key, value);
        return this;
    }

    public PodBuilder annotated(String key, String value) {
        annotations = annotations.with(key, value);
        return this;
    }

    /** With the record of a claim, as a binding by Berth leaves it. */
    public PodBuilder using(String hold) {
        return annotated(Claim.ANNOTATION, hold);
    }

    /** A controller of {@code apps/v1} such as {@code ReplicaSet/web}; its UID is its name. */
    public PodBuilder ownedBy(String kindAndName) {
        int slash = kindAndName.indexOf('/');
        String owner = kindAndName.substring(slash + 1);
        ControllerRef ref = new ControllerRef("apps/v1", kindAndName.substring(0, slash), owner, owner);
        return with(pod -> pod.controller(Optional.of(ref)));
    }

    /** The controller of this UID, by its kind and name. */
    public PodBuilder ownedBy(String kindAndName, String controllerUid) {
        String[] parts = kindAndName.split("/", 2);
        ControllerRef ref = new ControllerRef("apps/v1", parts[0], parts[1], controllerUid);
        return with(pod -> pod.controller(Optional.of(ref)));
    }

    public PodBuilder on(String node) {
        return with(pod -> pod.nodeName(Optional.of(node)));
    }

    public PodBuilder terminating() {
        return with(pod -> pod.terminating(true));
    }

    public PodBuilder in(PodPhase phase) {
        return with(pod -> pod.phase(phase));
    }

    public PodBuilder ofPriority(int priority) {
        return with(pod -> pod.priority(priority));
    }

    /** A claim of its namespace. */
    public PodBuilder mounting(String claim) {
        claims.add(new PodVolumes.PersistentVolumeClaimRef(claim, false));
        return this;
    }

    /** A claim that is made for this pod alone, for the volume of this name. */
    public PodBuilder mountingEphemeral(String volume) {
        claims.add(new PodVolumes.PersistentVolumeClaimRef(name + "-" + volume, true));
        return this;
    }

    /** An ephemeral volume of this storage class in a pod template, for which there is no claim. */
    public PodBuilder mountingEphemeralOfClass(String storageClass) {
        templateClasses.add(storageClass);
        return this;
    }

    public PodBuilder mounting(PodVolumes.Disk disk) {
        disks.add(disk);
        return this;
    }

    /** With the label by which a pod ignores Reservations. */
    public PodBuilder ignoringReservations() {
        return labelled(ReservationConstraints.IGNORED_LABEL, "true");
    }

    /** Anything else about its shape. */
    public PodBuilder withSpec(UnaryOperator<PodSpec.Builder> more) {
        UnaryOperator<PodSpec.Builder> before = spec;
        spec = builder -> more.apply(before.apply(builder));
        return this;
    }

    /** Anything else about it. */
    public PodBuilder with(UnaryOperator<Pod.Builder> more) {
        UnaryOperator<Pod.Builder> before = rest;
        rest = builder -> more.apply(before.apply(builder));
        return this;
    }

    public Pod build() {
        PodSpec.Builder shapeBuilder = PodSpec.builder()
                .requests(requests)
                .scoringRequests(scoring.orElse(requests))
                .hostPorts(ports);
        PodSpec shape = spec.apply(shapeBuilder).build();
        Pod.Builder pod = Pod.builder(new PodUid(uid), namespace, name)
                .spec(shape.toBuilder()
                        .reservations(shape.reservations().withLabels(labels))
                        .build())
                .labels(labels)
                .annotations(annotations)
                .returnKey(GodelAnnotations.returnKeyIn(annotations))
                .volumes(new PodVolumes(claims, disks, templateClasses));
        return rest.apply(pod).build();
    }
}
