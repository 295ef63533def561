package dev.berth.core.scheduling;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.framework.PostFilterPlugin;
import dev.berth.core.framework.PostFilterResult;
import dev.berth.core.framework.PreBindPlugin;
import dev.berth.core.framework.ReservePlugin;
import dev.berth.core.hold.HoldId;
import dev.berth.core.ledger.NodeState;
import dev.berth.core.placement.Placement;
import dev.berth.core.placement.filter.ClusterEventKind;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;

/** Runs the components that implement an extension point, in the order in which components are called. */
final class ExtensionPoints {
    private final List<Implementation<ReservePlugin>> reservePlugins;
    private final List<Implementation<PreBindPlugin>> preBindPlugins;
    private final List<Implementation<PostFilterPlugin>> postFilterPlugins;

    private record Implementation<P>(P plugin, ComponentHandle handle) {}

    ExtensionPoints(List<ComponentHandle> components) {
        this.reservePlugins = implementing(ReservePlugin.class, components);
        this.preBindPlugins = implementing(PreBindPlugin.class, components);
        this.postFilterPlugins = implementing(PostFilterPlugin.class, components);
    }

    private static <P> List<Implementation<P>> implementing(Class<P> extensionPoint, List<ComponentHandle> components) {
        List<Implementation<P>> implementations = new ArrayList<>();
        for (ComponentHandle handle : components) {
            if (extensionPoint.isInstance(handle.component())) {
                implementations.add(new Implementation<>(extensionPoint.cast(handle.component()), handle));
            }
        }
        return List.copyOf(implementations);
    }

    /** The message of the result begins with a blank unless it is empty. */
    PostFilterResult postFilter(Pod pod, Placement.Refused refused, Instant now) {
        return combine(it -> it.plugin.postFilter(pod, refused, it.handle.atTime(now)));
    }

    /** The hold that a plugin keeps for the placement request. */
    Optional<HoldId> findHoldFor(PodUid request) {
        for (Implementation<PostFilterPlugin> implementation : postFilterPlugins) {
            Optional<HoldId> hold = implementation.plugin.findHoldFor(request);
            if (hold.isPresent()) {
                return hold;
            }
        }
        return Optional.empty();
    }

    PostFilterResult previewPostFilter(NodeState node, Pod pod) {
        return combine(it -> it.plugin.previewPostFilter(node, pod, it.handle));
    }

    private PostFilterResult combine(Function<Implementation<PostFilterPlugin>, PostFilterResult> call) {
        boolean now = false;
        StringBuilder message = new StringBuilder();
        EnumSet<ClusterEventKind> later = EnumSet.noneOf(ClusterEventKind.class);
        for (Implementation<PostFilterPlugin> implementation : postFilterPlugins) {
            PostFilterResult postFilterResult = call.apply(implementation);
            now |= postFilterResult.possibleNow();
            later.addAll(postFilterResult.possibleAfter());
            if (!postFilterResult.message().isEmpty()) {
                message.append(' ').append(postFilterResult.message());
            }
        }
        return new PostFilterResult(now, message.toString(), later);
    }

    /** The annotations by which the bind records what the plugins assigned to the pod. */
    Map<String, String> reserve(Pod pod, Placement.Placed placed, Instant now) {
        Map<String, String> annotations = Map.of();
        for (Implementation<ReservePlugin> implementation : reservePlugins) {
            Map<String, String> more = implementation.plugin.reserve(pod, placed, implementation.handle.atTime(now));
            if (!more.isEmpty()) {
                annotations = new TreeMap<>(annotations);
                annotations.putAll(more);
            }
        }
        return annotations;
    }

    /** Whether the bind of the pod has to wait. */
    boolean preBind(Pod pod, Placement.Placed placed, Instant now) {
        boolean waits = false;
        for (Implementation<PreBindPlugin> implementation : preBindPlugins) {
            waits |= implementation.plugin.preBind(pod, placed, implementation.handle.atTime(now));
        }
        return waits;
    }

    /** The bind of the pod waited and was aborted. */
    void onBindAborted(PodUid pod, Instant now) {
        for (Implementation<PreBindPlugin> implementation : preBindPlugins) {
            implementation.plugin.onBindAborted(pod, implementation.handle.atTime(now));
        }
    }
}
