package dev.waybill.quickstart.orders;

import java.util.Random;

/** What somebody ordered. */
record Order(long number, String customer, String product, int quantity, long totalCents) {

  private static final int CUSTOMERS = 100;
  private static final int PRODUCTS = 12;
  private static final int MAX_QUANTITY = 5;
  private static final int MAX_PRICE_CENTS = 10_000;

  /**
   * The order of that number: always the same one, so that it can be placed again after a crash.
   */
  static Order numbered(long number) {
    Random random = new Random(number);
    int quantity = 1 + random.nextInt(MAX_QUANTITY);
    return new Order(
        number,
        "customer-" + random.nextInt(CUSTOMERS),
        "product-" + random.nextInt(PRODUCTS),
        quantity,
        (long) quantity * (1 + random.nextInt(MAX_PRICE_CENTS)));
  }
}
