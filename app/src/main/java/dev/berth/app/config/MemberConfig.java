package dev.berth.app.config;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.core.door.koordinator.settings.ReservationSettings;
import dev.berth.core.hold.Origin.DoorId;
import dev.berth.core.placement.profile.Profile;
import dev.berth.core.placement.profile.Profiles;
import dev.berth.kubernetes.schedulerconfig.KubeSchedulerConfiguration;
import dev.berth.kubernetes.time.GoDuration;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * The configuration of a Berth that the other Berths of a cluster read from its Lease.
 *
 * @param profiles the profiles by scheduler name
 * @param doors the enabled doors
 * @param reservations the settings of Koordinator reservations
 * @param godelReservationTtl the default TTL of Gödel reservations
 * @param globalReserveReservationTtl the hold time of the Reserve API; empty if this Berth does not listen for it
 * @param extender whether it listens as a scheduler extender
 * @param schedulerLeases the Leases of other schedulers
 */
public record MemberConfig(
        Profiles profiles,
        Set<DoorId> doors,
        ReservationSettings reservations,
        Duration godelReservationTtl,
        Optional<Duration> globalReserveReservationTtl,
        boolean extender,
        SchedulerLeases schedulerLeases) {
    private static final ObjectMapper JSON = new ObjectMapper();

    /** The limit for all annotations of an object is 256 KiB. */
    private static final int MAX_LENGTH = 200_000;

    public MemberConfig {
        Set<DoorId> ordered = EnumSet.noneOf(DoorId.class);
        ordered.addAll(doors);
        doors = Collections.unmodifiableSet(ordered);
    }

    public static MemberConfig from(Config config) {
        DoorSettings doors = config.doors();
        return new MemberConfig(
                config.profiles(),
                doors.enabled(),
                doors.reservations(),
                doors.godelReservationTtl(),
                Optional.of(doors.globalReserveApi())
                        .filter(GlobalReserveApiSettings::enabled)
                        .map(GlobalReserveApiSettings::reservationTtl),
                config.http().extender().enabled(),
                config.schedulerLeases());
    }

    /**
     * The text for the member's Lease.
     *
     * @throws IllegalArgumentException if the profiles are too long
     */
    public static String toJson(Config config) {
        MemberConfig memberConfig = from(config);
        ObjectNode written = JSON.createObjectNode();
        ArrayNode names = written.putArray("schedulerNames");
        ArrayNode profiles = written.putArray("profiles");
        memberConfig.profiles.byName().forEach((name, profile) -> {
            if (profile.equals(Profile.DEFAULT)) {
                names.add(name);
            } else {
                ObjectNode source = JSON.valueToTree(config.profileSources().getOrDefault(name, Map.of()));
                profiles.add(source.put("schedulerName", name));
            }
        });
        ArrayNode doors = written.putArray("doors");
        memberConfig.doors.forEach(door -> doors.add(door.toString()));
        written.set(KoordinatorSection.PATH, KoordinatorSection.toJson(memberConfig.reservations));
        written.put("godelReservationTTL", GoDuration.format(memberConfig.godelReservationTtl));
        memberConfig.globalReserveReservationTtl.ifPresent(
                reservationTtl -> written.put("globalreserveReservationTTL", GoDuration.format(reservationTtl)));
        written.put("extender", memberConfig.extender);
        written.set(SchedulerLeases.KEY, memberConfig.schedulerLeases.toJson());
        String text = written.toString();
        if (text.length() > MAX_LENGTH) {
            throw new IllegalArgumentException("profiles take %d characters; the maximum in a Lease is %d. Remove some"
                    .formatted(text.length(), MAX_LENGTH));
        }
        return text;
    }

    /**
     * Parses the text of a member.
     *
     * @throws IllegalArgumentException if it is malformed, or written by an incompatible version of Berth
     */
    public static MemberConfig parse(String text) {
        try {
            JsonNode written = JSON.readTree(text);
            Map<String, Profile> profiles = new TreeMap<>(KubeSchedulerConfiguration.readProfiles(
                            JSON.convertValue(written.path("profiles"), Object.class),
                            Config.DEFAULT_SCHEDULER_NAME,
                            new ArrayList<>())
                    .byName());
            written.path("schedulerNames").forEach(name -> profiles.put(name.asText(), Profile.DEFAULT));
            Set<DoorId> doors = EnumSet.noneOf(DoorId.class);
            written.path("doors").forEach(door -> doors.add(DoorId.parse(door.asText())));
            return new MemberConfig(
                    new Profiles(profiles, Profile.DEFAULT),
                    doors,
                    KoordinatorSection.read(
                            new ConfigSection(KoordinatorSection.PATH, written.path(KoordinatorSection.PATH)),
                            new ArrayList<>()),
                    GoDuration.parse(written.path("godelReservationTTL").asText()),
                    Optional.of(written.path("globalreserveReservationTTL"))
                            .filter(JsonNode::isTextual)
                            .map(reservationTtl -> GoDuration.parse(reservationTtl.asText())),
                    written.path("extender").asBoolean(),
                    SchedulerLeases.read(written.path(SchedulerLeases.KEY)));
        } catch (JsonProcessingException malformed) {
            throw new IllegalArgumentException("is not JSON: %s".formatted(malformed.getOriginalMessage()), malformed);
        }
    }

    /** The message about a conflict with the other configuration: no Berth could serve both. */
    public Optional<String> conflictWith(MemberConfig other) {
        for (Map.Entry<String, Profile> mine : profiles.byName().entrySet()) {
            Profile theirs = other.profiles.byName().get(mine.getKey());
            if (theirs != null && !theirs.equals(mine.getValue())) {
                return Optional.of(
                        "the profile of schedulerName (%s) differs. A schedulerName can have only one profile"
                                .formatted(mine.getKey()));
            }
        }
        if (doors.contains(DoorId.KOORDINATOR) && other.doors.contains(DoorId.KOORDINATOR)) {
            Optional<String> difference = KoordinatorSection.findDifference(reservations, other.reservations);
            if (difference.isPresent()) {
                return difference;
            }
        }
        if (doors.contains(DoorId.GODEL)
                && other.doors.contains(DoorId.GODEL)
                && !godelReservationTtl.equals(other.godelReservationTtl)) {
            return Optional.of("godel.reservationTTL is %s in this replica and %s in the other one"
                    .formatted(GoDuration.format(godelReservationTtl), GoDuration.format(other.godelReservationTtl)));
        }
        Optional<String> otherLease = schedulerLeases.findDifference(other.schedulerLeases);
        if (otherLease.isPresent()) {
            return otherLease;
        }
        return globalReserveReservationTtl
                .flatMap(mine -> other.globalReserveReservationTtl.filter(theirs -> !theirs.equals(mine)))
                .map(theirs -> "globalreserve.reservationTTL is %s in this replica and %s in the other one"
                        .formatted(GoDuration.format(globalReserveReservationTtl.get()), GoDuration.format(theirs)));
    }

    /** Both configurations combined, if they do not conflict. */
    public MemberConfig merge(MemberConfig other) {
        Map<String, Profile> all = new TreeMap<>(other.profiles.byName());
        all.putAll(profiles.byName());
        Set<DoorId> both = EnumSet.noneOf(DoorId.class);
        both.addAll(doors);
        both.addAll(other.doors);
        return new MemberConfig(
                new Profiles(all, profiles.fallback()),
                both,
                doors.contains(DoorId.KOORDINATOR) ? reservations : other.reservations,
                doors.contains(DoorId.GODEL) ? godelReservationTtl : other.godelReservationTtl,
                globalReserveReservationTtl.or(other::globalReserveReservationTtl),
                extender || other.extender,
                schedulerLeases);
    }

    /**
     * Whether the other listens for everything that this Berth listens for, and for more: then it is the better leader.
     */
    public boolean servesFewerApisThan(MemberConfig other) {
        boolean all = (globalReserveReservationTtl.isEmpty() || other.globalReserveReservationTtl.isPresent())
                && (!extender || other.extender);
        boolean same = globalReserveReservationTtl.isPresent() == other.globalReserveReservationTtl.isPresent()
                && extender == other.extender;
        return all && !same;
    }

    /** The settings of a leader that serves this; its own listener addresses stay. */
    public Config applyTo(Config leader) {
        GlobalReserveApiSettings reserve = leader.doors().globalReserveApi();
        GlobalReserveApiSettings reserveSettings = new GlobalReserveApiSettings(
                reserve.enabled(),
                reserve.address(),
                reserve.port(),
                reserve.fallbackToFreePort(),
                Objects.requireNonNull(globalReserveReservationTtl.orElse(reserve.reservationTtl())));
        return leader.withProfiles(profiles)
                .withSchedulerLeases(schedulerLeases)
                .withDoors(new DoorSettings(doors, reservations, godelReservationTtl, reserveSettings));
    }
}
