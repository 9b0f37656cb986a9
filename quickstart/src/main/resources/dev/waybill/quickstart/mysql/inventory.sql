CREATE TABLE stock (
  product  VARCHAR(40) PRIMARY KEY,
  reserved BIGINT NOT NULL
);

GRANT SELECT, INSERT, UPDATE ON stock TO inventory_service;
