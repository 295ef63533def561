package dev.berth.kubernetes.watch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.kubernetes.cursor.ObjectReference;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** Records its calls, and fails on calls that must not happen. */
final class VerifyingEventHandler implements ResourceEventHandler<FakeListerWatcher.FakeObject> {
    final List<String> lines = new ArrayList<>();
    final TreeMap<String, FakeListerWatcher.FakeObject> present = new TreeMap<>();
    private final Map<String, Long> latest = new HashMap<>();
    private final Set<String> deleted = new HashSet<>();
    int syncedCount;
    String resourceVersion = "";

    @Override
    public void onUpsert(String uid, FakeListerWatcher.FakeObject view) {
        assertThat(deleted).as("%s is seen after its end", uid).doesNotContain(uid);
        assertThat(view.version()).as("%s goes back in time", uid).isGreaterThanOrEqualTo(latest.getOrDefault(uid, 0L));
        latest.put(uid, view.version());
        present.put(uid, view);
        lines.add("seen " + uid);
    }

    @Override
    public void onDelete(String uid, Optional<FakeListerWatcher.FakeObject> last) {
        assertThat(present).as("%s is gone without having been there", uid).containsKey(uid);
        present.remove(uid);
        deleted.add(uid);
        lines.add("gone " + uid);
    }

    @Override
    public void onSynced() {
        syncedCount++;
        lines.add("listed");
    }

    @Override
    public void onResourceVersion(String version) {
        resourceVersion = version;
    }

    @Override
    public void onUnreadable(ObjectReference objectReference, String problem) {
        lines.add("unreadable " + problem);
    }

    @Override
    public void onReplayComplete() {
        lines.add("told");
    }

    @Override
    public void onReplayLost(String version) {
        lines.add("lost after " + version);
    }
}
