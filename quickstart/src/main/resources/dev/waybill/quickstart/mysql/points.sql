CREATE TABLE account (
  customer VARCHAR(40) PRIMARY KEY,
  points   BIGINT NOT NULL
);

GRANT SELECT, INSERT, UPDATE ON account TO points_service;
