package dev.berth.app.config;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.core.placement.profile.Profile;
import dev.berth.core.placement.profile.Profiles;
import dev.berth.kubernetes.schedulerconfig.SchedulerConfiguration;
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
 * What a Berth is configured to serve, as the Berths of a cluster tell it to each other.
 *
 * @param profiles how pods are placed, by the names of the schedulers that it serves
 * @param doors the doors that are open
 * @param returnTtl how long the place of a deleted pod is kept by default
 * @param reserveApi how long the Reserve API keeps a place; empty where this Berth does not listen for it
 * @param extender whether it listens for a kube-scheduler that asks it as its extender
 */
public record Served(
        Profiles profiles, Set<DoorName> doors, Duration returnTtl, Optional<Duration> reserveApi, boolean extender) {
    private static final ObjectMapper JSON = new ObjectMapper();

    /** All annotations of an object together may have 256 KiB. */
    private static final int LONGEST = 200_000;

    public Served {
        Set<DoorName> ordered = EnumSet.noneOf(DoorName.class);
        ordered.addAll(doors);
        doors = Collections.unmodifiableSet(ordered);
    }

    public static Served by(Config config) {
        DoorSettings doors = config.doors();
        return new Served(
                config.profiles(),
                doors.open(),
                doors.returnTtl(),
                Optional.of(doors.reserveApi())
                        .filter(ReserveApiSettings::enabled)
                        .map(ReserveApiSettings::holdFor),
                doors.extender().enabled());
    }

    /**
     * The same in the words of the member's Lease.
     *
     * @throws IllegalArgumentException for profiles that are too long
     */
    public static String write(Config config) {
        Served served = by(config);
        ObjectNode written = JSON.createObjectNode();
        ArrayNode names = written.putArray("schedulerNames");
        ArrayNode profiles = written.putArray("profiles");
        served.profiles.byName().forEach((name, profile) -> {
            if (profile.equals(Profile.DEFAULT)) {
                names.add(name);
            } else {
                ObjectNode said = JSON.valueToTree(config.profileSources().getOrDefault(name, Map.of()));
                profiles.add(said.put("schedulerName", name));
            }
        });
        ArrayNode doors = written.putArray("doors");
        served.doors.forEach(door -> doors.add(door.toString()));
        written.put("returnTtl", GoDuration.format(served.returnTtl));
        served.reserveApi.ifPresent(holdFor -> written.put("reserveHoldFor", GoDuration.format(holdFor)));
        written.put("extender", served.extender);
        String text = written.toString();
        if (text.length() > LONGEST) {
            throw new IllegalArgumentException(
                    "profiles take %d characters, and a Lease has room for %d: leave some out"
                            .formatted(text.length(), LONGEST));
        }
        return text;
    }

    /**
     * Reads what a member says.
     *
     * @throws IllegalArgumentException for what makes no sense, or comes from another version of Berth
     */
    public static Served read(String text) {
        try {
            JsonNode written = JSON.readTree(text);
            Map<String, Profile> profiles = new TreeMap<>(SchedulerConfiguration.profiles(
                            JSON.convertValue(written.path("profiles"), Object.class),
                            Config.DEFAULT_NAME,
                            new ArrayList<>())
                    .byName());
            written.path("schedulerNames").forEach(name -> profiles.put(name.asText(), Profile.DEFAULT));
            Set<DoorName> doors = EnumSet.noneOf(DoorName.class);
            written.path("doors").forEach(door -> doors.add(DoorName.named(door.asText())));
            return new Served(
                    new Profiles(profiles, Profile.DEFAULT),
                    doors,
                    GoDuration.parse(written.path("returnTtl").asText()),
                    Optional.of(written.path("reserveHoldFor"))
                            .filter(JsonNode::isTextual)
                            .map(holdFor -> GoDuration.parse(holdFor.asText())),
                    written.path("extender").asBoolean());
        } catch (JsonProcessingException malformed) {
            throw new IllegalArgumentException("is not JSON: %s".formatted(malformed.getOriginalMessage()), malformed);
        }
    }

    /** In words what contradicts the other: no Berth could serve both. */
    public Optional<String> contradiction(Served other) {
        for (Map.Entry<String, Profile> mine : profiles.byName().entrySet()) {
            Profile theirs = other.profiles.byName().get(mine.getKey());
            if (theirs != null && !theirs.equals(mine.getValue())) {
                return Optional.of("the profile of scheduler (%s) differs, and a scheduler has one profile"
                        .formatted(mine.getKey()));
            }
        }
        if (doors.contains(DoorName.RETURN)
                && other.doors.contains(DoorName.RETURN)
                && !returnTtl.equals(other.returnTtl)) {
            return Optional.of("return.ttl is %s in this Berth and %s in the other"
                    .formatted(GoDuration.format(returnTtl), GoDuration.format(other.returnTtl)));
        }
        return reserveApi
                .flatMap(mine -> other.reserveApi.filter(theirs -> !theirs.equals(mine)))
                .map(theirs -> "reserveApi.holdFor is %s in this Berth and %s in the other"
                        .formatted(GoDuration.format(reserveApi.get()), GoDuration.format(theirs)));
    }

    /** Both together, where they do not contradict each other. */
    public Served with(Served other) {
        Map<String, Profile> all = new TreeMap<>(other.profiles.byName());
        all.putAll(profiles.byName());
        Set<DoorName> both = EnumSet.noneOf(DoorName.class);
        both.addAll(doors);
        both.addAll(other.doors);
        return new Served(
                new Profiles(all, profiles.others()),
                both,
                doors.contains(DoorName.RETURN) ? returnTtl : other.returnTtl,
                reserveApi.or(other::reserveApi),
                extender || other.extender);
    }

    /** Whether the other listens for all that this Berth listens for, and for more: then it is the better leader. */
    public boolean listensForLessThan(Served other) {
        boolean all = (reserveApi.isEmpty() || other.reserveApi.isPresent()) && (!extender || other.extender);
        boolean same = reserveApi.isPresent() == other.reserveApi.isPresent() && extender == other.extender;
        return all && !same;
    }

    /** The settings of a leader that serves this; where it listens stays its own affair. */
    public Config settingsOf(Config leader) {
        DoorSettings doorSettings = leader.doors();
        ReserveApiSettings reserve = doorSettings.reserveApi();
        ReserveApiSettings held = new ReserveApiSettings(
                reserve.enabled(),
                reserve.address(),
                reserve.port(),
                reserve.elseAnyFree(),
                Objects.requireNonNull(reserveApi.orElse(reserve.holdFor())));
        return leader.withProfiles(profiles)
                .withDoors(new DoorSettings(
                        doors, returnTtl, held, doorSettings.extender(), doorSettings.requestMemory()));
    }
}
