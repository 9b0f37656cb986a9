package dev.waybill.consumer.guard;

/**
 * What is to be done once.
 *
 * @param <X> what it may throw
 */
@FunctionalInterface
public interface Work<X extends Exception> {

  void run() throws X;
}
