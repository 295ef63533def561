package dev.berth.kubernetes.watch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.kubernetes.cursor.Identity;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** Writes down what it hears, and objects to what must not be heard. */
final class Diary implements Listener<FakeKind.Thing> {
    final List<String> lines = new ArrayList<>();
    final TreeMap<String, FakeKind.Thing> present = new TreeMap<>();
    private final Map<String, Long> latest = new HashMap<>();
    private final Set<String> ended = new HashSet<>();
    int listed;
    String reached = "";

    @Override
    public void seen(String uid, FakeKind.Thing view) {
        assertThat(ended).as("%s is seen after its end", uid).doesNotContain(uid);
        assertThat(view.version()).as("%s goes back in time", uid).isGreaterThanOrEqualTo(latest.getOrDefault(uid, 0L));
        latest.put(uid, view.version());
        present.put(uid, view);
        lines.add("seen " + uid);
    }

    @Override
    public void gone(String uid, Optional<FakeKind.Thing> last) {
        assertThat(present).as("%s is gone without having been there", uid).containsKey(uid);
        present.remove(uid);
        ended.add(uid);
        lines.add("gone " + uid);
    }

    @Override
    public void listed() {
        listed++;
        lines.add("listed");
    }

    @Override
    public void reached(String version) {
        reached = version;
    }

    @Override
    public void unreadable(Identity identity, String problem) {
        lines.add("unreadable " + problem);
    }

    @Override
    public void historyTold() {
        lines.add("told");
    }

    @Override
    public void historyLost(String version) {
        lines.add("lost after " + version);
    }
}
