package dev.berth.kubernetes.schedulerconfig;

import dev.berth.core.door.koordinator.settings.ReservationSettings;
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
 * The supported content of a KubeSchedulerConfiguration. Unsupported values are rejected with their path, the value and
 * the expected form.
 *
 * @param readPodBackoff the initial and the maximum back-off of a pod
 * @param readReservationArgs the arguments of Koordinator's plugin Reservation; empty if the file has none
 * @param warnings values that are accepted without effect, with the reason
 */
public record KubeSchedulerConfiguration(
        Profiles readProfiles,
        LeaderElectionConfiguration readLeaderElection,
        PodBackoff readPodBackoff,
        Optional<ReservationSettings> readReservationArgs,
        List<String> warnings) {
    public static final String VERSION = "kubescheduler.config.k8s.io/v1";
    public static final String KIND = "KubeSchedulerConfiguration";

    private static final String DEFAULT_SCHEDULER_NAME = "default-scheduler";
    private static final String PROTOBUF = "Berth uses protobuf if the API server supports it";
    private static final String NO_LIMIT = "Berth does not limit its request rate";
    private static final String JAVA = "Berth runs on Java, which has its own profilers";
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

    /** The leader election settings; empty if the file has none. */
    public record LeaderElectionConfiguration(
            Optional<Boolean> enabled,
            Optional<String> namespace,
            Optional<String> name,
            Optional<Duration> leaseDuration,
            Optional<Duration> renewDeadline,
            Optional<Duration> retryPeriod) {}

    /** Whole seconds. */
    public record PodBackoff(Duration initial, Duration max) {}

    public KubeSchedulerConfiguration {
        warnings = List.copyOf(warnings);
    }

    /** The supported keys at the top of the file. */
    static Set<String> keys() {
        return KEYS;
    }

    /**
     * Reads the file as parsed YAML.
     *
     * @throws IllegalArgumentException for malformed or unsupported values, with their path
     */
    public static KubeSchedulerConfiguration read(Map<?, ?> file) {
        ConfigNode root = ConfigNode.of("", file);
        requireVersion(root);
        root.allowKeys(KEYS);
        List<String> warnings = new ArrayList<>();
        LeaderElectionConfiguration leaderElectionConfiguration = readLeaderElection(root.get("leaderElection"));
        warnIgnored(root, warnings);
        if (!root.get("extenders").items().isEmpty()) {
            throw root.get("extenders").invalid("is not supported: Berth calls no extenders. Remove it");
        }
        Profiles profiles = readProfiles(root.get("profiles"), DEFAULT_SCHEDULER_NAME, warnings);
        return new KubeSchedulerConfiguration(
                profiles.schedulerNames().isEmpty()
                        ? Profiles.forSchedulers(Set.of(DEFAULT_SCHEDULER_NAME), Profile.DEFAULT)
                        : profiles,
                leaderElectionConfiguration,
                readPodBackoff(root),
                ReservationArgsReader.readFromProfiles(root.get("profiles"), warnings),
                warnings);
    }

    /**
     * Reads a list of profiles that is part of another file; an empty list has none.
     *
     * @param defaultSchedulerName the scheduler name of a single profile without a name
     */
    public static Profiles readProfiles(@Nullable Object list, String defaultSchedulerName, List<String> warnings) {
        return readProfiles(ConfigNode.of("profiles", list), defaultSchedulerName, warnings);
    }

    /** The arguments of the plugin Reservation in a list of profiles that is part of another file. */
    public static Optional<ReservationSettings> readReservationArgs(@Nullable Object list, List<String> warnings) {
        return ReservationArgsReader.readFromProfiles(ConfigNode.of("profiles", list), warnings);
    }

    private static Profiles readProfiles(ConfigNode list, String defaultSchedulerName, List<String> warnings) {
        Map<String, Profile> profiles = new TreeMap<>();
        List<ConfigNode> items = list.items();
        for (ConfigNode item : items) {
            ConfigNode name = item.get("schedulerName");
            String given = name.isPresent() || items.size() > 1 ? name.requiredText() : defaultSchedulerName;
            if (profiles.put(given, new ProfileReader(warnings).read(item)) != null) {
                throw name.invalid("is the name of two profiles: each name must be unique");
            }
        }
        return new Profiles(profiles, Profile.DEFAULT);
    }

    private static void requireVersion(ConfigNode root) {
        requireText(root.get("apiVersion"), VERSION);
        requireText(root.get("kind"), KIND);
    }

    private static void requireText(ConfigNode given, String expected) {
        if (!given.text().equals(Optional.of(expected))) {
            throw given.invalid("must be %s".formatted(expected));
        }
    }

    private static LeaderElectionConfiguration readLeaderElection(ConfigNode section) {
        section.allowKeys(Set.of(
                "leaderElect",
                "leaseDuration",
                "renewDeadline",
                "retryPeriod",
                "resourceLock",
                "resourceName",
                "resourceNamespace"));
        ConfigNode lock = section.get("resourceLock");
        if (lock.nonEmptyText().isPresent()) {
            lock.oneOf(List.of("leases"));
        }
        return new LeaderElectionConfiguration(
                section.get("leaderElect").flag(),
                section.get("resourceNamespace").nonEmptyText(),
                section.get("resourceName").nonEmptyText(),
                nonZeroDuration(section.get("leaseDuration")),
                nonZeroDuration(section.get("renewDeadline")),
                nonZeroDuration(section.get("retryPeriod")));
    }

    /** Without any time the default is used, as in kube-scheduler. */
    private static Optional<Duration> nonZeroDuration(ConfigNode duration) {
        return duration.duration().filter(time -> !time.isZero());
    }

    private static PodBackoff readPodBackoff(ConfigNode root) {
        ConfigNode maxSetting = root.get("podMaxBackoffSeconds");
        int first = root.get("podInitialBackoffSeconds")
                .number(1, Integer.MAX_VALUE)
                .orElse(1);
        int maxSeconds = maxSetting.number(1, Integer.MAX_VALUE).orElse(10);
        if (maxSeconds < first) {
            throw maxSetting.isPresent()
                    ? maxSetting.invalid("must not be less than podInitialBackoffSeconds (%d)".formatted(first))
                    : root.get("podInitialBackoffSeconds")
                            .invalid("must not be more than podMaxBackoffSeconds (%d)".formatted(maxSeconds));
        }
        return new PodBackoff(Duration.ofSeconds(first), Duration.ofSeconds(maxSeconds));
    }

    private static void warnIgnored(ConfigNode root, List<String> warnings) {
        ConfigNode client = root.get("clientConnection")
                .allowKeys(Set.of("kubeconfig", "acceptContentTypes", "contentType", "qps", "burst"));
        warnIgnoredPercentage(root.get("percentageOfNodesToScore"), warnings);
        warnIfSet(client.get("kubeconfig"), ConfigNode::nonEmptyText, "use --kubeconfig", warnings);
        warnIfSet(client.get("acceptContentTypes"), ConfigNode::nonEmptyText, PROTOBUF, warnings);
        warnIfSet(client.get("contentType"), ConfigNode::nonEmptyText, PROTOBUF, warnings);
        warnIfSet(client.get("qps"), ConfigNode::decimal, NO_LIMIT, warnings);
        warnIfSet(client.get("burst"), burst -> burst.number(0, Integer.MAX_VALUE), NO_LIMIT, warnings);
        warnIfSet(
                root.get("parallelism"),
                count -> count.number(1, Integer.MAX_VALUE),
                "Berth schedules on one thread",
                warnings);
        warnIfSet(root.get("enableProfiling"), ConfigNode::flag, JAVA, warnings);
        warnIfSet(root.get("enableContentionProfiling"), ConfigNode::flag, JAVA, warnings);
        warnIfSet(
                root.get("delayCacheUntilActive"),
                ConfigNode::flag,
                "a standby never reads the cluster before it leads",
                warnings);
    }

    static void warnIgnoredPercentage(ConfigNode percentage, List<String> warnings) {
        warnIfSet(
                percentage, all -> all.number(0, 100).filter(part -> part < 100), "Berth looks at all nodes", warnings);
    }

    /** Adds a warning for a valid value without effect; an invalid value is rejected. */
    static void warnIfSet(
            ConfigNode configNode, Function<ConfigNode, Optional<?>> read, String reason, List<String> warnings) {
        if (read.apply(configNode).isPresent()) {
            warnings.add("%s has no effect: %s".formatted(configNode.path(), reason));
        }
    }
}
