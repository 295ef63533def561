package dev.berth.kubernetes.schedulerconfig;

import dev.berth.core.placement.score.ScoreWeights;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The enabled plugins of each extension point, combined as in kube-scheduler: settings of a point take precedence over
 * settings for all points, and those over the default.
 */
final class PluginSets {
    private static final String ALL_PLUGINS = "*";

    /** The settings of one point, or of all points: the weights of enabled plugins, and the paths of disabled ones. */
    private record PluginSet(
            Map<KubeSchedulerPlugin, Integer> enabled,
            Map<KubeSchedulerPlugin, ConfigNode> disabled,
            Optional<ConfigNode> allDisabled) {
        Optional<ConfigNode> disabledBy(KubeSchedulerPlugin plugin) {
            return Optional.ofNullable(disabled.get(plugin)).or(() -> allDisabled);
        }
    }

    private final Map<ExtensionPoint, PluginSet> setsByPoint = new EnumMap<>(ExtensionPoint.class);
    private final PluginSet multiPoint;
    private final Map<KubeSchedulerPlugin, Integer> multiPointWeights = new EnumMap<>(KubeSchedulerPlugin.class);
    private final List<String> warnings;

    /** @param warnings receives settings that are accepted without effect */
    PluginSets(ConfigNode plugins, List<String> warnings) {
        this.warnings = warnings;
        Set<String> keys = new HashSet<>(ExtensionPoint.keys());
        keys.add(ExtensionPoint.MULTI_POINT);
        plugins.allowKeys(keys);
        this.multiPoint = readPluginSet(plugins.get(ExtensionPoint.MULTI_POINT), Optional.empty());
        for (ExtensionPoint point : ExtensionPoint.values()) {
            setsByPoint.put(point, readPluginSet(plugins.get(point.key), Optional.of(point)));
        }
        for (KubeSchedulerPlugin plugin : KubeSchedulerPlugin.enabledByDefault()) {
            if (multiPoint.disabledBy(plugin).isEmpty()) {
                multiPointWeights.put(plugin, plugin.defaultWeight);
            }
        }
        multiPointWeights.putAll(multiPoint.enabled);
    }

    private PluginSet readPluginSet(ConfigNode set, Optional<ExtensionPoint> point) {
        set.allowKeys(Set.of("enabled", "disabled"));
        Map<KubeSchedulerPlugin, Integer> enabled = new LinkedHashMap<>();
        for (ConfigNode item : set.get("enabled").items()) {
            if (isDoorPlugin(item)) {
                continue;
            }
            KubeSchedulerPlugin plugin = readEnabledPlugin(item, point);
            if (enabled.put(plugin, readWeight(item, plugin, point)) != null) {
                throw item.get("name").invalid("is enabled twice. Remove one");
            }
        }
        Map<KubeSchedulerPlugin, ConfigNode> disabled = new EnumMap<>(KubeSchedulerPlugin.class);
        Optional<ConfigNode> all = Optional.empty();
        for (ConfigNode item : set.get("disabled").items()) {
            ConfigNode name = item.allowKeys(Set.of("name", "weight")).get("name");
            if (name.requiredText().equals(ALL_PLUGINS)) {
                all = Optional.of(name);
            } else if (!isDoorPlugin(item)) {
                disabled.put(KubeSchedulerPlugin.find(name), name);
            }
        }
        return new PluginSet(enabled, disabled, all);
    }

    /** Koordinator's plugin is a door of Berth: profiles do not control it. */
    private boolean isDoorPlugin(ConfigNode item) {
        ConfigNode name = item.allowKeys(Set.of("name", "weight")).get("name");
        if (!ReservationArgsReader.isReservation(name)) {
            return false;
        }
        warnings.add("%s (%s) has no effect: the door koordinator serves Reservations for all profiles"
                .formatted(name.path(), ReservationArgsReader.PLUGIN));
        return true;
    }

    private KubeSchedulerPlugin readEnabledPlugin(ConfigNode item, Optional<ExtensionPoint> point) {
        ConfigNode name = item.allowKeys(Set.of("name", "weight")).get("name");
        KubeSchedulerPlugin plugin = KubeSchedulerPlugin.find(name);
        if (!plugin.pluginSupport.supported()) {
            throw name.invalid("is not supported: %s. Remove it".formatted(plugin.pluginSupport.reason()));
        }
        if (point.filter(it -> !plugin.extendsPoint(it)).isPresent()) {
            throw name.invalid("does not implement the extension point %s. Remove it".formatted(point.get().key));
        }
        if (plugin.hasNoEffect()) {
            warnings.add("%s (%s) has no effect: %s"
                    .formatted(name.path(), plugin.pluginName, plugin.pluginSupport.reason()));
        }
        return plugin;
    }

