package dev.berth.embedded.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class StoreTest {

    private static final ResourceId PODS = new ResourceId("", "pods");

    private final Store store = new Store(4);
    private final Shelf pods = store.shelf(PODS);

    @Test
    void everyWriteOfEveryResourceDrawsFromOneCounter() {
        Stored pod = create("default", "web");
        Stored node = store.shelf(new ResourceId("", "nodes"))
                .insert(new ObjectKey("", "n1"), object("n1"))
                .orElseThrow();

        assertThat(node.revision()).isEqualTo(pod.revision() + 1);
        assertThat(Meta.resourceVersion(node.tree())).isEqualTo(Long.toString(node.revision()));
        assertThat(store.revision()).isEqualTo(node.revision());
    }

    @Test
    void aNameIsTakenOnce() {
        create("default", "web");

        assertThat(pods.insert(new ObjectKey("default", "web"), object("web"))).isEmpty();
        assertThat(pods.insert(new ObjectKey("other", "web"), object("web"))).isPresent();
    }

    @Test
    void aWriteFromAnOldVersionComesToNothing() {
        Stored first = create("default", "web");
        Stored second = pods.replace(first, object("web")).orElseThrow();

        assertThat(pods.replace(first, object("web"))).isEmpty();
        assertThat(pods.remove(first)).isEmpty();
        assertThat(pods.get(first.key())).contains(second);
    }

    @Test
    void aForgottenHistoryIsOutOfReachAndANewOneBegins() {
        Stored a = create("default", "a");
        Stored b = create("default", "b");
        store.forgetHistory();
        for (String name : List.of("c", "d", "e", "f", "g")) {
            assertThat(pods.follow(a.revision())).isEmpty();
            assertThat(pods.snapshotAt(a.revision())).isEmpty();
            create("default", name);
        }

        assertThat(pods.follow(b.revision())).isEmpty();
        assertThat(store.shelf(new ResourceId("", "nodes")).follow(a.revision()))
                .isEmpty();
        assertThat(names(pods.snapshotAt(store.revision() - 1).orElseThrow()))
                .containsExactly("a", "b", "c", "d", "e", "f");
    }

    @Test
    void whatIsThereWhenHistoryIsForgottenCanStillBeFollowed() {
        Stored a = create("default", "a");
        store.forgetHistory();
        create("default", "b");

        assertThat(pods.follow(a.revision())).isPresent();
        assertThat(names(pods.snapshotAt(a.revision()).orElseThrow())).containsExactly("a");
    }

    @Test
    void aListOfThePastStaysReadable() {
        create("default", "a");
        Stored b = create("default", "b");
        pods.remove(b);

        assertThat(names(pods.snapshotAt(b.revision()).orElseThrow())).containsExactly("a", "b");
        assertThat(names(pods.snapshot())).containsExactly("a");
        assertThat(pods.snapshot().revision()).isEqualTo(b.revision() + 1);
        assertThat(names(pods.snapshotAt(1).orElseThrow())).isEmpty();
    }

    @Test
    void whatTheHistoryForgotCannotBeListedOrFollowed() {
        Stored first = create("default", "a");
        for (int i = 0; i < 5; i++) {
            create("default", "b" + i);
        }

        assertThat(pods.snapshotAt(first.revision())).isEmpty();
        assertThat(pods.follow(first.revision())).isEmpty();
        assertThat(names(pods.snapshotAt(first.revision() + 1).orElseThrow())).containsExactly("a", "b0");
        assertThat(pods.follow(first.revision() + 1)).isPresent();
    }

    @Test
    void aFeedGivesEveryLaterChangeInOrder() {
        Stored a = create("default", "a");
        Feed feed = pods.follow(a.revision()).orElseThrow();
        Stored changed = pods.replace(a, object("a")).orElseThrow();
        pods.remove(changed);

        Feed.Batch batch = feed.pull(10).orElseThrow();

        assertThat(batch.changes()).extracting(Change::type).containsExactly(Change.Type.MODIFIED, Change.Type.DELETED);
        Change deletion = batch.changes().get(1);
        assertThat(deletion.previous()).contains(changed);
        assertThat(Meta.resourceVersion(deletion.object().tree())).isEqualTo(Long.toString(changed.revision() + 1));
        assertThat(batch.upTo()).isEqualTo(store.revision());
        assertThat(batch.more()).isFalse();
    }

    @Test
    void aFeedThatIsCutOffSaysHowFarItCame() {
        Feed feed = pods.follow(1).orElseThrow();
        Stored a = create("default", "a");
        create("default", "b");

        Feed.Batch batch = feed.pull(1).orElseThrow();

        assertThat(batch.upTo()).isEqualTo(a.revision());
        assertThat(batch.more()).isTrue();
    }

    @Test
    void aFeedKnowsOfRevisionsOfOtherResources() {
        Feed feed = pods.follow(1).orElseThrow();
        store.shelf(new ResourceId("", "nodes")).insert(new ObjectKey("", "n1"), object("n1"));

        assertThat(feed.pull(1).orElseThrow().upTo()).isEqualTo(store.revision());
    }

    @Test
    void aReaderThatIsOvertakenIsToldSo() {
        Feed feed = pods.follow(1).orElseThrow();
        for (int i = 0; i < 5; i++) {
            create("default", "a" + i);
        }

        assertThat(feed.hasNext()).isTrue();
        assertThat(feed.pull(1)).isEmpty();
    }

    @Test
    void aListenerHearsOfWritesUntilTheFeedIsClosed() {
        AtomicInteger heard = new AtomicInteger();
        Feed feed = pods.follow(1).orElseThrow();
        feed.onChange(heard::incrementAndGet);
        create("default", "a");
        feed.close();
        create("default", "b");

        assertThat(heard).hasValue(1);
    }

    @Test
    void bytesAreMadeOncePerVersionAndEncoding() {
        AtomicInteger made = new AtomicInteger();
        Encoding<byte[]> counting = tree -> new byte[] {(byte) made.incrementAndGet()};
        Stored pod = create("default", "a");

        assertThat(pod.encoded(counting)).isSameAs(pod.encoded(counting));
        assertThat(pod.<byte[]>encoded(tree -> new byte[] {7})).containsExactly(7);
        assertThat(made).hasValue(1);
    }

    @Test
    void manyWritersLoseNothing() throws InterruptedException {
        Store wide = new Store(10_000);
        Shelf shelf = wide.shelf(PODS);
        Feed feed = shelf.follow(1).orElseThrow();
        List<Thread> writers = new ArrayList<>();
        for (int w = 0; w < 4; w++) {
            int id = w;
            writers.add(new Thread(
                    () -> {
                        for (int i = 0; i < 500; i++) {
                            shelf.insert(new ObjectKey("default", id + "-" + i), object(id + "-" + i));
                        }
                    },
                    "writer-" + w));
        }
        writers.forEach(Thread::start);
        for (Thread writer : writers) {
            writer.join();
        }

        List<Change> changes = feed.pull(10_000).orElseThrow().changes();
        assertThat(changes).hasSize(2_000);
        assertThat(changes).extracting(Change::revision).isSorted().doesNotHaveDuplicates();
        assertThat(shelf.snapshot().size()).isEqualTo(2_000);
    }

    @Test
    void aHistoryOfNothingIsRefused() {
        assertThatThrownBy(() -> new Store(0)).hasMessage("history limit (0) is below 1");
    }

    private Stored create(String namespace, String name) {
        return pods.insert(new ObjectKey(namespace, name), object(name)).orElseThrow();
    }

    private static ObjectNode object(String name) {
        ObjectNode tree = JsonNodeFactory.instance.objectNode();
        tree.putObject("metadata").put("name", name);
        return tree;
    }

    private static List<String> names(Snapshot snapshot) {
        return snapshot.list("default").stream().map(each -> each.key().name()).toList();
    }
}
