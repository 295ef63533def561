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
 * Which plugins are in force at which extension point, as kube-scheduler puts it together: what is said at a point counts
 * before what is said for all points, and that before the default.
 */
final class PluginSets {
    private static final String ALL_PLUGINS = "*";

    /** What is said at one point, or for all of them: the weights of what is enabled, and where others are disabled. */
    private record PluginSet(
            Map<Plugin, Integer> enabled, Map<Plugin, ConfigNode> disabled, Optional<ConfigNode> allDisabled) {
        Optional<ConfigNode> disabledBy(Plugin plugin) {
            return Optional.ofNullable(disabled.get(plugin)).or(() -> allDisabled);
        }
    }

    private final Map<ExtensionPoint, PluginSet> setsByPoint = new EnumMap<>(ExtensionPoint.class);
    private final PluginSet multiPoint;
    private final Map<Plugin, Integer> multiPointWeights = new EnumMap<>(Plugin.class);
    private final List<String> warnings;

    /** @param warnings what was accepted without effect, for people to read */
    PluginSets(ConfigNode plugins, List<String> warnings) {
        this.warnings = warnings;
        Set<String> keys = new HashSet<>(ExtensionPoint.keys());
        keys.add(ExtensionPoint.MULTI_POINT);
        plugins.allowKeys(keys);
        this.multiPoint = readPluginSet(plugins.get(ExtensionPoint.MULTI_POINT), Optional.empty());
        for (ExtensionPoint point : ExtensionPoint.values()) {
            setsByPoint.put(point, readPluginSet(plugins.get(point.key), Optional.of(point)));
        }
        for (Plugin plugin : Plugin.enabledByDefault()) {
            if (multiPoint.disabledBy(plugin).isEmpty()) {
                multiPointWeights.put(plugin, plugin.defaultWeight);
            }
        }
        multiPointWeights.putAll(multiPoint.enabled);
    }

    private PluginSet readPluginSet(ConfigNode set, Optional<ExtensionPoint> point) {
        set.allowKeys(Set.of("enabled", "disabled"));
        Map<Plugin, Integer> enabled = new LinkedHashMap<>();
        for (ConfigNode item : set.get("enabled").items()) {
            Plugin plugin = readEnabledPlugin(item, point);
            if (enabled.put(plugin, readWeight(item, plugin, point)) != null) {
                throw item.get("name").invalid("is enabled twice: leave out one");
            }
        }
        Map<Plugin, ConfigNode> disabled = new EnumMap<>(Plugin.class);
        Optional<ConfigNode> all = Optional.empty();
        for (ConfigNode item : set.get("disabled").items()) {
            ConfigNode name = item.allowKeys(Set.of("name", "weight")).get("name");
            if (name.requiredText().equals(ALL_PLUGINS)) {
                all = Optional.of(name);
            } else {
                disabled.put(Plugin.find(name), name);
            }
        }
        return new PluginSet(enabled, disabled, all);
    }

    private Plugin readEnabledPlugin(ConfigNode item, Optional<ExtensionPoint> point) {
        ConfigNode name = item.allowKeys(Set.of("name", "weight")).get("name");
        Plugin plugin = Plugin.find(name);
        if (!plugin.pluginSupport.supported()) {
            throw name.invalid("is not supported: %s. Leave it out".formatted(plugin.pluginSupport.reason()));
        }
        if (point.filter(it -> !plugin.extendsPoint(it)).isPresent()) {
            throw name.invalid("has nothing to do at %s: leave it out".formatted(point.get().key));
        }
        if (plugin.hasNoEffect()) {
            warnings.add("%s (%s) has no effect: %s"
                    .formatted(name.path(), plugin.pluginName, plugin.pluginSupport.reason()));
        }
        return plugin;
    }

    /** A weight that is not said or zero counts as one, whatever it is by default. */
    private int readWeight(ConfigNode item, Plugin plugin, Optional<ExtensionPoint> point) {
        ConfigNode weight = item.get("weight");
        int pluginSet = weight.number(0, ScoreWeights.MAX_WEIGHT).orElse(0);
        if (weight.isPresent()
                && (point.filter(it -> it != ExtensionPoint.SCORE).isPresent()
                        || !plugin.extendsPoint(ExtensionPoint.SCORE))) {
            warnings.add("%s (%d) has no effect: nothing is scored there".formatted(weight.path(), pluginSet));
        }
        return Math.max(1, pluginSet);
    }

    /** The weight with which a plugin is in force there; empty where it is not. */
    Optional<Integer> weightAt(ExtensionPoint point, Plugin plugin) {
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

    boolean isEnabled(ExtensionPoint point, Plugin plugin) {
        return weightAt(point, plugin).isPresent();
    }

    /** Complains about what cannot be left out, or not one without the other, and tells what is left out in vain. */
    void validate() {
        for (Plugin plugin : Plugin.enabledByDefault()) {
            for (ExtensionPoint point : plugin.pluginSupport.mandatoryAt()) {
                if (!isEnabled(point, plugin)) {
                    throw disabledError(
                            point,
                            plugin,
                            "cannot be left out at %s: %s".formatted(point.key, plugin.pluginSupport.reason()));
                }
            }
            requireTogether(plugin, ExtensionPoint.PRE_FILTER, ExtensionPoint.FILTER);
            requireTogether(plugin, ExtensionPoint.PRE_SCORE, ExtensionPoint.SCORE);
            if (plugin.hasNoEffect() && !isEnabled(ExtensionPoint.FILTER, plugin)) {
                warnings.add("%s is left out without effect: %s"
                        .formatted(plugin.pluginName, plugin.pluginSupport.reason()));
            }
        }
        if (!isEnabled(ExtensionPoint.FILTER, Plugin.NODE_AFFINITY)
                && isEnabled(ExtensionPoint.PRE_FILTER, Plugin.NODE_AFFINITY)) {
            throw disabledError(
                    ExtensionPoint.FILTER,
                    Plugin.NODE_AFFINITY,
                    "cannot be left out at filter alone: leave it out at preFilter too");
        }
    }

    private void requireTogether(Plugin plugin, ExtensionPoint before, ExtensionPoint after) {
        if (plugin.extendsPoint(before) && isEnabled(after, plugin) && !isEnabled(before, plugin)) {
            throw disabledError(
                    before,
                    plugin,
                    "cannot be left out at %s alone: leave it out at %s too".formatted(before.key, after.key));
        }
    }

    private IllegalArgumentException disabledError(ExtensionPoint point, Plugin plugin, String advice) {
        return setsByPoint
                .getOrDefault(point, multiPoint)
                .disabledBy(plugin)
                .or(() -> multiPoint.disabledBy(plugin))
                .map(configNode -> configNode.invalid("leaves out %s, which %s".formatted(plugin.pluginName, advice)))
                .orElseGet(() -> new IllegalArgumentException("%s %s".formatted(plugin.pluginName, advice)));
    }
}
