package dev.berth.sandbox.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.unstructured.ObjectMetaReader;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class StoreTest {

    private static final GroupResource PODS = new GroupResource("", "pods");

    private final Store store = new Store(4);
    private final ResourceStorage pods = store.resource(PODS);

    @Test
    void allResourcesShareOneRevisionCounter() {
        StoredObject pod = create("default", "web");
        StoredObject node = store.resource(new GroupResource("", "nodes"))
                .insert(new StorageKey("", "n1"), object("n1"))
                .orElseThrow();

        assertThat(node.revision()).isEqualTo(pod.revision() + 1);
        assertThat(ObjectMetaReader.resourceVersion(node.tree())).isEqualTo(Long.toString(node.revision()));
        assertThat(store.revision()).isEqualTo(node.revision());
    }

    @Test
    void insertingAnExistingKeyGivesEmpty() {
        create("default", "web");

        assertThat(pods.insert(new StorageKey("default", "web"), object("web"))).isEmpty();
        assertThat(pods.insert(new StorageKey("other", "web"), object("web"))).isPresent();
    }

    @Test
    void aWriteFromAnOldVersionIsNotApplied() {
        StoredObject first = create("default", "web");
        StoredObject second = pods.replace(first, object("web")).orElseThrow();

        assertThat(pods.replace(first, object("web"))).isEmpty();
        assertThat(pods.remove(first)).isEmpty();
        assertThat(pods.get(first.key())).contains(second);
    }

    @Test
    void afterCompactionOnlyLaterRevisionsCanBeWatched() {
        StoredObject a = create("default", "a");
        StoredObject b = create("default", "b");
        store.compact();
        for (String name : List.of("c", "d", "e", "f", "g")) {
            assertThat(pods.watch(a.revision())).isEmpty();
            assertThat(pods.snapshotAtRevision(a.revision())).isEmpty();
            create("default", name);
        }

        assertThat(pods.watch(b.revision())).isEmpty();
        assertThat(store.resource(new GroupResource("", "nodes")).watch(a.revision()))
                .isEmpty();
        assertThat(names(pods.snapshotAtRevision(store.revision() - 1).orElseThrow()))
                .containsExactly("a", "b", "c", "d", "e", "f");
    }

    @Test
    void aWatchFromTheCompactedRevisionWorks() {
        StoredObject a = create("default", "a");
        store.compact();
        create("default", "b");

        assertThat(pods.watch(a.revision())).isPresent();
        assertThat(names(pods.snapshotAtRevision(a.revision()).orElseThrow())).containsExactly("a");
    }

    @Test
    void aPastRevisionCanBeListed() {
        create("default", "a");
        StoredObject b = create("default", "b");
        pods.remove(b);

        assertThat(names(pods.snapshotAtRevision(b.revision()).orElseThrow())).containsExactly("a", "b");
        assertThat(names(pods.snapshot())).containsExactly("a");
        assertThat(pods.snapshot().revision()).isEqualTo(b.revision() + 1);
        assertThat(names(pods.snapshotAtRevision(1).orElseThrow())).isEmpty();
    }

    @Test
    void aRevisionBeyondTheHistoryCanBeNeitherListedNorWatched() {
        StoredObject first = create("default", "a");
        for (int i = 0; i < 5; i++) {
            create("default", "b" + i);
        }

        assertThat(pods.snapshotAtRevision(first.revision())).isEmpty();
        assertThat(pods.watch(first.revision())).isEmpty();
        assertThat(names(pods.snapshotAtRevision(first.revision() + 1).orElseThrow()))
                .containsExactly("a", "b0");
        assertThat(pods.watch(first.revision() + 1)).isPresent();
    }

    @Test
    void aWatcherReceivesEveryLaterEventInOrder() {
        StoredObject a = create("default", "a");
        StorageWatcher storageWatcher = pods.watch(a.revision()).orElseThrow();
        StoredObject changed = pods.replace(a, object("a")).orElseThrow();
        pods.remove(changed);

        StorageWatcher.EventBatch batch = storageWatcher.pull(10).orElseThrow();

        assertThat(batch.events())
                .extracting(StorageEvent::type)
                .containsExactly(StorageEvent.Type.MODIFIED, StorageEvent.Type.DELETED);
        StorageEvent deletion = batch.events().get(1);
        assertThat(deletion.previous()).contains(changed);
        assertThat(ObjectMetaReader.resourceVersion(deletion.object().tree()))
                .isEqualTo(Long.toString(changed.revision() + 1));
        assertThat(batch.revision()).isEqualTo(store.revision());
        assertThat(batch.more()).isFalse();
    }

    @Test
    void aLimitedPullReportsItsRevision() {
        StorageWatcher storageWatcher = pods.watch(1).orElseThrow();
        StoredObject a = create("default", "a");
        create("default", "b");

        StorageWatcher.EventBatch batch = storageWatcher.pull(1).orElseThrow();

        assertThat(batch.revision()).isEqualTo(a.revision());
        assertThat(batch.more()).isTrue();
    }

    @Test
    void aWatcherReportsRevisionsOfOtherResources() {
        StorageWatcher storageWatcher = pods.watch(1).orElseThrow();
        store.resource(new GroupResource("", "nodes")).insert(new StorageKey("", "n1"), object("n1"));

        assertThat(storageWatcher.pull(1).orElseThrow().revision()).isEqualTo(store.revision());
    }

    @Test
    void aWatcherThatFallsBehindGetsEmpty() {
        StorageWatcher storageWatcher = pods.watch(1).orElseThrow();
        for (int i = 0; i < 5; i++) {
            create("default", "a" + i);
        }

        assertThat(storageWatcher.hasNext()).isTrue();
        assertThat(storageWatcher.pull(1)).isEmpty();
    }

    @Test
    void aListenerIsCalledUntilTheWatcherIsClosed() {
        AtomicInteger heard = new AtomicInteger();
        StorageWatcher storageWatcher = pods.watch(1).orElseThrow();
        storageWatcher.onChange(heard::incrementAndGet);
        create("default", "a");
        storageWatcher.close();
        create("default", "b");

        assertThat(heard).hasValue(1);
    }

    @Test
    void bytesAreMadeOncePerVersionAndEncoding() {
        AtomicInteger made = new AtomicInteger();
        Encoding<byte[]> counting = tree -> new byte[] {(byte) made.incrementAndGet()};
        StoredObject pod = create("default", "a");

        assertThat(pod.encodedAs(counting)).isSameAs(pod.encodedAs(counting));
        assertThat(pod.<byte[]>encodedAs(tree -> new byte[] {7})).containsExactly(7);
        assertThat(made).hasValue(1);
    }

    @Test
    void manyWritersLoseNothing() throws InterruptedException {
        Store wide = new Store(10_000);
        ResourceStorage resourceStorage = wide.resource(PODS);
        StorageWatcher storageWatcher = resourceStorage.watch(1).orElseThrow();
        List<Thread> writers = new ArrayList<>();
        for (int w = 0; w < 4; w++) {
            int id = w;
            writers.add(new Thread(
                    () -> {
                        for (int i = 0; i < 500; i++) {
                            resourceStorage.insert(new StorageKey("default", id + "-" + i), object(id + "-" + i));
                        }
                    },
                    "writer-" + w));
        }
        writers.forEach(Thread::start);
        for (Thread writer : writers) {
            writer.join();
        }

        List<StorageEvent> storageEvents =
                storageWatcher.pull(10_000).orElseThrow().events();
        assertThat(storageEvents).hasSize(2_000);
        assertThat(storageEvents).extracting(StorageEvent::revision).isSorted().doesNotHaveDuplicates();
        assertThat(resourceStorage.snapshot().size()).isEqualTo(2_000);
    }

    @Test
    void aHistoryLimitOfZeroIsRejected() {
        assertThatThrownBy(() -> new Store(0)).hasMessage("history limit (0) is below 1");
    }

    private StoredObject create(String namespace, String name) {
        return pods.insert(new StorageKey(namespace, name), object(name)).orElseThrow();
    }

    private static ObjectNode object(String name) {
        ObjectNode tree = JsonNodeFactory.instance.objectNode();
        tree.putObject("metadata").put("name", name);
        return tree;
    }

    private static List<String> names(ResourceSnapshot snapshot) {
        return snapshot.list("default").stream().map(each -> each.key().name()).toList();
    }
}
