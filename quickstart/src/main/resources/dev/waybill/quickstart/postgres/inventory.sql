CREATE TABLE stock (
  product  text PRIMARY KEY,
  reserved bigint NOT NULL
);

GRANT SELECT, INSERT, UPDATE ON stock TO inventory_service;
