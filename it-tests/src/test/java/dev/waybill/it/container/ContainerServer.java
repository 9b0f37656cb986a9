package dev.waybill.it.container;

import com.github.dockerjava.api.DockerClient;
import dev.waybill.servers.Server;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.testcontainers.containers.GenericContainer;

/** A server in a container that keeps its data and its port while it is stopped. */
abstract class ContainerServer implements Server {

  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final int STOP_SECONDS = 10;

  private final GenericContainer<?> container;

  ContainerServer(GenericContainer<?> container) {
    this.container = container;
  }

  /** Whether a client is served. */
  abstract boolean isReady();

  /** The first start makes the container. */
  @Override
  public final void start() {
    if (isRunning()) {
      return;
    }
    if (container.getContainerId() == null) {
      container.start();
    } else {
      docker().startContainerCmd(container.getContainerId()).exec();
    }
    Awaitility.await().atMost(PATIENCE).until(this::isReady);
  }

  /** The signal that the image asks for, and SIGKILL if that is not enough. */
  @Override
  public final void stop() {
    if (isRunning()) {
      docker().stopContainerCmd(container.getContainerId()).withTimeout(STOP_SECONDS).exec();
    }
  }

  @Override
  public final void kill() {
    if (isRunning()) {
      docker().killContainerCmd(container.getContainerId()).exec();
      Awaitility.await().atMost(PATIENCE).until(() -> !isRunning());
    }
  }

  @Override
  public final boolean isRunning() {
    return container.isRunning();
  }

  /** Removes the container. */
  @Override
  public final void close() {
    container.stop();
  }

  private DockerClient docker() {
    return container.getDockerClient();
  }
}
