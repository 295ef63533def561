package dev.berth.kubernetes.informer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.berth.core.cluster.PodUid;
import dev.berth.core.fact.Fact;
import dev.berth.engine.FactSink;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class FactPublisherTest {
    private static final Fact FACT = new Fact.PodDeleted(new PodUid("u"));

    @Test
    void closingWakesAThreadThatIsBlockedOnAFullInbox() throws Exception {
        CountDownLatch waiting = new CountDownLatch(1);
        CountDownLatch never = new CountDownLatch(1);
        FactPublisher factPublisher = new FactPublisher(new FactSink() {
            @Override
            public void accept(Fact fact) throws InterruptedException {
                waiting.countDown();
                never.await();
            }

            @Override
            public void onListed(ListedKind listedKind) {}
        });
        CompletableFuture<Throwable> ended = new CompletableFuture<>();
        Thread reader = new Thread(() -> ended.complete(catchThrowable(() -> factPublisher.publish(FACT))));
        reader.start();
        assertThat(waiting.await(20, TimeUnit.SECONDS)).isTrue();
        factPublisher.close();
        assertThat(ended.get(20, TimeUnit.SECONDS)).isInstanceOf(CancellationException.class);
        reader.join();
    }

    @Test
    void aClosedPublisherRejectsFacts() {
        FactPublisher factPublisher = new FactPublisher(new FactSink() {
            @Override
            public void accept(Fact fact) {}

            @Override
            public void onListed(ListedKind listedKind) {}
        });
        factPublisher.publish(FACT);
        factPublisher.publishSynced(FactSink.ListedKind.PODS);
        factPublisher.close();
        assertThatThrownBy(() -> factPublisher.publish(FACT)).isInstanceOf(CancellationException.class);
        assertThatThrownBy(() -> factPublisher.publishSynced(FactSink.ListedKind.PODS))
                .isInstanceOf(CancellationException.class);
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }
}
