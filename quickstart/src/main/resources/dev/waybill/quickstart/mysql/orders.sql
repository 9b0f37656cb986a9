CREATE TABLE orders (
  number      BIGINT PRIMARY KEY,
  customer    VARCHAR(40) NOT NULL,
  product     VARCHAR(40) NOT NULL,
  quantity    INT NOT NULL,
  total_cents BIGINT NOT NULL,
  placed_at   DATETIME(6) NOT NULL DEFAULT (UTC_TIMESTAMP(6))
);

GRANT SELECT, INSERT ON orders TO orders_service;
