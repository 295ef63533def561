package dev.berth.kubernetes.schedulerconfig;

import dev.berth.core.placement.profile.Profile;
import dev.berth.core.placement.profile.Profiles;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What a KubeSchedulerConfiguration says, as far as Berth does it. What Berth cannot do is refused with its path, its value
 * and what would be right.
 *
 * @param backOff how long a pod waits after it was refused, at first and at the most
 * @param notes what was accepted and has no effect, with the reason
 */
public record SchedulerConfiguration(Profiles profiles, Election election, BackOff backOff, List<String> notes) {
    public static final String VERSION = "kubescheduler.config.k8s.io/v1";
    public static final String KIND = "KubeSchedulerConfiguration";

    private static final String DEFAULT_NAME = "default-scheduler";
    private static final String PROTOBUF = "Berth speaks protobuf where it can";
    private static final String NO_LIMIT = "Berth writes as fast as the API server answers";
    private static final String JAVA = "Java has its own means";
    private static final Set<String> KEYS = Set.of(
            "apiVersion",
            "kind",
            "parallelism",
            "leaderElection",
            "clientConnection",
            "enableProfiling",
            "enableContentionProfiling",
            "percentageOfNodesToScore",
            "podInitialBackoffSeconds",
            "podMaxBackoffSeconds",
            "profiles",
            "extenders",
            "delayCacheUntilActive");

    /** How replicas agree on a leader; empty where the file leaves it to whoever runs. */
    public record Election(
            Optional<Boolean> enabled,
            Optional<String> namespace,
            Optional<String> name,
            Optional<Duration> leaseDuration,
            Optional<Duration> renewDeadline,
            Optional<Duration> retryPeriod) {}

    /** Whole seconds. */
    public record BackOff(Duration first, Duration longest) {}

    public SchedulerConfiguration {
        notes = List.copyOf(notes);
    }

    /** All that the file may say at its top. */
    static Set<String> keys() {
        return KEYS;
    }

    /**
     * Reads the file, as any reader of YAML gives it.
     *
     * @throws IllegalArgumentException for what makes no sense or is not supported, with its path
     */
    public static SchedulerConfiguration read(Map<?, ?> file) {
        Setting root = Setting.of("", file);
        version(root);
        root.only(KEYS);
        List<String> notes = new ArrayList<>();
        Election election = election(root.at("leaderElection"));
        withoutEffect(root, notes);
        if (!root.at("extenders").items().isEmpty()) {
            throw root.at("extenders")
                    .wrong("is not supported: Berth asks no extenders. Leave it out; Berth can be one itself");
        }
        Profiles profiles = profiles(root.at("profiles"), DEFAULT_NAME, notes);
        return new SchedulerConfiguration(
                profiles.names().isEmpty() ? Profiles.same(Set.of(DEFAULT_NAME), Profile.DEFAULT) : profiles,
                election,
                backOff(root),
                notes);
    }

    /**
     * Reads a list of profiles that is part of another file; an empty list has none.
     *
     * @param lonelyName the scheduler's name of a profile that is the only one and says none
     */
    public static Profiles profiles(@Nullable Object list, String lonelyName, List<String> notes) {
        return profiles(Setting.of("profiles", list), lonelyName, notes);
    }

    private static Profiles profiles(Setting list, String lonelyName, List<String> notes) {
        Map<String, Profile> profiles = new TreeMap<>();
        List<Setting> items = list.items();
        for (Setting item : items) {
            Setting name = item.at("schedulerName");
            String said = name.isThere() || items.size() > 1 ? name.name() : lonelyName;
            if (profiles.put(said, new ProfileReader(notes).read(item)) != null) {
                throw name.wrong("is the name of another profile, too: name each once");
            }
        }
        return new Profiles(profiles, Profile.DEFAULT);
    }

    private static void version(Setting root) {
        must(root.at("apiVersion"), VERSION);
        must(root.at("kind"), KIND);
    }

    private static void must(Setting said, String be) {
        if (!said.text().equals(Optional.of(be))) {
            throw said.wrong("must be %s, the only one that Berth reads beside its own form".formatted(be));
        }
    }

    private static Election election(Setting section) {
        section.only(Set.of(
                "leaderElect",
                "leaseDuration",
                "renewDeadline",
                "retryPeriod",
                "resourceLock",
                "resourceName",
                "resourceNamespace"));
        Setting lock = section.at("resourceLock");
        if (lock.filledText().isPresent()) {
            lock.word(List.of("leases"));
        }
        return new Election(
                section.at("leaderElect").flag(),
                section.at("resourceNamespace").filledText(),
                section.at("resourceName").filledText(),
                lasting(section.at("leaseDuration")),
                lasting(section.at("renewDeadline")),
                lasting(section.at("retryPeriod")));
    }

    /** Whoever writes no time at all means the default, as for kube-scheduler. */
    private static Optional<Duration> lasting(Setting duration) {
        return duration.duration().filter(time -> !time.isZero());
    }

    private static BackOff backOff(Setting root) {
        Setting longest = root.at("podMaxBackoffSeconds");
        int first =
                root.at("podInitialBackoffSeconds").number(1, Integer.MAX_VALUE).orElse(1);
        int most = longest.number(1, Integer.MAX_VALUE).orElse(10);
        if (most < first) {
            throw longest.isThere()
                    ? longest.wrong("must not be less than podInitialBackoffSeconds (%d)".formatted(first))
                    : root.at("podInitialBackoffSeconds")
                            .wrong("must not be more than podMaxBackoffSeconds (%d)".formatted(most));
        }
        return new BackOff(Duration.ofSeconds(first), Duration.ofSeconds(most));
    }

    private static void withoutEffect(Setting root, List<String> notes) {
        Setting client = root.at("clientConnection")
                .only(Set.of("kubeconfig", "acceptContentTypes", "contentType", "qps", "burst"));
        allNodes(root.at("percentageOfNodesToScore"), notes);
        note(client.at("kubeconfig"), Setting::filledText, "say --kubeconfig", notes);
        note(client.at("acceptContentTypes"), Setting::filledText, PROTOBUF, notes);
        note(client.at("contentType"), Setting::filledText, PROTOBUF, notes);
        note(client.at("qps"), Setting::decimal, NO_LIMIT, notes);
        note(client.at("burst"), burst -> burst.number(0, Integer.MAX_VALUE), NO_LIMIT, notes);
        note(root.at("parallelism"), count -> count.number(1, Integer.MAX_VALUE), "Berth decides on one thread", notes);
        note(root.at("enableProfiling"), Setting::flag, JAVA, notes);
        note(root.at("enableContentionProfiling"), Setting::flag, JAVA, notes);
        note(root.at("delayCacheUntilActive"), Setting::flag, "a Berth that does not lead reads nothing anyway", notes);
    }

    static void allNodes(Setting percentage, List<String> notes) {
        note(percentage, all -> all.number(0, 100).filter(part -> part < 100), "Berth looks at all nodes", notes);
    }

    /** Says so of a value that is right but has no effect; a wrong one is refused like any other. */
    static void note(Setting setting, Function<Setting, Optional<?>> read, String why, List<String> notes) {
        if (read.apply(setting).isPresent()) {
            notes.add("%s has no effect: %s".formatted(setting.path(), why));
        }
    }
}
