CREATE TABLE account (
  customer text PRIMARY KEY,
  points   bigint NOT NULL
);

GRANT SELECT, INSERT, UPDATE ON account TO points_service;
