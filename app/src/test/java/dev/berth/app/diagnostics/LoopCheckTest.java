package dev.berth.app.diagnostics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.http.diagnostics.HealthCheck.HealthStatus;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

class LoopCheckTest {
    private final List<CompletableFuture<Boolean>> questions = new ArrayList<>();
    private Instant now = Instant.parse("2026-01-01T00:00:00Z");
    private boolean full;
    private final LoopCheck check = new LoopCheck(this::question, () -> now);

    private CompletableFuture<?> question() {
        if (full) {
            throw new RejectedExecutionException("the inbox is full");
        }
        CompletableFuture<Boolean> question = new CompletableFuture<>();
        questions.add(question);
        return question;
    }

    private HealthStatus askAfter(long seconds) {
        now = now.plusSeconds(seconds);
        return check.run();
    }

    private void answerAll() {
        questions.forEach(question -> question.complete(true));
    }

    @Test
    void aLoopThatAnswersIsHealthyHoweverRarelyItIsChecked() {
        assertThat(askAfter(0).healthy()).isTrue();
        answerAll();
        assertThat(askAfter(3_600).healthy()).isTrue();
        answerAll();
        assertThat(askAfter(7_200).healthy()).isTrue();
        assertThat(questions).hasSize(3);
    }

    @Test
    void aLoopThatDoesNotAnswerInTimeIsUnhealthyUntilItAnswers() {
        check.run();
        assertThat(askAfter(60).healthy()).as("it may be busy").isTrue();
        assertThat(askAfter(1)).isEqualTo(HealthStatus.unhealthy("the ledger's loop has not answered for 61 s"));
        assertThat(questions).as("one question at a time").hasSize(1);
        answerAll();
        assertThat(askAfter(1).healthy()).isTrue();
    }

    @Test
    void aStoppedLoopStaysUnhealthy() {
        check.run();
        questions.get(0).completeExceptionally(new IllegalStateException("ended"));
        assertThat(askAfter(1)).isEqualTo(HealthStatus.unhealthy("the ledger's loop has ended"));
        assertThat(askAfter(1).healthy()).isFalse();
    }

    @Test
    void aFullInboxCountsAsNoAnswer() {
        full = true;
        assertThat(check.run().healthy()).isTrue();
        assertThat(askAfter(59).healthy()).isTrue();
        assertThat(askAfter(2).healthy()).isFalse();
        full = false;
        assertThat(askAfter(1).healthy()).as("asked, not yet answered").isFalse();
        answerAll();
        assertThat(askAfter(1).healthy()).isTrue();
    }
}
