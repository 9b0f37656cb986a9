CREATE TABLE orders (
  number      bigint PRIMARY KEY,
  customer    text NOT NULL,
  product     text NOT NULL,
  quantity    integer NOT NULL,
  total_cents bigint NOT NULL,
  placed_at   timestamptz NOT NULL DEFAULT now()
);

GRANT SELECT, INSERT ON orders TO orders_service;
