package cifvi.spark;

import java.io.InputStream;
import java.io.OutputStream;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** A task of the cluster as a process: it lives as long as the task. */
final class TaskProcess extends Process {
  private final CompletableFuture<Integer> exit;
  private final Runnable cancel;

  TaskProcess(CompletableFuture<Integer> exit, Runnable cancel) {
    this.exit = exit;
    this.cancel = cancel;
  }

  @Override
  public int exitValue() {
    if (!exit.isDone()) {
      throw new IllegalThreadStateException("the task is not done");
    }
    return exit.join();
  }

  @Override
  public boolean isAlive() {
    return !exit.isDone();
  }

  @Override
  public int waitFor() throws InterruptedException {
    try {
      return exit.get();
    } catch (java.util.concurrent.ExecutionException e) {
      throw new CompletionException(e.getCause());
    }
  }

  @Override
  public CompletableFuture<Process> onExit() {
    return exit.handle((_, _) -> this);
  }

  @Override
  public void destroy() {
    cancel.run();
  }

  @Override
  public OutputStream getOutputStream() {
    return OutputStream.nullOutputStream();
  }

  @Override
  public InputStream getInputStream() {
    return InputStream.nullInputStream();
  }

  @Override
  public InputStream getErrorStream() {
    return InputStream.nullInputStream();
  }
}
