package dev.berth.kubernetes.http2;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.kubernetes.http2.RequestFailedException.ProcessingState;
import java.io.IOException;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

class RequestFailedExceptionTest {
    @Test
    void theMessageIsTheSameHoweverTheFailureIsWrapped() {
        RequestFailedException failed = new RequestFailedException(
                ProcessingState.NOT_PROCESSED, "cannot connect to https://here:6443: refused");
        assertThat(RequestFailedException.messageOf(failed)).isEqualTo(failed.getMessage());
        assertThat(RequestFailedException.messageOf(new CompletionException(failed)))
                .isEqualTo(failed.getMessage());
        assertThat(RequestFailedException.messageOf(new IOException())).isEqualTo("IOException");
    }
}
