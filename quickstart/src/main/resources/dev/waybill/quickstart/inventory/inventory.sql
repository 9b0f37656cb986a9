CREATE TABLE stock (
  product  text PRIMARY KEY,
  reserved bigint NOT NULL
);
