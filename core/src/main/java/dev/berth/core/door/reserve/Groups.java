package dev.berth.core.door.reserve;

import dev.berth.core.cluster.PodUid;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/** The Hold objects that are known, asked for, or not yet surely gone: by name, by UID and by pod. */
final class Groups {
    private final Map<String, Group> byName = new TreeMap<>();
    private final Map<String, String> namesByUid = new HashMap<>();
    private final Map<PodUid, TreeSet<String>> namesByPod = new HashMap<>();
    /** Deleted ones, which old news may still speak of until their deadline. */
    private final Deque<Group> graves = new ArrayDeque<>();

    Optional<Group> named(String name) {
        return Optional.ofNullable(byName.get(name));
    }

    Optional<Group> ofUid(String uid) {
        return Optional.ofNullable(namesByUid.get(uid)).flatMap(this::named);
    }

    /** Whether something is, or shortly before was, kept for any pod. */
    boolean haveAny() {
        return !namesByPod.isEmpty();
    }

    /** Whether something is, or shortly before was, kept for the pod. Asked of every pod that comes and goes. */
    boolean haveAny(PodUid pod) {
        return namesByPod.containsKey(pod);
    }

    /** Those with a place for the pod that has not ended, the latest last. */
    List<Group> of(PodUid pod) {
        return keeping(pod).stream()
                .filter(group -> group.live(pod).isPresent())
                .toList();
    }

    /** Those that keep a place for the pod, one that ended among them while its object may promise it; the latest last. */
    List<Group> keeping(PodUid pod) {
        TreeSet<String> names = namesByPod.get(pod);
        return names == null
                ? List.of()
                : names.stream()
                        .flatMap(name -> named(name).stream())
                        .filter(group -> group.kept(pod).isPresent())
                        .sorted(Group.BY_AGE)
                        .toList();
    }

    /** The same, of those alone that the scheduler of this name reserved. */
    List<Group> of(PodUid pod, String scheduler) {
        return of(pod).stream().filter(group -> group.isOf(scheduler)).toList();
    }

    void add(Group group) {
        byName.put(group.name(), group);
        for (Place place : group.spec().places()) {
            namesByPod
                    .computeIfAbsent(place.pod().uid(), pod -> new TreeSet<>())
                    .add(group.name());
        }
    }

    /** The object shows, with its UID and places that may be others than before. */
    void seen(Group group, HoldFact.Seen object) {
        unlink(group);
        group.seen(object.uid(), object.spec());
        namesByUid.put(object.uid(), group.name());
        add(group);
    }

    /** The object shows, and says nothing that can be read. */
    void malformed(Group group, String uid) {
        group.malformed(uid);
        namesByUid.put(uid, group.name());
    }

    void remove(Group group) {
        byName.remove(group.name());
        namesByUid.remove(group.uid());
        unlink(group);
    }

    private void unlink(Group group) {
        group.spec().places().forEach(place -> unlink(group, place.pod().uid()));
    }

    private void unlink(Group group, PodUid pod) {
        TreeSet<String> names = namesByPod.get(pod);
        if (names != null) {
            names.remove(group.name());
            if (names.isEmpty()) {
                namesByPod.remove(pod);
            }
        }
    }

    /** A pod may be reserved again and again: what is over is not looked at each time. Should it show, it is filed again. */
    void bury(Group group) {
        group.deleted();
        graves.add(group);
        for (Place place : group.spec().places()) {
            PodUid pod = place.pod().uid();
            if (group.kept(pod).isEmpty()) {
                unlink(group, pod);
            }
        }
    }

    /** Past its deadline an object ends by itself, should it ever show again. */
    void forgetOld(Instant now) {
        while (!graves.isEmpty() && !graves.peek().spec().deadline().isAfter(now)) {
            Group group = graves.remove();
            if (group.isDeleted() && named(group.name()).equals(Optional.of(group))) {
                remove(group);
            }
        }
    }
}
