CREATE TABLE account (
  customer text PRIMARY KEY,
  points   bigint NOT NULL
);
