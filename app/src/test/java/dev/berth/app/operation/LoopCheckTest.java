package dev.berth.app.operation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.http.operation.Check.Finding;
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

    private Finding askAfter(long seconds) {
        now = now.plusSeconds(seconds);
        return check.ask();
    }

    private void answerAll() {
        questions.forEach(question -> question.complete(true));
    }

    @Test
    void aLoopThatAnswersIsWellHoweverSeldomItIsAsked() {
        assertThat(askAfter(0).well()).isTrue();
        answerAll();
        assertThat(askAfter(3_600).well()).isTrue();
        answerAll();
        assertThat(askAfter(7_200).well()).isTrue();
        assertThat(questions).hasSize(3);
    }

    @Test
    void aLoopThatIsSilentForTooLongIsIllUntilItAnswers() {
        check.ask();
        assertThat(askAfter(60).well()).as("it may be busy").isTrue();
        assertThat(askAfter(1)).isEqualTo(Finding.ill("the ledger's loop has not answered for 61 s"));
        assertThat(questions).as("one question at a time").hasSize(1);
        answerAll();
        assertThat(askAfter(1).well()).isTrue();
    }

    @Test
    void aLoopThatEndedIsIllForGood() {
        check.ask();
        questions.get(0).completeExceptionally(new IllegalStateException("ended"));
        assertThat(askAfter(1)).isEqualTo(Finding.ill("the ledger's loop has ended"));
        assertThat(askAfter(1).well()).isFalse();
    }

    @Test
    void aFullInboxIsSilence() {
        full = true;
        assertThat(check.ask().well()).isTrue();
        assertThat(askAfter(59).well()).isTrue();
        assertThat(askAfter(2).well()).isFalse();
        full = false;
        assertThat(askAfter(1).well()).as("asked, not yet answered").isFalse();
        answerAll();
        assertThat(askAfter(1).well()).isTrue();
    }
}
