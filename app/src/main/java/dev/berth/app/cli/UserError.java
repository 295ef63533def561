package dev.berth.app.cli;

import org.jspecify.annotations.Nullable;

/** An error that the user can correct. Only its message is printed, without a stack trace. */
public final class UserError extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int exitCode;

    private UserError(int exitCode, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.exitCode = exitCode;
    }

    /** The request is valid, but could not be carried out. */
    public static UserError failed(String message, Throwable cause) {
        return new UserError(ExitCode.FAILED, message, cause);
    }

    public static UserError failed(String message) {
        return new UserError(ExitCode.FAILED, message, null);
    }

    /** A flag, a configuration key or a kubeconfig is wrong. */
    public static UserError invalidSetting(String message, Throwable cause) {
        return new UserError(ExitCode.USAGE, message, cause);
    }

    public static UserError invalidSetting(String message) {
        return new UserError(ExitCode.USAGE, message, null);
    }

    public int exitCode() {
        return exitCode;
    }
}
