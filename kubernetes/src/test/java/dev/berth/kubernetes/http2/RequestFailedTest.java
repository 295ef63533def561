package dev.berth.kubernetes.http2;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.kubernetes.http2.RequestFailed.Fate;
import java.io.IOException;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

class RequestFailedTest {
    @Test
    void whyThereIsNoAnswerIsSaidInWordsHoweverItIsWrapped() {
        RequestFailed failed = new RequestFailed(Fate.NOT_PROCESSED, "cannot connect to https://here:6443: refused");
        assertThat(RequestFailed.why(failed)).isEqualTo(failed.getMessage());
        assertThat(RequestFailed.why(new CompletionException(failed))).isEqualTo(failed.getMessage());
        assertThat(RequestFailed.why(new IOException())).isEqualTo("IOException");
    }
}
