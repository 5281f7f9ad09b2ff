-- A ledger in PostgreSQL: three tables that only grow. Made once, by the owner of the database. Stations read two of
-- them, and append with the function in postgresql_append.sql, beside the guard that an entry only follows the last.

CREATE TABLE stored_events (
    originator_id uuid NOT NULL,
    originator_version bigint NOT NULL,
    topic text NOT NULL,
    state bytea NOT NULL,
    notification_id bigserial UNIQUE,
    PRIMARY KEY (originator_id, originator_version)
);

CREATE TABLE merkle_tree (
    originator_id uuid NOT NULL,
    originator_version bigint NOT NULL,
    nodes bytea NOT NULL,
    root bytea NOT NULL,
    PRIMARY KEY (originator_id, originator_version),
    FOREIGN KEY (originator_id, originator_version) REFERENCES stored_events
);

CREATE TABLE sealed_secrets (
    originator_id uuid PRIMARY KEY,
    secret bytea NOT NULL
);

CREATE FUNCTION ledger_never() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'a ledger is append-only' USING ERRCODE = 'integrity_constraint_violation';
END $$;

CREATE TRIGGER never BEFORE UPDATE OR DELETE OR TRUNCATE ON stored_events
    FOR EACH STATEMENT EXECUTE FUNCTION ledger_never();
CREATE TRIGGER never BEFORE UPDATE OR DELETE OR TRUNCATE ON merkle_tree
    FOR EACH STATEMENT EXECUTE FUNCTION ledger_never();
CREATE TRIGGER never BEFORE UPDATE OR DELETE OR TRUNCATE ON sealed_secrets
    FOR EACH STATEMENT EXECUTE FUNCTION ledger_never();