    /** A missing or zero weight counts as one, even if the default weight is larger. */
    private int readWeight(ConfigNode item, KubeSchedulerPlugin plugin, Optional<ExtensionPoint> point) {
        ConfigNode weight = item.get("weight");
        int pluginSet = weight.number(0, ScoreWeights.MAX_WEIGHT).orElse(0);
        if (weight.isPresent()
                && (point.filter(it -> it != ExtensionPoint.SCORE).isPresent()
                        || !plugin.extendsPoint(ExtensionPoint.SCORE))) {
            warnings.add("%s (%d) has no effect: the plugin has no score at this extension point"
                    .formatted(weight.path(), pluginSet));
        }
        return Math.max(1, pluginSet);
    }

    /** The weight of a plugin that is enabled there; empty if it is disabled. */
    Optional<Integer> weightAt(ExtensionPoint point, KubeSchedulerPlugin plugin) {
        PluginSet pluginSet = setsByPoint.getOrDefault(point, multiPoint);
        if (pluginSet.enabled.containsKey(plugin)) {
            return Optional.of(pluginSet.enabled.get(plugin));
        }
        return multiPointWeights.containsKey(plugin)
                        && plugin.extendsPoint(point)
                        && pluginSet.disabledBy(plugin).isEmpty()
                ? Optional.of(multiPointWeights.get(plugin))
                : Optional.empty();
    }

    boolean isEnabled(ExtensionPoint point, KubeSchedulerPlugin plugin) {
        return weightAt(point, plugin).isPresent();
    }

    /**
     * Rejects plugins that cannot be disabled, or only together with others, and warns about settings without effect.
     */
    void validate() {
        for (KubeSchedulerPlugin plugin : KubeSchedulerPlugin.enabledByDefault()) {
            for (ExtensionPoint point : plugin.pluginSupport.mandatoryAt()) {
                if (!isEnabled(point, plugin)) {
                    throw disabledError(
                            point,
                            plugin,
                            "cannot be disabled at %s: %s".formatted(point.key, plugin.pluginSupport.reason()));
                }
            }
            requireTogether(plugin, ExtensionPoint.PRE_FILTER, ExtensionPoint.FILTER);
            requireTogether(plugin, ExtensionPoint.PRE_SCORE, ExtensionPoint.SCORE);
            if (plugin.hasNoEffect() && !isEnabled(ExtensionPoint.FILTER, plugin)) {
                warnings.add(
                        "disabling %s has no effect: %s".formatted(plugin.pluginName, plugin.pluginSupport.reason()));
            }
        }
        if (!isEnabled(ExtensionPoint.FILTER, KubeSchedulerPlugin.NODE_AFFINITY)
                && isEnabled(ExtensionPoint.PRE_FILTER, KubeSchedulerPlugin.NODE_AFFINITY)) {
            throw disabledError(
                    ExtensionPoint.FILTER,
                    KubeSchedulerPlugin.NODE_AFFINITY,
                    "cannot be disabled at filter alone: disable it at preFilter, too");
        }
    }

    private void requireTogether(KubeSchedulerPlugin plugin, ExtensionPoint before, ExtensionPoint after) {
        if (plugin.extendsPoint(before) && isEnabled(after, plugin) && !isEnabled(before, plugin)) {
            throw disabledError(
                    before,
                    plugin,
                    "cannot be disabled at %s alone: disable it at %s, too".formatted(before.key, after.key));
        }
    }

    private IllegalArgumentException disabledError(ExtensionPoint point, KubeSchedulerPlugin plugin, String advice) {
        return setsByPoint
                .getOrDefault(point, multiPoint)
                .disabledBy(plugin)
                .or(() -> multiPoint.disabledBy(plugin))
                .map(configNode -> configNode.invalid("disables %s, which %s".formatted(plugin.pluginName, advice)))
                .orElseGet(() -> new IllegalArgumentException("%s %s".formatted(plugin.pluginName, advice)));
    }
}
