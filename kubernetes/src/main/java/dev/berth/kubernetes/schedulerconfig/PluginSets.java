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
    private static final String EVERYTHING = "*";

    /** What is said at one point, or for all of them: the weights of what is enabled, and where others are disabled. */
    private record Said(Map<Plugin, Integer> enabled, Map<Plugin, Setting> disabled, Optional<Setting> allDisabled) {
        Optional<Setting> disabling(Plugin plugin) {
            return Optional.ofNullable(disabled.get(plugin)).or(() -> allDisabled);
        }
    }

    private final Map<Point, Said> points = new EnumMap<>(Point.class);
    private final Said multi;
    private final Map<Plugin, Integer> everywhere = new EnumMap<>(Plugin.class);
    private final List<String> notes;

    /** @param notes what was accepted without effect, for people to read */
    PluginSets(Setting plugins, List<String> notes) {
        this.notes = notes;
        Set<String> keys = new HashSet<>(Point.keys());
        keys.add(Point.MULTI);
        plugins.only(keys);
        this.multi = said(plugins.at(Point.MULTI), Optional.empty());
        for (Point point : Point.values()) {
            points.put(point, said(plugins.at(point.key), Optional.of(point)));
        }
        for (Plugin plugin : Plugin.byDefault()) {
            if (multi.disabling(plugin).isEmpty()) {
                everywhere.put(plugin, plugin.weight);
            }
        }
        everywhere.putAll(multi.enabled);
    }

    private Said said(Setting set, Optional<Point> point) {
        set.only(Set.of("enabled", "disabled"));
        Map<Plugin, Integer> enabled = new LinkedHashMap<>();
        for (Setting item : set.at("enabled").items()) {
            Plugin plugin = enabled(item, point);
            if (enabled.put(plugin, weight(item, plugin, point)) != null) {
                throw item.at("name").wrong("is enabled twice: leave out one");
            }
        }
        Map<Plugin, Setting> disabled = new EnumMap<>(Plugin.class);
        Optional<Setting> all = Optional.empty();
        for (Setting item : set.at("disabled").items()) {
            Setting name = item.only(Set.of("name", "weight")).at("name");
            if (name.name().equals(EVERYTHING)) {
                all = Optional.of(name);
            } else {
                disabled.put(Plugin.named(name), name);
            }
        }
        return new Said(enabled, disabled, all);
    }

    private Plugin enabled(Setting item, Optional<Point> point) {
        Setting name = item.only(Set.of("name", "weight")).at("name");
        Plugin plugin = Plugin.named(name);
        if (!plugin.part.supported()) {
            throw name.wrong("is not supported: %s. Leave it out".formatted(plugin.part.why()));
        }
        if (point.filter(it -> !plugin.extendsPoint(it)).isPresent()) {
            throw name.wrong("has nothing to do at %s: leave it out".formatted(point.get().key));
        }
        if (plugin.isIdle()) {
            notes.add("%s (%s) has no effect: %s".formatted(name.path(), plugin.title, plugin.part.why()));
        }
        return plugin;
    }

    /** A weight that is not said or zero counts as one, whatever it is by default. */
    private int weight(Setting item, Plugin plugin, Optional<Point> point) {
        Setting weight = item.at("weight");
        int said = weight.number(0, ScoreWeights.LARGEST).orElse(0);
        if (weight.isThere()
                && (point.filter(it -> it != Point.SCORE).isPresent() || !plugin.extendsPoint(Point.SCORE))) {
            notes.add("%s (%d) has no effect: nothing is scored there".formatted(weight.path(), said));
        }
        return Math.max(1, said);
    }

    /** The weight with which a plugin is in force there; empty where it is not. */
    Optional<Integer> at(Point point, Plugin plugin) {
        Said said = points.getOrDefault(point, multi);
        if (said.enabled.containsKey(plugin)) {
            return Optional.of(said.enabled.get(plugin));
        }
        return everywhere.containsKey(plugin)
                        && plugin.extendsPoint(point)
                        && said.disabling(plugin).isEmpty()
                ? Optional.of(everywhere.get(plugin))
                : Optional.empty();
    }

    boolean has(Point point, Plugin plugin) {
        return at(point, plugin).isPresent();
    }

    /** Complains about what cannot be left out, or not one without the other, and tells what is left out in vain. */
    void check() {
        for (Plugin plugin : Plugin.byDefault()) {
            for (Point point : plugin.part.fixed()) {
                if (!has(point, plugin)) {
                    throw left(point, plugin, "cannot be left out at %s: %s".formatted(point.key, plugin.part.why()));
                }
            }
            pair(plugin, Point.PRE_FILTER, Point.FILTER);
            pair(plugin, Point.PRE_SCORE, Point.SCORE);
            if (plugin.isIdle() && !has(Point.FILTER, plugin)) {
                notes.add("%s is left out without effect: %s".formatted(plugin.title, plugin.part.why()));
            }
        }
        if (!has(Point.FILTER, Plugin.NODE_AFFINITY) && has(Point.PRE_FILTER, Plugin.NODE_AFFINITY)) {
            throw left(
                    Point.FILTER,
                    Plugin.NODE_AFFINITY,
                    "cannot be left out at filter alone: leave it out at preFilter too");
        }
    }

    private void pair(Plugin plugin, Point before, Point after) {
        if (plugin.extendsPoint(before) && has(after, plugin) && !has(before, plugin)) {
            throw left(
                    before,
                    plugin,
                    "cannot be left out at %s alone: leave it out at %s too".formatted(before.key, after.key));
        }
    }

    private IllegalArgumentException left(Point point, Plugin plugin, String advice) {
        return points.getOrDefault(point, multi)
                .disabling(plugin)
                .or(() -> multi.disabling(plugin))
                .map(setting -> setting.wrong("leaves out %s, which %s".formatted(plugin.title, advice)))
                .orElseGet(() -> new IllegalArgumentException("%s %s".formatted(plugin.title, advice)));
    }
}
