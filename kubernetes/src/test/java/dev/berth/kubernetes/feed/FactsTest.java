package dev.berth.kubernetes.feed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.berth.core.cluster.PodUid;
import dev.berth.core.decision.Fact;
import dev.berth.engine.FactSink;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class FactsTest {
    private static final Fact FACT = new Fact.PodGone(new PodUid("u"));

    @Test
    void closingWakesAReaderThatTheEngineMakesWait() throws Exception {
        CountDownLatch waiting = new CountDownLatch(1);
        CountDownLatch never = new CountDownLatch(1);
        Facts facts = new Facts(new FactSink() {
            @Override
            public void accept(Fact fact) throws InterruptedException {
                waiting.countDown();
                never.await();
            }

            @Override
            public void listed(Source source) {}
        });
        CompletableFuture<Throwable> ended = new CompletableFuture<>();
        Thread reader = new Thread(() -> ended.complete(catchThrowable(() -> facts.accept(FACT))));
        reader.start();
        assertThat(waiting.await(20, TimeUnit.SECONDS)).isTrue();
        facts.close();
        assertThat(ended.get(20, TimeUnit.SECONDS)).isInstanceOf(CancellationException.class);
        reader.join();
    }

    @Test
    void onceClosedNothingIsTaken() {
        Facts facts = new Facts(new FactSink() {
            @Override
            public void accept(Fact fact) {}

            @Override
            public void listed(Source source) {}
        });
        facts.accept(FACT);
        facts.listed(FactSink.Source.PODS);
        facts.close();
        assertThatThrownBy(() -> facts.accept(FACT)).isInstanceOf(CancellationException.class);
        assertThatThrownBy(() -> facts.listed(FactSink.Source.PODS)).isInstanceOf(CancellationException.class);
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }
}
